/* What the files of the report share; nobody else includes it. */
#ifndef ORR_REPORT_PARTS_H
#define ORR_REPORT_PARTS_H

#include <stdio.h>

#include "forked_probe.h"
#include "ledger/ledger.h"
#include "present/selection.h"
#include "report/report.h"
#include "terminal.h"

/* Machines in the one order of the whole page, `turn`: those with a CUDA device first, then those
 * with most cells. report.c makes it. */
#define ORR_REPORT_TURNS "machine_turn"

/* An experiment on its machines, or (without scopes) a paper's roofline, which comes first. */
struct orr_report_piece {
    const struct orr_paper *paper;
    struct orr_scopes scopes;
    size_t held; /* in scopes, of which `count` have results */
    FILE *html;  /* a memory file, shared with the process that writes it */
};
/* What that process says of it, in shared memory. */
struct orr_report_shown {
    char warning[512];
    char figure[256]; /* stem of the first one drawn */
};
struct orr_report_pieces {
    const struct orr_selection *selection;
    const char *folder;
    struct orr_report_piece *items;
    struct orr_report_shown *shown;
    size_t count;
    struct orr_forked_work work;
    struct orr_waiting waiting;
};
/* Lists what has results and has it written by processes of their own. Release whatever is
 * returned. */
int orr_report_begin_pieces(struct orr_report_pieces *out, const struct orr_selection *selection,
                            const char *folder, char *const *machines, size_t machine_count);
/* Waits for them, and says on standard error how far they are. */
int orr_report_end_pieces(struct orr_report_pieces *pieces);
int orr_report_copy_piece(FILE *to, const struct orr_report_piece *piece);
void orr_report_release_pieces(struct orr_report_pieces *pieces);

/* Sections that hold no experiment: above and below them. */
int orr_report_scoreboard(FILE *to, const struct orr_selection *selection);
int orr_report_top(FILE *to, const struct orr_selection *selection);
int orr_report_claims(FILE *to, const struct orr_selection *selection);
int orr_report_bottom(FILE *to, const struct orr_selection *selection);
/* gnuplot's SVG as a part of the page, which has many: its ids begin with `prefix`. */
int orr_report_drawing(FILE *to, const char *path, const char *prefix, const char *text);

#endif
