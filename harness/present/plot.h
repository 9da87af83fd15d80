/* SPDX-License-Identifier: MIT */
/* A figure: a folder of CSV files and a list of variables, read by one gnuplot script of plots/. */
#ifndef ORR_PLOT_H
#define ORR_PLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "datasets/formats/output.h"

struct orr_plot {
    char folder[128];  /* temporary, removed by orr_plot_release */
    char script[64];   /* "curves": plots/curves.gp below the home folder */
    FILE *variables;   /* gnuplot assignments, executed before the script */
    int series;        /* files series-1.csv ... made so far */
    int width, height; /* pixels */
    bool film;         /* a picture a series: the file ends in .gif or .png, not .svg */
    /* While it is drawn: */
    pid_t gnuplot; /* 0: it is not */
    const char *kind;
    struct orr_output output;
};

int orr_plot_open(struct orr_plot *out, const char *script);
void orr_plot_release(struct orr_plot *plot); /* safe on a zeroed one */
/* name = "text" and name = number for the script. */
void orr_plot_text(struct orr_plot *plot, const char *name, const char *text);
/* The same for headings, where gnuplot gives _ ^ { } @ & ~ a meaning: they are escaped. */
void orr_plot_heading(struct orr_plot *plot, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void orr_plot_number(struct orr_plot *plot, const char *name, double value);
/* Starts series-<k>.csv, counts it and sets label_<k> and style_<k> for the script. The caller
 * writes rows and closes it; NULL with ORR_EIO. Without a header (NULL) what it writes is binary.
 */
FILE *orr_plot_series(struct orr_plot *plot, const char *header, int style, const char *label);
void orr_plot_field(FILE *to, const char *text); /* a text as CSV */
/* A number as CSV: empty for NAN. */
void orr_plot_value(FILE *to, double value, char after);
/* Asked before long work: the ending of `path`, ORR_EUSAGE, and that there is a gnuplot,
 * ORR_EUNSUPPORTED. */
int orr_plot_check(const char *path, bool film);
/* Starts gnuplot, which draws the picture, checked as above; of a kind by the path's ending. */
int orr_plot_start(struct orr_plot *plot, const char *path);
/* Waits for it, and gives the picture its name. */
int orr_plot_finish(struct orr_plot *plot);
int orr_plot_draw(struct orr_plot *plot, const char *path); /* both */

#endif
