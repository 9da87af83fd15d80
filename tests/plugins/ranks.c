/* SPDX-License-Identifier: MIT */
/* Right forces on several ranks, whose sums are added. TEST_RANK_FAULT says what the last rank does
 * wrong: crash, hang, fail, miss (its results). */
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Only the rank's own bodies act: the sums of all ranks are added. */
static size_t own_from, own_to;
#define ACTS(b, i, j) ((j) != (i) && (j) >= own_from && (j) < own_to)
#include "sums.h"

static int has_fault(const struct orr_job *job, const char *name)
{
    const char *fault = getenv("TEST_RANK_FAULT");
    return fault && !strcmp(fault, name) &&
           orr_ranks_own(job->ranks) == orr_ranks_size(job->ranks) - 1;
}

static size_t share_of(const struct orr_job *job)
{
    return orr_ranks_share(job->ranks, job->bodies->n);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Adds all ranks' sums; each keeps those of its own bodies. */
static int reduce(struct orr_job *job)
{
    struct state *s = job->state;
    const size_t n = job->bodies->n, share = share_of(job), row = 4 * sizeof(float),
                 size = (size_t)orr_ranks_size(job->ranks);
    struct orr_buffer *from = NULL, *to = NULL;
    float *own = malloc(share * row);
    int code = own ? orr_alloc(job->device, &from, size * share * row) : ORR_EMEMORY;
    if (!code)
        code = orr_alloc(job->device, &to, share * row);
    if (!code)
        code = orr_upload(job->device, from, s->result, n * row);
    if (!code)
        code = orr_ranks_reduce(job->ranks, from, to, 4 * share);
    if (!code)
        code = orr_download(job->device, own, to, share * row);
    if (!code)
        memcpy(s->result + 4 * own_from, own, (own_to - own_from) * row);
    orr_free(job->device, from);
    orr_free(job->device, to);
    free(own);
    return code;
}

static int step(struct orr_job *job)
{
    own_from = least((size_t)orr_ranks_own(job->ranks) * share_of(job), job->bodies->n);
    own_to = least(own_from + share_of(job), job->bodies->n);
    if (has_fault(job, "crash"))
        raise(SIGSEGV);
    while (has_fault(job, "hang"))
        pause();
    if (has_fault(job, "fail"))
        return ORR_FAIL(job, ORR_EUNSUPPORTED, "this rank will not");
    int code = sums_step(job);
    return code || orr_ranks_size(job->ranks) == 1 ? code : reduce(job);
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct state *s = job->state;
    for (size_t i = own_from; i < own_to && !has_fault(job, "miss"); i++) {
        for (int k = 0; k < 3; k++)
            out->acc[k][i] = s->result[4 * i + (size_t)k];
        out->phi[i] = s->result[4 * i + 3];
    }
    return 0;
}

PLUGIN(ranks, .capabilities = ORR_RUNS_HOST | ORR_RUNS_RANKS, .step = step, .fetch = fetch);
