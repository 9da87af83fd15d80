/* A table in parts, one below the other, where a terminal is too narrow for all of its columns.
 * Each part begins with the columns that name the rows, as far as they fit, and what stands below
 * one head stays together. */
#ifndef ORR_FOLD_H
#define ORR_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "present/document.h"

struct orr_fold {
    const struct orr_grid *grid;
    const int *rooms; /* characters that each column of the grid takes */
    size_t screen;    /* characters of a line */
    size_t *columns;  /* those that are seen, which changes; from `from` to `shown` is the part */
    size_t count, names, taken, from, shown;
    bool numbered; /* rows begin with their number, since not all their names fit */
    bool named;    /* a part had the names */
};

/* Characters of a row's number. */
enum { ORR_FOLD_NUMBER = 3 };

/* `columns` has room for all columns of the grid; it and `rooms` stay the caller's. */
void orr_fold_begin(struct orr_fold *fold, const struct orr_grid *grid, const int *rooms,
                    size_t *columns, size_t screen);
/* The next part; false when there is none left. */
bool orr_fold_next(struct orr_fold *fold);

#endif
