/* SPDX-License-Identifier: MIT */
#include "counting.h"

#include <stdio.h>
#include <string.h>

enum { TOTALS = ORR_COUNT_PROCEDURES * ORR_ACCESS_KINDS };

const char *counting_define(const struct counting *counting)
{
    return counting->totals ? " -DORRERY_COUNT=1" : "";
}

void counting_define_bodies(const struct counting *counting, size_t n, char *defines, size_t size)
{
    const size_t length = strlen(defines);

    if (counting->totals)
        snprintf(defines + length, size - length, "%s -DCOUNT_BODIES=%zu",
                 counting_define(counting), n);
}

int counting_launch(struct orr_job *job, const struct counting *counting,
                    struct orr_program *program, const struct orr_launch *launch)
{
    struct orr_arg args[COUNTING_MOST_ARGUMENTS + 1];
    struct orr_launch counted = *launch;

    if (!counting->totals)
        return orr_launch(job->device, program, launch);
    if (launch->arg_count > COUNTING_MOST_ARGUMENTS)
        return ORR_FAIL(job, ORR_EINTERNAL, "%s: too many arguments to count", launch->kernel);
    memcpy(args, launch->args, (size_t)launch->arg_count * sizeof *args);
    args[counted.arg_count++] = ORR_BUF(counting->totals);
    counted.args = args;
    return orr_launch(job->device, program, &counted);
}

/* Low and high words of each count, procedure by procedure. */
static int read_totals(struct orr_job *job, const struct counting *counting,
                       const char *const *procedures, struct orr_counts *out)
{
    uint32_t words[TOTALS][2];
    int code = orr_download(job->device, words, counting->totals, sizeof words);

    *out = (struct orr_counts){0};
    for (int p = 0; !code && p < ORR_COUNT_PROCEDURES && procedures[p]; p++) {
        out->procedures[p].name = procedures[p];
        out->count = p + 1;
        for (int k = 0; k < ORR_ACCESS_KINDS; k++) {
            const uint32_t *const total = words[p * ORR_ACCESS_KINDS + k];

            out->procedures[p].of[k] = total[0] | (uint64_t)total[1] << 32;
        }
    }
    return code;
}

int counting_run(struct orr_job *job, struct counting *counting, const struct counting_build *build,
                 struct orr_counts *out)
{
    struct orr_program *timed[COUNTING_MOST_PROGRAMS] = {NULL};
    struct orr_program **const *const programs = build->programs;
    const size_t bytes = sizeof(uint32_t[TOTALS][2]);
    int code;

    for (int k = 0; k < COUNTING_MOST_PROGRAMS && programs[k]; k++) {
        timed[k] = *programs[k];
        *programs[k] = NULL;
    }
    if (!(code = orr_alloc(job->device, &counting->totals, bytes)) &&
        !(code = orr_fill(job->device, counting->totals, 0, bytes)) &&
        !(code = build->build(job, build->of)) && !(code = build->step(job)))
        code = read_totals(job, counting, build->procedures, out);
    for (int k = 0; k < COUNTING_MOST_PROGRAMS && programs[k]; k++) {
        orr_drop(job->device, *programs[k]);
        *programs[k] = timed[k];
    }
    orr_free(job->device, counting->totals);
    counting->totals = NULL;
    return code;
}
