/* SPDX-License-Identifier: MIT */
/* Galaxies of Plummer spheres in equilibrium: one, two choreographies of them, and a collision. */
#include <math.h>

#include "datasets/dataset.h"
#include "datasets/rng.h"

struct plummer {
    double mass;   /* of all bodies together; they have equal masses */
    double radius; /* Plummer's scale length a: density ~ (1 + r^2/a^2)^-5/2 */
    double depth; /* mass that makes the potential the velocities belong to; = mass when isolated */
    double centre[3];   /* centre of mass */
    double velocity[3]; /* of the centre of mass */
    uint32_t stream;    /* random stream (rng.h) */
};

static const double kept_mass = 0.99; /* the rest lies beyond 12.2 scale lengths */

/* Cube root of x in [0, 1) by Newton's iteration: only + - * /, so the same bits everywhere. x is
 * first scaled by powers of 8 (exact) into [1/8, 1), where six steps from the chord reach the last
 * digit. */
static double cube_root(double x)
{
    if (x <= 0)
        return 0;
    double scale = 1;
    while (x < 0.125) {
        x *= 8;
        scale *= 0.5;
    }
    double root = 0.4286 + 0.5714 * x; /* the chord through (1/8, 1/2) and (1, 1) */
    for (int k = 0; k < 6; k++)
        root = (2 * root + x / (root * root)) / 3;
    return root * scale;
}

/* Speed over escape speed, distributed as q^2 (1 - q^2)^3.5: rejection under a bound of 0.1, the
 * maximum is 0.0922. */
static double relative_speed(struct orr_rng *rng)
{
    for (;;) {
        double q = orr_rng_uniform(rng);
        double left = 1 - q * q;
        double density = q * q * (left * left * left * sqrt(left));
        if (0.1 * orr_rng_uniform(rng) < density)
            return q;
    }
}

/* One body of the model with scale length 1 and G M = 1 (Aarseth, Henon & Wielen 1974). */
static void place_one(struct orr_bodies *bodies, size_t i, const struct plummer *model,
                      struct orr_rng rng)
{
    /* M(<r) = r^3 / (1 + r^2)^1.5 solved for r, with c the cube root of the mass fraction. */
    double c = cube_root(kept_mass * orr_rng_uniform(&rng));
    double radius = c / sqrt(1 - c * c);
    double escape = sqrt(2 / sqrt(1 + radius * radius));
    double direction[3];
    orr_rng_sphere(&rng, direction);
    for (int k = 0; k < 3; k++)
        bodies->pos[k][i] = model->radius * radius * direction[k];
    double speed = relative_speed(&rng) * escape * sqrt(model->depth / model->radius);
    orr_rng_sphere(&rng, direction);
    for (int k = 0; k < 3; k++)
        bodies->vel[k][i] = speed * direction[k];
}

/* In one order, so that the sum is the same for every number of threads. */
static void shift_mean(double *values, size_t count, double wanted)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    double shift = wanted - sum / (double)count;
    for (size_t i = 0; i < count; i++)
        values[i] += shift;
}

/* Moves bodies so that their centre of mass and its velocity are as given (all with equal masses).
 */
static void centre_galaxy(struct orr_bodies *bodies, size_t first, size_t count,
                          const double centre[3], const double velocity[3])
{
    if (!count)
        return;
#pragma omp parallel for schedule(dynamic) if (count > ORR_BODIES_MANY)
    for (int k = 0; k < 6; k++)
        if (k < 3)
            shift_mean(bodies->pos[k] + first, count, centre[k]);
        else
            shift_mean(bodies->vel[k - 3] + first, count, velocity[k - 3]);
}

/* Places bodies first ... first + count - 1. Truncated at 0.99 of the mass (12.2 a); velocities are
 * isotropic and exactly those of the model's distribution function; the sample's own centre of mass
 * and mean velocity are taken off.
 */
static void place_galaxy(struct orr_bodies *bodies, size_t first, size_t count,
                         const struct plummer *model, uint64_t seed)
{
#pragma omp parallel for schedule(static) if (count > ORR_BODIES_MANY)
    for (size_t i = first; i < first + count; i++) {
        bodies->mass[i] = model->mass / (double)count;
        place_one(bodies, i, model, orr_rng_make(seed, model->stream, i));
    }
    centre_galaxy(bodies, first, count, model->centre, model->velocity);
}

void orr_dataset_plummer(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;
    /* Virial units: G = M = 1 and E = -1/4 give a = 3 pi / 16. */
    place_galaxy(
        bodies, 0, bodies->n,
        &(struct plummer){.mass = 1, .depth = 1, .radius = 3 * 3.14159265358979323846 / 16}, seed);
}

/* --- choreographies --- */

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
        struct plummer galaxy = {
            .mass = 1,
            .depth = 1,
            .radius = radius,
            .centre = {length * orbit[g].pos[0], length * orbit[g].pos[1], 0},
            .velocity = {speed * orbit[g].vel[0], speed * orbit[g].vel[1], 0},
        };
        place_galaxy(bodies, g * each, each, &galaxy, seed);
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

/* --- a collision --- */

/* A head-on collision in the manner of Lynds & Toomre (1976): a compact intruder falls through a
 * cool disk along its axis (x), and the disk answers with an expanding ring: the intruder is
 * through after 80 steps, and the ring stands at radius 0.3 after 120, 0.65 after 200 with spokes
 * inside, 0.9 after 280. The paper gives neither masses nor profiles; these are chosen so that
 * everything is in closed form with square roots only. A Kuzmin disk (surface density ~ (R^2 +
 * a^2)^-1.5) and a Plummer halo of one scale length a have the same rotation curve in the disk's
 * plane, v^2 = M R^2 / s^3, kappa^2 = M (R^2 + 4 a^2) / s^5, s^2 = R^2 + a^2, M = M_disk + M_halo =
 * 1 (G = 1). */
static const double pi = 3.14159265358979323846;
static const double scale = 0.3; /* a */
static const double edge = 5;    /* the disk ends at this many a */
static const double disk_mass = 0.3;
static const double halo_mass = 0.7;
static const double thickness = 0.02; /* standard deviation of height, in a */
static const double toomre_q = 1.2;   /* 1 is the edge of stability against rings of its own */
static const double intruder_mass = 1.0 / 3;
static const double intruder_radius = 0.1;
static const double intruder_start = 1.0; /* on the axis, at +x; it moves to -x */

enum { STREAM_DISK, STREAM_HALO, STREAM_INTRUDER };

/* Squares of the circular velocity, of the epicyclic frequency and of the velocity dispersions at
 * one radius. */
struct orbit {
    double circular2, kappa2, radial2, vertical2, azimuthal2;
    double drift2; /* mean rotation squared: the circular less what the dispersion carries
                      (asymmetric drift) */
};

static struct orbit orbit_at(double radius)
{
    double r2 = radius * radius, a2 = scale * scale, s2 = r2 + a2, s3 = s2 * sqrt(s2);
    double surface = disk_mass * scale / (2 * pi * s3);
    struct orbit o = {.circular2 = r2 / s3, .kappa2 = (r2 + 4 * a2) / (s2 * s3)};
    double sigma =
        toomre_q * 3.36 * surface / sqrt(o.kappa2); /* Toomre's Q = sigma kappa / (3.36 G Sigma) */
    o.radial2 = sigma * sigma;
    /* Epicycles: sigma_phi / sigma_R = kappa / (2 Omega), Omega^2 = 1 / s^3. */
    o.azimuthal2 = o.radial2 * o.kappa2 * s3 / 4;
    /* Jeans: with Sigma sigma_R^2 ~ s^-4 / (R^2 + 4 a^2) the pressure's logarithmic slope is in
     * closed form. */
    double slope = -4 * r2 / s2 - 2 * r2 / (r2 + 4 * a2);
    o.drift2 = o.circular2 + o.radial2 * (1 + slope) - o.azimuthal2;
    /* A thin self-gravitating sheet inside the halo. */
    double height = thickness * scale;
    o.vertical2 = 1.1 * pi * surface * height + height * height * halo_mass / s3;
    return o;
}

static void place_disk_body(struct orr_bodies *bodies, size_t i, struct orr_rng rng)
{
    /* Kuzmin: M(<R) / M = 1 - a / s, cut at the edge. */
    double kept = 1 - 1 / sqrt(1 + edge * edge);
    double ratio = 1 / (1 - kept * orr_rng_uniform(&rng));
    double radius = scale * sqrt(ratio * ratio - 1);
    struct orbit o = orbit_at(radius);
    double e[2];
    orr_rng_circle(&rng, e);
    bodies->pos[0][i] = thickness * scale * orr_rng_normal(&rng);
    bodies->pos[1][i] = radius * e[0];
    bodies->pos[2][i] = radius * e[1];
    double radial = sqrt(o.radial2) * orr_rng_normal(&rng);
    double around = sqrt(o.drift2 > 0 ? o.drift2 : 0) + sqrt(o.azimuthal2) * orr_rng_normal(&rng);
    bodies->vel[0][i] = sqrt(o.vertical2) * orr_rng_normal(&rng);
    bodies->vel[1][i] = radial * e[0] - around * e[1];
    bodies->vel[2][i] = radial * e[1] + around * e[0];
}

static void place_disk(struct orr_bodies *bodies, size_t count, const double velocity[3],
                       uint64_t seed)
{
#pragma omp parallel for schedule(static) if (count > ORR_BODIES_MANY)
    for (size_t i = 0; i < count; i++) {
        bodies->mass[i] = disk_mass / (double)count;
        place_disk_body(bodies, i, orr_rng_make(seed, STREAM_DISK, i));
    }
    centre_galaxy(bodies, 0, count, (double[3]){0}, velocity);
}

/* Disk first (2/3 of the bodies), then halo (1/4), then intruder (1/12); each has at least one. */
void orr_dataset_cartwheel(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;
    size_t intruders = bodies->n < 12 ? 1 : bodies->n / 12;
    size_t halos = bodies->n < 4 ? 1 : bodies->n / 4;
    size_t disks = bodies->n - halos - intruders;
    /* Closing at the escape speed of two centres with softened potential, shared so that the whole
     * is at rest. */
    double total = 1 + intruder_mass;
    double closing = sqrt(2 * total / sqrt(intruder_start * intruder_start + scale * scale));
    struct plummer halo = {.mass = halo_mass, .depth = 1, .radius = scale, .stream = STREAM_HALO};
    struct plummer intruder = {.mass = intruder_mass,
                               .depth = intruder_mass,
                               .radius = intruder_radius,
                               .centre = {intruder_start},
                               .stream = STREAM_INTRUDER};
    halo.velocity[0] = closing * intruder_mass / total;
    intruder.velocity[0] = -closing / total;
    place_disk(bodies, disks, halo.velocity, seed);
    place_galaxy(bodies, disks, halos, &halo, seed);
    place_galaxy(bodies, disks + halos, intruders, &intruder, seed);
}
