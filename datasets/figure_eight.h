/* Choreographies whose bodies are Plummer galaxies. */
#ifndef ORR_FIGURE_EIGHT_H
#define ORR_FIGURE_EIGHT_H

#include <math.h>

#include "datasets/plummer.h"

/* A body of a planar choreography with G = m = 1. */
struct orr_choreography {
    double pos[2], vel[2];
};

/* Turns each of `count` bodies into a galaxy of mass 1 and the given Plummer radius. Lengths are
 * multiplied by L = 10, velocities by L^-1/2, so the orbit is the same one L^1.5 times slower, and
 * the galaxies are small beside it. */
static inline void orr_figure_eight_place(struct orr_bodies *bodies,
                                          const struct orr_choreography *orbit, size_t count,
                                          double radius, uint64_t seed)
{
    const double length = 10, speed = 1 / sqrt(length);
    size_t each = bodies->n / count;
    for (size_t g = 0; g < count; g++) {
        struct orr_plummer galaxy = {
            .mass = 1,
            .depth = 1,
            .radius = radius,
            .centre = {length * orbit[g].pos[0], length * orbit[g].pos[1], 0},
            .velocity = {speed * orbit[g].vel[0], speed * orbit[g].vel[1], 0},
        };
        orr_plummer_place(bodies, g * each, each, &galaxy, seed);
    }
}

#endif
