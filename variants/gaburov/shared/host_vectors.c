/* SPDX-License-Identifier: MIT */
#include "host_vectors.h"

#include <stdlib.h>
#include <string.h>

#include "variants/common/host_bodies.h"

enum { BODY_ARRAYS = 4, PAIR_ARRAYS = 7 };

/* Zeroed arrays of at least `count` elements and the padding, from one block. */
static float *make_arrays(size_t count, int arrays, size_t *stride)
{
    const size_t padding = HOST_PADDING;

    *stride = (count + 2 * padding - 1) / padding * padding;
    float *block = aligned_alloc(HOST_ALIGNMENT, (size_t)arrays * *stride * sizeof *block);

    if (block)
        memset(block, 0, (size_t)arrays * *stride * sizeof *block);
    return block;
}

int gaburov_host_vectors_prepare(const struct orr_job *job, struct gaburov_host_vectors *v,
                                 size_t n, int pairs)
{
    size_t stride;

    v->bodies = pairs ? PAIR_ARRAYS : BODY_ARRAYS;
    v->body_memory = make_arrays(n, v->bodies, &stride);
    if (!v->body_memory)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu bodies", n);
    for (int k = 0; k < v->bodies; k++)
        v->body[k] = v->body_memory + (size_t)k * stride;
    return ORR_OK;
}

static int make_cells(const struct orr_job *job, struct gaburov_host_vectors *v, size_t count,
                      int boxes)
{
    size_t stride;

    if (count <= v->cell_room)
        return ORR_OK;
    free(v->cell_memory);
    v->cell_room = count + count / 4;
    v->cell_memory = make_arrays(v->cell_room, boxes ? 7 : 4, &stride);
    if (!v->cell_memory) {
        v->cell_room = 0;
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu cells", count);
    }
    for (size_t d = 0; d < 3; d++) {
        v->low[d] = v->cell_memory + d * stride;
        v->high[d] = boxes ? v->cell_memory + (3 + d) * stride : v->low[d];
    }
    v->reach = v->cell_memory + (boxes ? 6 : 3) * stride;
    return ORR_OK;
}

static inline void fill_cell(struct gaburov_host_vectors *v, size_t k,
                             const struct gaburov_properties *p, int boxes)
{
    for (int d = 0; d < 3; d++) {
        v->low[d][k] = boxes ? p->centre[d] - p->half[d] : p->com[d];
        if (boxes)
            v->high[d][k] = p->centre[d] + p->half[d];
    }
}

int gaburov_host_vectors_fill(const struct orr_job *job, struct gaburov_host_vectors *v,
                              const struct gaburov_octree *tree,
                              const struct gaburov_host_cells *cells, int boxes, int threads)
{
    int code = make_cells(job, v, (size_t)tree->cells, boxes);

    if (code)
        return code;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (size_t k = 0; k < (size_t)tree->cells; k++) {
            fill_cell(v, k, &tree->properties[k], boxes);
            v->reach[k] = cells->cell[k].reach;
        }
#pragma omp for schedule(static)
        for (size_t k = 0; k < tree->n; k++)
            for (size_t c = 0; c < BODY_ARRAYS; c++)
                v->body[c][k] = tree->body[4 * k + c];
        for (size_t d = 0; d < (size_t)v->bodies - BODY_ARRAYS; d++)
#pragma omp for schedule(static)
            for (size_t k = 0; k < tree->n; k++)
                v->body[BODY_ARRAYS + d][k] = tree->low[4 * k + d];
    }
    return ORR_OK;
}

void gaburov_host_vectors_release(struct gaburov_host_vectors *v)
{
    free(v->body_memory);
    free(v->cell_memory);
    *v = (struct gaburov_host_vectors){0};
}
