/* SPDX-License-Identifier: MIT */
#include "host_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float reach_of(const struct gaburov_tree_params *p, const struct gaburov_properties *from,
                      int32_t count)
{
    double reach = (double)from->side / p->theta;

    if (!(p->theta > 0) || count == 1)
        return INFINITY;
    if (p->opening == GABUROV_OPENING_IMPROVED) {
        const double x = (double)from->com[0] - (double)from->centre[0];
        const double y = (double)from->com[1] - (double)from->centre[1];
        const double z = (double)from->com[2] - (double)from->centre[2];
        reach += sqrt(x * x + y * y + z * z);
    }
    return (float)reach;
}

/* 0: no memory. */
static int make_room(struct gaburov_host_cells *cells, size_t count)
{
    if (cells->cell && count <= cells->room)
        return 1;
    gaburov_host_cells_release(cells);
    cells->cell = aligned_alloc(sizeof *cells->cell, (count + count / 4) * sizeof *cells->cell);
    cells->room = cells->cell ? count + count / 4 : 0;
    return cells->cell != NULL;
}

int gaburov_host_cells_fill(const struct orr_job *job, struct gaburov_host_cells *cells,
                            const struct gaburov_octree *tree, const struct gaburov_tree_params *p,
                            int threads)
{
    if (!make_room(cells, (size_t)tree->cells))
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %d cells", tree->cells);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t k = 0; k < tree->cells; k++) {
        const struct gaburov_cell *cell = &tree->cell[k];
        const struct gaburov_properties *from = &tree->properties[k];
        struct gaburov_host_cell *to = &cells->cell[k];
        memcpy(to->com, from->com, sizeof to->com);
        to->mass = from->mass;
        memcpy(to->quad, from->quad, sizeof to->quad);
        to->reach = reach_of(p, from, cell->count);
        to->first = cell->first;
        to->count = cell->count;
        to->child = cell->child;
        to->children = cell->children;
        to->unused = 0;
    }
    return ORR_OK;
}

void gaburov_host_cells_release(struct gaburov_host_cells *cells)
{
    free(cells->cell);
    *cells = (struct gaburov_host_cells){0};
}
