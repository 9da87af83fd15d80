/* SPDX-License-Identifier: MIT */
/* Kernels are compiled ahead of the first cell, in several processes, where a GPU's kernel cache
 * knows them not yet. */
#ifndef ORR_COMPILE_AHEAD_H
#define ORR_COMPILE_AHEAD_H

#include <jansson.h>
#include <signal.h>
#include <stddef.h>

#include "plan/cell.h"

struct orr_compile_ahead {
    const char *program;   /* that `__referee` is started from */
    const sigset_t *mask;  /* of these processes */
    const json_t *devices; /* as the run record has them; NULL: nothing is compiled */
    int signals;           /* signalfd of those that interrupt; -1: none. They stay in it */
    void (*remark)(void *context, const char *text); /* before it begins; may be NULL */
    void *context;
};

/* Returns when all processes have ended, so that nothing runs beside what is timed next. What goes
 * wrong in them costs the head start only. */
void orr_compile_ahead(const struct orr_compile_ahead *how, const struct orr_cell *const *cells,
                       size_t count);

#endif
