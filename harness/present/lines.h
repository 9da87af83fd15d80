/* Lines of a table or figure: a program on a device with one setting. */
#ifndef ORR_LINES_H
#define ORR_LINES_H

#include "present/results.h"

struct orr_line {
    const char *variant,
        *device;         /* device "": the program belongs to the experiment but was not measured */
    const char *setting; /* as in struct orr_result; "" where there is one way to run the program */
    const char *order;   /* the same as text that sorts */
    bool faithful; /* the published numbers stand beside this line and no other of its program and
                      device */
    int style;     /* of plots/common.gp */
};

/* In the paper's order of programs, then by device, then by setting. Text belongs to the results
 * and the scope. */
struct orr_lines {
    struct orr_line *items;
    size_t count;
    bool settings; /* some line has one */
};

int orr_lines_make(struct orr_lines *out, const struct orr_scope *scope,
                   const struct orr_results *results);
void orr_lines_release(struct orr_lines *lines);
/* The line that a result belongs to. */
const struct orr_line *orr_lines_find(const struct orr_lines *lines,
                                      const struct orr_result *result);
/* The setting without what all lines of the program have in common: for legends. Returns `out`. */
char *orr_line_difference(char *out, size_t size, const struct orr_lines *lines,
                          const struct orr_line *line);
/* The line's result for an input, or NULL. */
const struct orr_result *orr_line_result(const struct orr_line *line,
                                         const struct orr_results *results,
                                         const struct orr_input *input);

#endif
