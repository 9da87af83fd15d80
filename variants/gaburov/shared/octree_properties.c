/* SPDX-License-Identifier: MIT */
/* Properties of cells and groups: tight boxes, centres of mass, quadrupoles. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "octree_parts.h"

/* xx yy zz xy xz yz */
enum { SECONDS = 6 };
static const int axis_a[SECONDS] = {0, 1, 2, 0, 0, 1}, axis_b[SECONDS] = {0, 1, 2, 1, 2, 2};

/* Coordinate d of a body; low: of a pair of floats the low parts, else NULL. */
static inline double coordinate(const float *body, const float *low, int d)
{
    return low ? (double)body[d] + (double)low[d] : (double)body[d];
}

static inline const float *next(const float *low)
{
    return low ? low + 4 : NULL;
}

/* Box, mass and centre of mass of `count` bodies; of massless ones the box's centre. */
static void sum_bodies(struct gaburov_moments *m, const float *body, const float *low,
                       int32_t count)
{
    *m = (struct gaburov_moments){.low = {body[0], body[1], body[2]},
                                  .high = {body[0], body[1], body[2]}};
    for (int32_t k = 0; k < count; k++, body += 4, low = next(low)) {
        m->mass += (double)body[3];
        for (int d = 0; d < 3; d++) {
            m->low[d] = body[d] < m->low[d] ? body[d] : m->low[d];
            m->high[d] = body[d] > m->high[d] ? body[d] : m->high[d];
            m->com[d] += (double)body[3] * coordinate(body, low, d);
        }
    }
}

/* Sums m x become the centre of mass. */
static void divide_by_mass(struct gaburov_moments *m)
{
    for (int d = 0; d < 3; d++)
        m->com[d] =
            m->mass > 0 ? m->com[d] / m->mass : 0.5 * ((double)m->low[d] + (double)m->high[d]);
}

/* Adds what mass at x has about the centre of mass. */
static inline void add_second(struct gaburov_moments *m, double mass, double x, double y, double z)
{
    const double dx = x - m->com[0], dy = y - m->com[1], dz = z - m->com[2];

    m->second[0] += mass * dx * dx;
    m->second[1] += mass * dy * dy;
    m->second[2] += mass * dz * dz;
    m->second[3] += mass * dx * dy;
    m->second[4] += mass * dx * dz;
    m->second[5] += mass * dy * dz;
}

static void sum_leaf(struct gaburov_moments *m, const float *body, const float *low, int32_t count)
{
    sum_bodies(m, body, low, count);
    divide_by_mass(m);
    for (int32_t k = 0; k < count; k++, body += 4, low = next(low))
        add_second(m, (double)body[3], coordinate(body, low, 0), coordinate(body, low, 1),
                   coordinate(body, low, 2));
}

static void sum_children(struct gaburov_moments *m, const struct gaburov_moments *child,
                         int children)
{
    *m = (struct gaburov_moments){0};
    memcpy(m->low, child->low, sizeof m->low);
    memcpy(m->high, child->high, sizeof m->high);
    for (int k = 0; k < children; k++) {
        m->mass += child[k].mass;
        for (int d = 0; d < 3; d++) {
            m->low[d] = child[k].low[d] < m->low[d] ? child[k].low[d] : m->low[d];
            m->high[d] = child[k].high[d] > m->high[d] ? child[k].high[d] : m->high[d];
            m->com[d] += child[k].mass * child[k].com[d];
        }
    }
    divide_by_mass(m);
    for (int k = 0; k < children; k++) {
        for (int ab = 0; ab < SECONDS; ab++)
            m->second[ab] += child[k].second[ab];
        add_second(m, child[k].mass, child[k].com[0], child[k].com[1], child[k].com[2]);
    }
}

/* The box as centre and half-edges, these rounded up until no body lies outside. Differences of two
 * floats as near in size as these are exact in double precision. */
static void box_of(const struct gaburov_moments *m, float centre[3], float half[3])
{
    for (int d = 0; d < 3; d++) {
        const double low = m->low[d], high = m->high[d];
        const float c = (float)(0.5 * (low + high));
        float h = (float)fmax(high - (double)c, (double)c - low);
        while ((double)c - (double)h > low || (double)c + (double)h < high)
            h = nextafterf(h, INFINITY);
        centre[d] = c;
        half[d] = h;
    }
}

/* Q_ab = 3 S_ab - delta_ab (S_xx + S_yy + S_zz). A moment that no float holds is left out: the cell
 * acts by its mass.
 */
static void quadrupole_of(const struct gaburov_moments *m, float quad[SECONDS])
{
    const double trace = m->second[0] + m->second[1] + m->second[2];
    const int fits = 3 * trace <= (double)FLT_MAX;

    for (int ab = 0; ab < SECONDS; ab++)
        quad[ab] = fits ? (float)(3 * m->second[ab] - (axis_a[ab] == axis_b[ab] ? trace : 0)) : 0;
}

static void write_properties(struct gaburov_properties *p, const struct gaburov_moments *m)
{
    box_of(m, p->centre, p->half);
    p->side = 2 * fmaxf(p->half[0], fmaxf(p->half[1], p->half[2]));
    for (int d = 0; d < 3; d++)
        p->com[d] = (float)m->com[d];
    p->mass = (float)m->mass;
    quadrupole_of(m, p->quad);
}

static void summarize_cell(struct gaburov_octree *tree, int level, int32_t c)
{
    const struct gaburov_cell *cell = &tree->cell[c];
    struct gaburov_moments *m = &tree->memory->moments[level % 2][c - tree->level_first[level]];

    if (cell->child < 0)
        sum_leaf(m, tree->body + 4 * (size_t)cell->first,
                 tree->low ? tree->low + 4 * (size_t)cell->first : NULL, cell->count);
    else
        sum_children(
            m, &tree->memory->moments[(level + 1) % 2][cell->child - tree->level_first[level + 1]],
            cell->children);
    write_properties(&tree->properties[c], m);
    for (int d = 0; d < 4 && tree->low; d++)
        tree->com_low[4 * (size_t)c + (size_t)d] =
            d < 3 ? (float)(m->com[d] - (double)tree->properties[c].com[d]) : 0;
}

static void summarize_group(struct gaburov_group *group, const float *body)
{
    struct gaburov_moments m;

    sum_bodies(&m, body + 4 * (size_t)group->first, NULL, group->count);
    divide_by_mass(&m);
    box_of(&m, group->centre, group->half);
    for (int d = 0; d < 3; d++)
        group->com[d] = (float)m.com[d];
}

static void summarize_on(struct gaburov_octree *tree, int threads)
{
    for (int level = tree->levels - 1; level >= 0; level--) {
        const int32_t from = tree->level_first[level], to = tree->level_first[level + 1];
#pragma omp parallel for schedule(static, GABUROV_CHUNK) \
    num_threads(to - from > GABUROV_CHUNK ? threads : 1)
        for (int32_t c = from; c < to; c++)
            summarize_cell(tree, level, c);
    }
#pragma omp parallel for schedule(static, GABUROV_CHUNK) num_threads(threads)
    for (int32_t k = 0; k < tree->groups; k++)
        summarize_group(&tree->group[k], tree->body);
}

void gaburov_octree_summarize(struct gaburov_octree *tree, int threads)
{
    summarize_on(tree, gaburov_octree_threads(tree->n, threads));
}
