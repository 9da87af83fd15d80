/* SPDX-License-Identifier: MIT */
#include "gaburov.h"

#include "kernels/pair.h"

int gaburov_check(const struct orr_job *job)
{
    const struct gaburov_common *p = job->params;

    return params_check(job, (size_t)GABUROV_MAX_BODIES * (size_t)orr_ranks_size(job->ranks),
                        p->steps, p->dt);
}

void gaburov_cost(const struct orr_job *job, const struct gaburov_tree_params *tree, double nodes,
                  double leaves, struct orr_cost *out)
{
    const struct gaburov_common *p = job->params;
    const int quadrupole = tree->multipole == GABUROV_QUADRUPOLE;

    out->interactions = nodes + leaves;
    out->flops_convention = nodes * (quadrupole ? GABUROV_NODE_FLOPS : GABUROV_LEAF_FLOPS) +
                            leaves * GABUROV_LEAF_FLOPS;
    out->flops_true =
        nodes * (quadrupole ? PAIR_NODE_FLOPS_TRUE : PAIR_FLOPS_TRUE) + leaves * PAIR_FLOPS_TRUE;
    /* An evaluation reads x y z m and writes ax ay az phi. */
    out->bytes_min = (p->steps + 1.0) * (double)job->bodies->n * 8 * sizeof(float);
    orr_figure(out, "node interactions", nodes);
    orr_figure(out, "leaf interactions", leaves);
    orr_figure(out, ORR_FIGURE_NODE_PAIRS, quadrupole ? nodes : 0);
    orr_figure(out, ORR_FIGURE_BODY_PAIRS, quadrupole ? leaves : nodes + leaves);
}
