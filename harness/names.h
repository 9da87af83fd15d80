/* SPDX-License-Identifier: MIT */
/* Lists of names, NULL-terminated, and "did you mean". */
#ifndef ORR_NAMES_H
#define ORR_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/count.h"

struct orr_names {
    char **items;
    size_t count;
};

/* Words of a request. Those of the command line stay as long as the process does. */
struct orr_words {
    char **items;
    int count;
};

void orr_names_add(struct orr_names *names, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* With code = 0: sorts, drops repetitions and hands the list over, for orr_names_free. Otherwise
 * frees it and returns `code`. */
int orr_names_finish(struct orr_names *names, char ***out, int code);
size_t orr_names_count(char *const *names);
bool orr_names_has(char *const *names, const char *name); /* accepts NULL, as an empty list */
void orr_names_free(char **names);                        /* accepts NULL */

/* The item of that name among structs of `size` bytes, or in a list of names: each begins with the
 * pointer to its name. NULL where there is none. */
const void *orr_names_find(const char *name, const void *items, size_t count, size_t size);
/* The same in an array. */
#define orr_names_among(name, array) \
    orr_names_find((name), (array), sizeof(array) / sizeof *(array), sizeof *(array))

/* Records ORR_EUSAGE "<what> '<word>'" with the nearest name, or with all of them when none is
 * near, and returns it. `first` points at the first of `count` name pointers, `stride` bytes apart:
 * a list, or a member of structs. */
int orr_names_fail(const char *what, const char *word, const void *first, size_t count,
                   size_t stride);

/* The kinds of access as journals, formulas and tables write them: "GR", ... by enum orr_access. */
extern const char *const orr_names_access[ORR_ACCESS_KINDS];

#endif
