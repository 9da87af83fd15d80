/* SPDX-License-Identifier: MIT */
#include "plain.h"

#include "kernels/pair.h"

int fuji_plain_prepare(struct orr_job *job, struct fuji_plain *s, const struct third_law_task *task,
                       enum third_law_use use, size_t *padded)
{
    static const struct one_sided_shape by_device = {0};
    const struct one_sided_task one_sided = fuji_flow_one_sided(job);
    int code = third_law_choose(job, &s->pairs, task, &s->both);

    *padded = task->n;
    if (code)
        return code;
    if (use != THIRD_LAW_AUTO)
        s->both = use == THIRD_LAW_YES;
    return s->both ? third_law_prepare(job, &s->pairs)
                   : one_sided_prepare(job, &s->sum, &one_sided, &by_device, padded);
}

int fuji_plain_forces(struct orr_job *job, const struct fuji_plain *s)
{
    const struct fuji_flow *flow = job->state;

    return s->both ? third_law_forces(job, &s->pairs, flow->body, flow->low, flow->acc, "forces")
                   : one_sided_forces(job, &s->sum, flow->body, flow->low, flow->acc);
}

void fuji_plain_cost(const struct orr_job *job, const struct fuji_plain *s, struct orr_cost *out)
{
    const struct fuji_common *p = job->params;

    if (s->both)
        out->flops_true =
            out->interactions / 2 *
            (PAIR_BOTH_FLOPS_TRUE + (p->positions == POSITIONS_PAIRS ? PAIR_LOW_FLOPS : 0));
}

void fuji_plain_release(struct orr_job *job, struct fuji_plain *s)
{
    third_law_release(job, &s->pairs);
    one_sided_release(job, &s->sum);
}
