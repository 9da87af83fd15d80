/* How far something is that may take long, on a line of a terminal that ends up empty. */
#ifndef ORR_WAITING_H
#define ORR_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct orr_waiting {
    FILE *to;     /* NULL: no terminal */
    double since; /* of the clock */
    bool shown;
};

/* Nothing is shown in the first second, and nothing at all where `to` is no terminal. */
void orr_waiting_begin(struct orr_waiting *out, FILE *to);
/* Begins with number `place` of `count`, counted from 0: "claims: shan (2 of 4)". */
void orr_waiting_at(struct orr_waiting *waiting, const char *what, const char *name, size_t place,
                    size_t count);
/* Clears the line. */
void orr_waiting_end(struct orr_waiting *waiting);

#endif
