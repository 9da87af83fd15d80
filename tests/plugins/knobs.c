/* SPDX-License-Identifier: MIT */
/* Right forces whose time depends on two knobs: a step sleeps 2 ms with unroll = 4 and pad = 2,
 * which are not the defaults, and longer with other values, far longer than a busy machine disturbs
 * it by. With unroll = 16 it is quick and wrong, with 32 it crashes, with 64 it hangs, and 5 is
 * refused. With flat = yes the knobs make no difference. */
#include <signal.h>
#include <unistd.h>

#include "sums.h"

enum { BEST_UNROLL = 4, BEST_PAD = 2, WRONG = 16, CRASHES = 32, HANGS = 64, REFUSED = 5 };

/* Begins with what sums.h takes. */
struct knobs {
    struct params sums;
    int32_t unroll, pad, flat;
};

static const struct orr_param knobs[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct knobs, sums.eps), NAN, 0, 10, NULL, "softening"},
    {"unroll", ORR_PARAM_INT, offsetof(struct knobs, unroll), 1, 1, 64, NULL, "a knob"},
    {"pad", ORR_PARAM_INT, offsetof(struct knobs, pad), 0, 0, 8, NULL, "a knob"},
    {"flat", ORR_PARAM_CHOICE, offsetof(struct knobs, flat), 0, 0, 0, "no|yes",
     "the knobs change nothing"},
};

static int prepare(struct orr_job *job)
{
    const struct knobs *p = job->params;
    return p->unroll == REFUSED ? ORR_FAIL(job, ORR_EUSAGE, "unroll = 5 is no power of two")
                                : sums_prepare(job);
}

static int step(struct orr_job *job)
{
    static const long milliseconds[] = {2, 6, 18}; /* with so many knobs off their best */
    const struct knobs *p = job->params;
    const struct state *s = job->state;
    const int off = (p->unroll != BEST_UNROLL) + (p->pad != BEST_PAD);

    if (p->unroll == CRASHES)
        raise(SIGSEGV);
    for (; p->unroll == HANGS;)
        pause();
    for (size_t i = 0; i < job->bodies->n; i++)
        sums_one(job->bodies, &p->sums, i, s->result + 4 * i);
    if (p->unroll == WRONG)
        s->result[0] *= 1.5f;
    else
        nanosleep(&(struct timespec){.tv_nsec = p->flat ? 2000000 : milliseconds[off] * 1000000},
                  NULL);
    return 0;
}

PLUGIN(knobs, .params = knobs, .param_count = sizeof knobs / sizeof *knobs,
       .params_size = sizeof(struct knobs), .prepare = prepare, .step = step);
