/* Choreographies whose bodies are Plummer galaxies. */
#include <math.h>

#include "datasets/dataset.h"
#include "datasets/plummer.h"

/* A body of a planar choreography with G = m = 1. */
struct choreography {
    double pos[2], vel[2];
};

/* Turns each of `count` bodies into a galaxy of mass 1 and the given Plummer radius. Lengths are
 * multiplied by L = 10, velocities by L^-1/2, so the orbit is the same one L^1.5 times slower, and
 * the galaxies are small beside it. */
static void place_galaxies(struct orr_bodies *bodies, const struct choreography *orbit,
                           size_t count, double radius, uint64_t seed)
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

/* Chenciner & Montgomery's three-body figure eight, from the collinear state;
 * period 6.3259139829262116775890. */
static const double vx = 0.3471168881189269382427769, vy = 0.5327249453880302292620280;

void orr_dataset_figure_eight_3(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;

    const struct choreography orbit[] = {
        {{-1, 0}, {vx, vy}},
        {{1, 0}, {vx, vy}},
        {{0, 0}, {-2 * vx, -2 * vy}},
    };
    place_galaxies(bodies, orbit, 3, 1, seed);
}

/* Gerver's four-body "super-eight"; period 2 pi. */
static const double x = 1.3828568436184188124899, y = 0.1570299222812202996010;
static const double u = 1.8719352458786758388359, v = 0.5848726308148750872527;

void orr_dataset_figure_eight_4(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;

    const struct choreography orbit[] = {
        {{x, 0}, {0, v}},
        {{0, y}, {u, 0}},
        {{-x, 0}, {0, -v}},
        {{0, -y}, {-u, 0}},
    };
    place_galaxies(bodies, orbit, 4, 0.5, seed);
}
