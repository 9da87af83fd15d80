/* SPDX-License-Identifier: MIT */
/* Groups of bodies that share an interaction list. */
#include "octree_parts.h"

#include <string.h>

enum {
    PART = 256
}; /* bodies whose marks a thread counts at once: a count for each fits into those of the chunks */
_Static_assert((int)PART >= (int)GABUROV_CHUNK, "one part's count in the place of one chunk's");

/* Marks where the groups begin that a cell makes. */
static void mark(const struct gaburov_octree *tree, const struct gaburov_cell *cell, int32_t ngroup,
                 uint8_t *begins)
{
    const int whole =
        cell->count <= ngroup && (cell->parent < 0 || tree->cell[cell->parent].count > ngroup);

    if (!whole && (cell->child >= 0 || cell->count <= ngroup))
        return;
    const int64_t parts = (cell->count + (int64_t)ngroup - 1) / ngroup;
    for (int64_t part = 0; part < parts; part++)
        begins[cell->first + part * cell->count / parts] = 1;
}

static uint32_t count_part(const uint8_t *begins, size_t from, size_t to)
{
    uint32_t sum = 0;

    for (size_t k = from; k < to; k++)
        sum += begins[k];
    return sum;
}

static void write_part(const struct gaburov_octree *tree, const uint8_t *begins, size_t from,
                       size_t to, uint32_t at)
{
    for (size_t k = from; k < to; k++)
        if (begins[k])
            tree->group[at++].first = (int32_t)k;
}

/* Returns the number of groups; `sums` become the numbers of groups before each part. */
static uint32_t count_groups(struct gaburov_octree *tree, int32_t ngroup, uint8_t *begins,
                             int threads)
{
    const size_t n = tree->n, parts = (n + PART - 1) / PART;
    uint32_t *sums = tree->memory->sums;

#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (size_t part = 0; part < parts; part++)
            memset(begins + part * PART, 0, part * PART + PART < n ? PART : n - part * PART);
#pragma omp for schedule(static)
        for (int32_t c = 0; c < tree->cells; c++)
            mark(tree, &tree->cell[c], ngroup, begins);
#pragma omp for schedule(static)
        for (size_t part = 0; part < parts; part++)
            sums[part] =
                count_part(begins, part * PART, part * PART + PART < n ? part * PART + PART : n);
    }
    return gaburov_octree_scan(sums, parts);
}

int gaburov_octree_gather(const struct orr_job *job, struct gaburov_octree *tree, int32_t ngroup,
                          int threads)
{
    const size_t n = tree->n, parts = (n + PART - 1) / PART;
    uint8_t *begins = (uint8_t *)tree->memory->sort.spare;

    tree->groups = 0;
    if (ngroup <= 0)
        return ORR_OK;
    const size_t groups = count_groups(tree, ngroup, begins, threads);
    void *block = gaburov_octree_reserve(tree->group, &tree->memory->group_room, 0, groups,
                                         sizeof *tree->group);
    if (!block)
        return ORR_FAIL(job, ORR_EMEMORY, "no memory for %zu groups of bodies", groups);
    tree->group = block;
    tree->groups = (int32_t)groups;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (size_t part = 0; part < parts; part++)
            write_part(tree, begins, part * PART, part * PART + PART < n ? part * PART + PART : n,
                       tree->memory->sums[part]);
#pragma omp for schedule(static)
        for (size_t k = 0; k < groups; k++)
            tree->group[k].count =
                (k + 1 < groups ? tree->group[k + 1].first : (int32_t)n) - tree->group[k].first;
    }
    return ORR_OK;
}
