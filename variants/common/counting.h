/* SPDX-License-Identifier: MIT */
/* The counting build of a variant's kernels (kernels/count.h): its totals, and count() of the
 * plugin contract. */
#ifndef COMMON_COUNTING_H
#define COMMON_COUNTING_H

#include "harness/variant.h"

enum { COUNTING_MOST_ARGUMENTS = 23, COUNTING_MOST_PROGRAMS = 4 };

/* In the variant's state, zeroed. */
struct counting {
    struct orr_buffer *totals; /* COUNT_ARGUMENT's; NULL except in the build that counts */
};

/* What takes the timed programs' place for one step. */
struct counting_build {
    const char *const *procedures; /* names, NULL behind the last; at most ORR_COUNT_PROCEDURES */
    struct orr_program **programs[COUNTING_MOST_PROGRAMS]; /* that count; NULL behind the last */
    /* Builds these programs, with the define below. */
    int (*build)(struct orr_job *job, void *of);
    void *of;
    int (*step)(struct orr_job *job);
};

/* Appends to build defines: nothing except in the build that counts. */
const char *counting_define(const struct counting *counting);
/* The same behind `defines`, of `size` characters, with COUNT_BODIES for kernels that pad n bodies.
 */
void counting_define_bodies(const struct counting *counting, size_t n, char *defines, size_t size);
/* A launch of a kernel with COUNT_ARGUMENT at its end, which is not among launch->args. */
int counting_launch(struct orr_job *job, const struct counting *counting,
                    struct orr_program *program, const struct orr_launch *launch);
/* count() of the plugin contract: one step by the counting build, behind which the timed programs
 * are where they were. */
int counting_run(struct orr_job *job, struct counting *counting, const struct counting_build *build,
                 struct orr_counts *out);

#endif
