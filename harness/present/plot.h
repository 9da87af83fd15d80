/* SPDX-License-Identifier: MIT */
/* A figure: a folder of CSV files and a list of variables, read by one gnuplot script of plots/. */
#ifndef ORR_PLOT_H
#define ORR_PLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "datasets/formats/output.h"
#include "names.h"

struct orr_plot {
    char folder[128];        /* temporary, removed by orr_plot_release */
    char script[64];         /* "curves": plots/curves.gp below the home folder */
    FILE *variables;         /* gnuplot assignments, executed before the script */
    int series;              /* files series-1.csv ... made so far */
    struct orr_names arrays; /* what series have */
    int width, height;       /* pixels */
    bool film;               /* a picture a series: the file ends in .gif or .png, not .svg */
    bool drawing;            /* between orr_plot_draw and orr_plot_finish */
    int code;                /* 0, or why there is no picture */
    char why[512];
    const char *kind;
    struct orr_output output;
};

/* A gnuplot that draws one figure after the other: starting it takes longer than most of them. */
struct orr_gnuplot {
    pid_t process; /* 0: not started yet */
    int figures;   /* the socket that tells it what to draw */
};

int orr_plot_open(struct orr_plot *out, const char *script);
void orr_plot_release(struct orr_plot *plot); /* safe on a zeroed one */
/* name = "text" and name = number for the script; of "$name" the element name_of[k] of an array,
 * which the newest series has. */
void orr_plot_text(struct orr_plot *plot, const char *name, const char *text);
/* The same for headings, where gnuplot gives _ ^ { } @ & ~ a meaning: they are escaped. */
void orr_plot_heading(struct orr_plot *plot, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void orr_plot_number(struct orr_plot *plot, const char *name, double value);
/* Starts series-<k>.csv, counts it and sets label_of[k] and style_of[k] for the script. The caller
 * writes rows and closes it; NULL with ORR_EIO. Without a header (NULL) what it writes is binary.
 */
FILE *orr_plot_series(struct orr_plot *plot, const char *header, int style, const char *label);
/* Asked before long work: the ending of `path`, ORR_EUSAGE, and that there is a gnuplot,
 * ORR_EUNSUPPORTED. */
int orr_plot_check(const char *path, bool film);
/* Draws the picture, of a kind by the path's ending. Unless NULL, `by` draws it, which is started
 * if need be, while the caller goes on; what that did not draw by its end is drawn by
 * orr_plot_finish. */
int orr_plot_draw(struct orr_plot *plot, const char *path, struct orr_gnuplot *by);
int orr_plot_finish(struct orr_plot *plot);
/* Keeps the code and text of an error, which is cleared. */
void orr_plot_settle(struct orr_plot *plot, int code);
/* Waits until it has drawn all; false where it could not. */
bool orr_plot_end_gnuplot(struct orr_gnuplot *gnuplot);

#endif
