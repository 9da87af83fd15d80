/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "octree.h"
#include "octree_parts.h"

enum { ALIGNMENT = 64 };

int gaburov_octree_prepare(const struct orr_job *job, struct gaburov_octree *tree, size_t n)
{
    const size_t bytes = (n * 4 * sizeof *tree->body + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    memset(tree, 0, sizeof *tree);
    tree->n = n;
    tree->order = malloc(n * sizeof *tree->order);
    tree->body = aligned_alloc(ALIGNMENT, bytes);
    tree->memory = calloc(1, sizeof *tree->memory);
    if (tree->memory)
        tree->memory->sums = malloc((n / GABUROV_CHUNK + 1) * sizeof *tree->memory->sums);
    if (!tree->order || !tree->body || !tree->memory || !tree->memory->sums)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for an octree of %zu bodies", n);
    return host_sort_prepare(job, &tree->memory->sort, n, 1);
}

int gaburov_octree_prepare_low(const struct orr_job *job, struct gaburov_octree *tree)
{
    tree->low = calloc(tree->n, 4 * sizeof *tree->low);
    return tree->low ? ORR_OK
                     : ORR_FAIL(job, ORR_EMEMORY, "no memory for an octree of %zu bodies", tree->n);
}

void *gaburov_octree_reserve(void *block, size_t *room, size_t kept, size_t count, size_t size)
{
    if (block && count <= *room)
        return block;
    void *larger = malloc((count + count / 4) * size);
    if (!larger)
        return NULL;
    if (block)
        memcpy(larger, block, kept * size);
    free(block);
    *room = count + count / 4;
    return larger;
}

/* The smallest cube whose lower corner is at the bodies' minima; returns its edge. Adding 0 leaves
 * one zero, whichever of the two any thread met first. */
static double bound(struct gaburov_octree *tree, float *const pos[3], int threads)
{
    const float *x = pos[0], *y = pos[1], *z = pos[2];
    float x0 = x[0], x1 = x[0], y0 = y[0], y1 = y[0], z0 = z[0], z1 = z[0];

#pragma omp parallel for num_threads(threads) reduction(min                         \
                                                        : x0, y0, z0) reduction(max \
                                                                                : x1, y1, z1)
    for (size_t i = 0; i < tree->n; i++) {
        x0 = x[i] < x0 ? x[i] : x0;
        x1 = x[i] > x1 ? x[i] : x1;
        y0 = y[i] < y0 ? y[i] : y0;
        y1 = y[i] > y1 ? y[i] : y1;
        z0 = z[i] < z0 ? z[i] : z0;
        z1 = z[i] > z1 ? z[i] : z1;
    }
    const double edge =
        fmax((double)x1 - (double)x0, fmax((double)y1 - (double)y0, (double)z1 - (double)z0));
    tree->corner[0] = x0 + 0.0f;
    tree->corner[1] = y0 + 0.0f;
    tree->corner[2] = z0 + 0.0f;
    tree->edge = (float)fmin(edge, (double)FLT_MAX);
    return edge;
}

/* Every third bit from the lowest on: the lowest 21 bits of x. */
static inline uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

/* The number of the cell of the last level along one axis. A body at the cube's upper face belongs
 * to the last one. */
static inline uint64_t row(float x, double corner, double scale)
{
    const double most = (1 << GABUROV_LEVELS) - 1, at = ((double)x - corner) * scale;

    return (uint64_t)(at < most ? at : most);
}

/* Rounding keeps the order along an axis, and cells follow from the keys alone: no body is in a
 * cell beside its own. */
static void make_keys(struct gaburov_octree *tree, float *const pos[3], double edge, int threads)
{
    const double scale = edge > 0 ? (1 << GABUROV_LEVELS) / edge : 0;
    const double x = tree->corner[0], y = tree->corner[1], z = tree->corner[2];
    struct host_place *places = tree->memory->sort.places;

#pragma omp parallel for schedule(static) num_threads(threads)
    for (size_t i = 0; i < tree->n; i++)
        places[i] = (struct host_place){.key = spread(row(pos[0][i], x, scale)) |
                                               spread(row(pos[1][i], y, scale)) << 1 |
                                               spread(row(pos[2][i], z, scale)) << 2,
                                        .body = (uint32_t)i};
}

/* Bodies by their keys, and cells of these. */
static int sort_and_divide(const struct orr_job *job, struct gaburov_octree *tree,
                           float *const pos[3], double edge, int32_t nleaf, int shares)
{
    struct host_sort *sort = &tree->memory->sort;
    int code = host_sort_prepare(job, sort, tree->n, shares);

    if (code)
        return code;
    make_keys(tree, pos, edge, shares);
    host_sort_run(sort, tree->n, shares);
#pragma omp parallel for schedule(static) num_threads(shares)
    for (size_t k = 0; k < tree->n; k++)
        tree->order[k] = sort->places[k].body;
    return gaburov_octree_divide(job, tree, nleaf, shares);
}

int gaburov_octree_build(const struct orr_job *job, struct gaburov_octree *tree,
                         enum gaburov_build how, float *const pos[3], int32_t nleaf, int32_t ngroup,
                         int threads)
{
    const int shares = gaburov_octree_threads(tree->n, threads);
    const double edge = bound(tree, pos, shares);
    int code = how == GABUROV_RECURSIVE ? gaburov_octree_insert(job, tree, pos, edge, nleaf)
                                        : sort_and_divide(job, tree, pos, edge, nleaf, shares);

    return code ? code : gaburov_octree_gather(job, tree, ngroup, shares);
}

struct row {
    float x[4]; /* x y z mass */
};
_Static_assert(sizeof(struct row) <= sizeof(struct host_place),
               "a body's row fits where the sort had its key");

/* First the four arrays become rows, in what the sort left behind: then a body is one access far
 * away, not four. */
void gaburov_octree_reorder(struct gaburov_octree *tree, float *const pos[3], const float *mass,
                            float *const low[3], int threads)
{
    const uint32_t *order = tree->order;
    const size_t n = tree->n;
    struct row *row = (struct row *)tree->memory->sort.spare, *body = (struct row *)tree->body;

#pragma omp parallel num_threads(gaburov_octree_threads(n, threads))
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++)
            row[i] = (struct row){{pos[0][i], pos[1][i], pos[2][i], mass[i]}};
#pragma omp for schedule(static)
        for (size_t k = 0; k < n; k++)
            body[k] = row[order[k]];
        for (size_t d = 0; d < 3 && tree->low; d++)
#pragma omp for schedule(static)
            for (size_t k = 0; k < n; k++)
                tree->low[4 * k + d] = low[d][order[k]];
    }
}

void gaburov_octree_release(struct gaburov_octree *tree)
{
    if (tree->memory) {
        host_sort_release(&tree->memory->sort);
        free(tree->memory->sums);
        free(tree->memory->branch);
        free(tree->memory->moments[0]);
        free(tree->memory->moments[1]);
    }
    free(tree->memory);
    free(tree->order);
    free(tree->body);
    free(tree->low);
    free(tree->com_low);
    free(tree->cell);
    free(tree->properties);
    free(tree->group);
    memset(tree, 0, sizeof *tree);
}
