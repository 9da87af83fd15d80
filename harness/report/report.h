/* The report: one HTML page that holds everything, with nothing loaded from outside. */
#ifndef ORR_REPORT_H
#define ORR_REPORT_H

#include <jansson.h>

#include "present/selection.h"

struct orr_report {
    char page[1024];   /* path of index.html */
    char warning[512]; /* "" or why figures are missing */
    struct orr_report_page *being_written;
};

/* Runs whose results the page shows although they are not over. */
struct orr_report_going {
    const char *text;         /* how far they are: "12 of 41 cells are over, round 2 of 3"; NULL:
                                 they are over, and the page only shows what it showed before */
    double reload_s;          /* the page loads itself anew so often; 0: it is the last one */
    const char *resume;       /* the command that goes on; NULL: they go on */
    const json_t *unfinished; /* experiment -> "3 of 20 cells have all their rounds" */
};

/* Makes the folder of a report, if it is not there. ORR_EIO. */
int orr_report_make_folder(const char *folder);
/* Begins <folder>/index.html, and beside it every table as markdown and CSV and every figure as
 * SVG, which other processes write from now on: the claims can be judged meanwhile. The folder is
 * made; the one it lies in must be there. */
int orr_report_begin(struct orr_report *out, struct orr_selection *selection, const char *folder);
/* Writes the page once the rest is there. To be called where _begin gave 0. */
int orr_report_end(struct orr_report *report);
/* Both at once, of runs that go on or just ended: in one process, to disturb nothing that is being
 * measured. What was judged is on the page. */
int orr_report_write(struct orr_report *out, struct orr_selection *selection, const char *folder,
                     const struct orr_report_going *going);

#endif
