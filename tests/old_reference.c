/* SPDX-License-Identifier: MIT */
/* The program as it once was, for e2e_eval_true.sh, which must catch it: `eval` takes the reference
 * of bodies that were moved to the middle of their box and rounded to floats, and lends these. */
#include "referee/cell_run.h"

/* Floats stay as they are. Kept: one evaluation a process. */
static const struct orr_bodies *old_bodies(const struct orr_bodies *given)
{
    static struct orr_bodies old;
    bool rounds = false;
    for (int k = 0; k < ORR_COLUMNS; k++)
        for (size_t i = 0; i < given->n; i++)
            rounds |=
                (double)(float)orr_bodies_column(given, k)[i] != orr_bodies_column(given, k)[i];
    if (!rounds || old.n)
        return rounds ? &old : given;
    if (orr_bodies_make(&old, given->n, given->dimensions))
        return NULL;
    for (int k = 0; k < ORR_COLUMNS; k++) {
        const double *from = orr_bodies_column(given, k);
        double *to = orr_bodies_column(&old, k), low = from[0], high = from[0];
        for (size_t i = 0; i < given->n; i++) {
            low = from[i] < low ? from[i] : low;
            high = from[i] > high ? from[i] : high;
        }
        for (size_t i = 0; i < given->n; i++)
            to[i] = (double)(float)(from[i] - (k < 3 ? (low + high) / 2 : 0));
    }
    return &old;
}
#define orr_cell_run_reference(out, run, of) orr_cell_run_reference(out, run, old_bodies(of))
#define orr_cell_run_share_bodies(run) \
    ((run)->bodies = old_bodies((run)->bodies), orr_cell_run_share_bodies(run))
#include "referee/referee_eval.c"

#include "main.c"
