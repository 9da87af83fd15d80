/* SPDX-License-Identifier: MIT */
/* Counting builds of variants of several papers, for the tests of what they count. */
#ifndef ORR_TEST_COUNTS_RUN_H
#define ORR_TEST_COUNTS_RUN_H

#include "names.h"
#include "variant_run.h"

typedef unsigned long long count_t;

/* Counts `r`: its forces are found behind that, and the next timed step counts nothing. */
static inline void count_run(struct run *r, struct orr_counts *out)
{
    orr_verify_poison_forces(&r->out, r->job.bodies->n);
    if (r->variant->upload(&r->job) || r->variant->count(&r->job, out) ||
        r->variant->fetch(&r->job, &r->out))
        fail_msg("%s: %s", r->variant->name, orr_error_text());
}

/* Of a procedure, or of all where it is NULL. */
static inline count_t counted(const struct orr_counts *counts, const char *procedure, int kind)
{
    count_t sum = 0;

    for (int p = 0; p < counts->count; p++)
        if (!procedure || !strcmp(procedure, counts->procedures[p].name))
            sum += counts->procedures[p].of[kind];
    return sum;
}

static inline void assert_counted(const struct run *r, const struct orr_counts *counts,
                                  const char *procedure, int kind, count_t expected,
                                  const char *what)
{
    const count_t got = counted(counts, procedure, kind);

    if (got != expected)
        fail_msg("%s on %s, %s, n = %zu: %s of %s is %llu, expected %llu", r->variant->name,
                 r->job.device->info.id, what, r->job.bodies->n, orr_names_access[kind],
                 procedure ? procedure : "all", got, expected);
}

#endif
