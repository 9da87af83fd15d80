#include "run/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static int copy(double *out[3], double *const from[3], size_t n)
{
    for (int d = 0; d < 3; d++) {
        if (!(out[d] = malloc(n * sizeof *out[d])))
            return orr_fail(ORR_EMEMORY, "no memory for the trajectories of %zu bodies", n);
        memcpy(out[d], from[d], n * sizeof *out[d]);
    }
    return 0;
}

static void release(double *columns[3])
{
    for (int d = 0; d < 3; d++)
        free(columns[d]);
}

/* to += by h */
static void add(double *const to[3], double *const by[3], size_t n, double h)
{
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < n; i++)
            to[d][i] += by[d][i] * h;
}

int orr_trajectory_make(struct orr_trajectory *out, const struct orr_trajectory_of *of)
{
    const struct orr_bodies *b = of->bodies;
    double *acc[3] = {0};
    *out = (struct orr_trajectory){.n = b->n};
    int code = copy(out->pos, b->pos, b->n);
    if (!code)
        code = copy(out->vel, b->vel, b->n);
    if (!code)
        code = copy(acc, b->vel, b->n);
    if (!code) {
        const struct orr_sources sources = {
            b->n, {out->pos[0], out->pos[1], out->pos[2]}, b->mass, of->eps};
        orr_reference_accelerate(acc, &sources);
        for (int step = 0; step < of->steps; step++) {
            add(out->vel, acc, b->n, of->dt / 2);
            add(out->pos, out->vel, b->n, of->dt);
            orr_reference_accelerate(acc, &sources);
            add(out->vel, acc, b->n, of->dt / 2);
        }
    }
    release(acc);
    return code;
}

void orr_trajectory_release(struct orr_trajectory *trajectory)
{
    release(trajectory->pos);
    release(trajectory->vel);
    *trajectory = (struct orr_trajectory){0};
}

struct orr_trajectory_error orr_trajectory_compare(const struct orr_trajectory *trajectory,
                                                   const struct orr_forces *moved, int dimensions)
{
    struct orr_trajectory_error sum = {0};
    for (size_t i = 0; i < trajectory->n; i++) {
        double got2 = 0, expected2 = 0;
        for (int d = 0; d < dimensions; d++) {
            double v = moved->vel[d][i], w = trajectory->vel[d][i],
                   apart = moved->pos[d][i] - trajectory->pos[d][i];
            sum.position += apart * apart;
            sum.velocity += (v - w) * (v - w);
            got2 += v * v;
            expected2 += w * w;
        }
        sum.speed += pow(sqrt(got2) - sqrt(expected2), 2);
    }
    return sum;
}
