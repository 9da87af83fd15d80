/* SPDX-License-Identifier: MIT */
#include "datasets/galaxy.h"

#include <math.h>

#include "datasets/dataset.h"
#include "datasets/galaxy_math.h"
#include "datasets/galaxy_tables.h"
#include "datasets/rng.h"

/* --- curves --- */

static double secant(const struct orr_galaxy_curve *c, int k)
{
    return (c->y[k + 1] - c->y[k]) / (c->x[k + 1] - c->x[k]);
}

/* Between two secants: 0 where they differ in sign, else their weighted harmonic mean, which keeps
 * the cubic monotone.
 */
static double slope_between(const struct orr_galaxy_curve *c, int k)
{
    double before = secant(c, k - 1), after = secant(c, k);
    double left = c->x[k] - c->x[k - 1], right = c->x[k + 1] - c->x[k];
    if (before * after <= 0)
        return 0;
    return 3 * (left + right) / ((2 * right + left) / before + (right + 2 * left) / after);
}

/* 3 <= count <= ORR_GALAXY_POINTS points by growing r. Before the first point the curve goes on as
 * the power law of the first two; behind the last one as that of the last two, or with `flat_end`
 * it arrives there level and stays so. */
static void curve_make(struct orr_galaxy_curve *curve, const double (*points)[2], int count,
                       int flat_end)
{
    curve->count = count;
    for (int k = 0; k < count; k++) {
        curve->x[k] = orr_galaxy_log(points[k][0]);
        curve->y[k] = orr_galaxy_log(points[k][1]);
    }
    curve->slope[0] = secant(curve, 0);
    curve->slope[count - 1] = flat_end ? 0 : secant(curve, count - 2);
    for (int k = 1; k < count - 1; k++)
        curve->slope[k] = slope_between(curve, k);
}

/* Last point at or before x that has one behind it. */
static int interval_of(const struct orr_galaxy_curve *c, double x)
{
    int low = 0, high = c->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (c->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ln value at ln r = x; *slope receives d ln value / d ln r. */
static double curve_log(const struct orr_galaxy_curve *c, double x, double *slope)
{
    int last = c->count - 1;
    if (x <= c->x[0] || x >= c->x[last]) {
        int end = x <= c->x[0] ? 0 : last;
        *slope = c->slope[end];
        return c->y[end] + *slope * (x - c->x[end]);
    }
    /* Hermite's cubic: the secant and what the two slopes differ from it. */
    int k = interval_of(c, x);
    double h = c->x[k + 1] - c->x[k], t = (x - c->x[k]) / h, s = secant(c, k);
    double from = c->slope[k] - s, to = c->slope[k + 1] - s;
    *slope = s + from * (1 - t) * (1 - 3 * t) + to * t * (3 * t - 2);
    return c->y[k] + s * h * t + h * t * (1 - t) * (from * (1 - t) - to * t);
}

/* The value at ln r = x. */
static double curve_at(const struct orr_galaxy_curve *curve, double x)
{
    double slope;
    return orr_galaxy_exp(curve_log(curve, x, &slope));
}

/* --- the model --- */

const double orr_galaxy_mass[ORR_GALAXY_COMPONENTS] = {5.1066, 15.145, 242.13};

enum { LAST = ORR_GALAXY_NODES - 1, HEIGHTS = 64 };
static const double innermost =
    1e-4; /* kpc; four in a million of the bulge's bodies are nearer to the centre */

static double node_log(const struct orr_galaxy_ladder *ladder, int node)
{
    return ladder->first + node * ladder->step;
}

static void span(struct orr_galaxy_ladder *ladder, double end)
{
    ladder->first = orr_galaxy_log(innermost);
    ladder->step = (orr_galaxy_log(end) - ladder->first) / LAST;
}

/* Where the fraction `inside`, in (0, 1), of the mass lies inside. */
static struct orr_galaxy_rung rung_of(const struct orr_galaxy_ladder *ladder, double inside)
{
    double wanted = orr_galaxy_log(inside);
    int low = 0, high = LAST;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (ladder->ln_fraction[middle] <= wanted)
            low = middle;
        else
            high = middle;
    }
    double from = ladder->ln_fraction[low], to = ladder->ln_fraction[low + 1];
    return (struct orr_galaxy_rung){low, (wanted - from) / (to - from)};
}

/* ln r there. */
static double rung_log(const struct orr_galaxy_ladder *ladder, struct orr_galaxy_rung rung)
{
    return ladder->first + (rung.node + rung.part) * ladder->step;
}

/* A column of node values there, between its nodes linear; inside of node 0 that of node 0. */
static double rung_value(const double column[ORR_GALAXY_NODES], struct orr_galaxy_rung rung)
{
    double part = rung.part < 0 ? 0 : rung.part;
    return column[rung.node] + part * (column[rung.node + 1] - column[rung.node]);
}

/* Mass of both spheroids inside ln r. */
static double spheroids_mass(const struct orr_galaxy_model *model, double ln_r)
{
    return curve_at(&model->bulge.mass, ln_r) + curve_at(&model->halo.mass, ln_r);
}

/* Fraction of the disk's mass at each node inside R, by Simpson's rule over ln R from node to node.
 */
static double disk_density(double ln_radius)
{
    double radius = orr_galaxy_exp(ln_radius);
    double from_end = (radius - orr_galaxy_disk_end) / orr_galaxy_disk_end_width;
    return radius * radius * orr_galaxy_exp(-radius / orr_galaxy_disk_length) *
           orr_galaxy_erfc(from_end / 1.4142135623730951);
}

static void fill_disk_ladder(struct orr_galaxy_ladder *ladder)
{
    double inside[ORR_GALAXY_NODES];
    span(ladder,
         orr_galaxy_disk_end + 6 * orr_galaxy_disk_end_width); /* 1e-14 of the mass lies beyond */
    inside[0] = disk_density(ladder->first) / 2;               /* the density is even inside */
    for (int k = 1; k <= LAST; k++) {
        double x = node_log(ladder, k), h = ladder->step;
        inside[k] = inside[k - 1] +
                    (disk_density(x - h) + 4 * disk_density(x - h / 2) + disk_density(x)) * h / 6;
    }
    for (int k = 0; k <= LAST; k++)
        ladder->ln_fraction[k] = orr_galaxy_log(inside[k] / inside[LAST]);
}

/* The disk's rings between two nodes: their masses, and the squares of the radii in the middle. */
struct rings {
    double mass[ORR_GALAXY_NODES], middle2[ORR_GALAXY_NODES];
};

static void make_rings(struct rings *rings, const struct orr_galaxy_ladder *ladder)
{
    double before = 0;
    for (int k = 0; k <= LAST; k++) {
        double inside = orr_galaxy_mass[ORR_GALAXY_DISK] * orr_galaxy_exp(ladder->ln_fraction[k]);
        rings->mass[k] = inside - before;
        rings->middle2[k] = orr_galaxy_exp(2 * node_log(ladder, k) - ladder->step);
        before = inside;
    }
}

/* Mass of all three components inside the sphere of radius r: of a ring what lies between the
 * heights -+ sqrt(r^2 - R^2). */
static double mass_inside(const struct orr_galaxy_model *model, const struct rings *rings,
                          double ln_r)
{
    double sum = spheroids_mass(model, ln_r), r2 = orr_galaxy_exp(2 * ln_r);
    for (int k = 0; k <= LAST && rings->middle2[k] < r2; k++) {
        double height = sqrt(r2 - rings->middle2[k]) / orr_galaxy_disk_height;
        sum += height < 20 ? rings->mass[k] * orr_galaxy_tanh(height) : rings->mass[k];
    }
    return sum;
}

/* Scaled to masses. */
static void make_spheroid_mass(struct orr_galaxy_curve *curve, const double (*fractions)[2],
                               int count, double mass)
{
    double points[ORR_GALAXY_POINTS][2];
    for (int k = 0; k < count; k++) {
        points[k][0] = fractions[k][0];
        points[k][1] = mass * fractions[k][1];
    }
    curve_make(curve, (const double(*)[2])points, count, 1);
}

static void fill_spheroid_ladder(struct orr_galaxy_spheroid *s, double end)
{
    double slope;
    span(&s->ladder, end);
    double ln_all = curve_log(&s->mass, node_log(&s->ladder, LAST), &slope);
    for (int k = 0; k < LAST; k++)
        s->ladder.ln_fraction[k] = curve_log(&s->mass, node_log(&s->ladder, k), &slope) - ln_all;
    s->ladder.ln_fraction[LAST] = 0;
}

/* Isotropic Jeans: density sigma^2 = integral from r outwards of density M(r) / r^2 dr, M of all
 * three components, the disk as if spread over spheres. The density is in units that cancel.
 * Trapezoids over ln r. */
static void fill_dispersion(struct orr_galaxy_spheroid *s, const struct orr_galaxy_model *model,
                            const struct rings *rings)
{
    double pressure = 0, beyond = 0;
    for (int k = LAST; k >= 0; k--) {
        double x = node_log(&s->ladder, k), r = orr_galaxy_exp(x), slope;
        double inside = orr_galaxy_exp(curve_log(&s->mass, x, &slope));
        double density = slope * inside / (r * r * r);
        double term = density * mass_inside(model, rings, x) / r;
        if (k < LAST)
            pressure += s->ladder.step * (term + beyond) / 2;
        beyond = term;
        s->dispersion2[k] = density > 0 ? pressure / density : 0;
    }
}

/* 2 (M(r) / r + integral of dM / r from r outwards) with the same masses: the integral goes over
 * the ladder of the halo, the largest of the three. */
static void fill_escape(struct orr_galaxy_model *model, const struct rings *rings)
{
    const struct orr_galaxy_ladder *ladder = &model->halo.ladder;
    double outer = 0, mass_beyond = 0, r_beyond = 0;
    for (int k = LAST; k >= 0; k--) {
        double x = node_log(ladder, k), r = orr_galaxy_exp(x);
        double all = mass_inside(model, rings, x);
        if (k < LAST)
            outer += (mass_beyond - all) * 2 / (r + r_beyond);
        mass_beyond = all;
        r_beyond = r;
        model->halo.escape2[k] = 2 * (all / r + outer);
    }
    for (int k = 0; k <= LAST; k++) {
        double at = (node_log(&model->bulge.ladder, k) - ladder->first) / ladder->step;
        int node = at < LAST - 1 ? (int)at : LAST - 1;
        model->bulge.escape2[k] =
            rung_value(model->halo.escape2, (struct orr_galaxy_rung){node, at - node});
    }
}

/* Mean v^2 / 3 s^2 of a Maxwellian of dispersion s that is cut at w s. */
static double kept_by_cut(double w)
{
    double edge = 0.7978845608028654 * w * orr_galaxy_exp(-w * w / 2);
    return 1 - edge * w * w / 3 / (1 - orr_galaxy_erfc(w / 1.4142135623730951) - edge);
}

static void fill_maxwell(struct orr_galaxy_spheroid *s)
{
    for (int k = 0; k <= LAST; k++) {
        double wide2 = s->dispersion2[k];
        for (int turn = 0; turn < 20 && wide2 > 0;
             turn++) /* the cut is beyond 3 s: a few turns do */
            wide2 = s->dispersion2[k] / kept_by_cut(sqrt(s->escape2[k] / wide2));
        s->maxwell2[k] = wide2;
    }
}

/* Mean of z K_z over the heights at R, K_z being the pull of the spheroids: what sigma_z^2 needs
 * against them. */
static double spheroids_pull(const struct orr_galaxy_model *model, double radius)
{
    double sum = 0, weights = 0;
    for (int k = 0; k < HEIGHTS; k++) {
        double z = 8 * orr_galaxy_disk_height * (k + 0.5) / HEIGHTS,
               t = orr_galaxy_tanh(z / orr_galaxy_disk_height);
        double weight = 1 - t * t, r2 = radius * radius + z * z, r = sqrt(r2);
        sum += weight * z * z * spheroids_mass(model, orr_galaxy_log(r)) / (r2 * r);
        weights += weight;
    }
    return sum / weights;
}

/* The disk's own share of sigma_z^2 is that of an infinite sheet of its surface density, pi G Sigma
 * z_d. */
static void fill_disk_dispersions(struct orr_galaxy_model *model)
{
    struct orr_galaxy_disk *disk = &model->disk;
    double within =
        0; /* integral of disk_density up to the end, which makes densities of its values */
    for (int k = 1; k <= LAST; k++)
        within += disk->ladder.step * disk_density(node_log(&disk->ladder, k));
    for (int k = 0; k <= LAST; k++) {
        double x = node_log(&disk->ladder, k), radius = orr_galaxy_exp(x), own, bulge, halo;
        double surface = orr_galaxy_mass[ORR_GALAXY_DISK] * disk_density(x) /
                         (within * 2 * ORR_GALAXY_PI * radius * radius);
        disk->vertical2[k] =
            ORR_GALAXY_PI * surface * orr_galaxy_disk_height + spheroids_pull(model, radius);
        /* kappa^2 / Omega^2 = 2 + d ln v^2 / d ln R, v^2 the sum of three. */
        double own2 = orr_galaxy_exp(curve_log(&disk->speed2, x, &own));
        double bulge2 = orr_galaxy_exp(curve_log(&model->bulge.mass, x, &bulge)) / radius;
        double halo2 = orr_galaxy_exp(curve_log(&model->halo.mass, x, &halo)) / radius;
        double slope =
            (own2 * own + bulge2 * (bulge - 1) + halo2 * (halo - 1)) / (own2 + bulge2 + halo2);
        disk->ratio2[k] = (2 + slope) / 4;
    }
}

#define POINTS(table) table, (int)(sizeof table / sizeof *table)

void orr_galaxy_model_make(struct orr_galaxy_model *model)
{
    struct rings rings;
    make_spheroid_mass(&model->bulge.mass, POINTS(orr_galaxy_bulge_points),
                       orr_galaxy_mass[ORR_GALAXY_BULGE]);
    make_spheroid_mass(&model->halo.mass, POINTS(orr_galaxy_halo_points),
                       orr_galaxy_mass[ORR_GALAXY_HALO]);
    curve_make(&model->disk.speed2, POINTS(orr_galaxy_disk_speed2), 0);
    fill_spheroid_ladder(&model->bulge, 3.07);
    fill_spheroid_ladder(&model->halo, 148.1);
    fill_disk_ladder(&model->disk.ladder);
    make_rings(&rings, &model->disk.ladder);
    fill_dispersion(&model->bulge, model, &rings);
    fill_dispersion(&model->halo, model, &rings);
    fill_escape(model, &rings);
    fill_maxwell(&model->bulge);
    fill_maxwell(&model->halo);
    fill_disk_dispersions(model);
}

/* --- bodies --- */

/* One body in the galaxy's own frame. */
struct body {
    double x[3], v[3];
};

void orr_galaxy_split(size_t count[ORR_GALAXY_COMPONENTS], size_t n,
                      enum orr_galaxy_reading reading)
{
    static const double ratio[ORR_GALAXY_COMPONENTS] = {1, 1, 4};
    double share[ORR_GALAXY_COMPONENTS], all = 0;
    size_t used = 0;
    for (int c = 0; c < ORR_GALAXY_COMPONENTS; c++) {
        share[c] = reading == ORR_GALAXY_NUMBERS ? ratio[c] : orr_galaxy_mass[c] / ratio[c];
        all += share[c];
    }
    for (int c = 0; c < ORR_GALAXY_HALO; c++) {
        count[c] = (size_t)((double)n * (share[c] / all) + 0.5);
        count[c] = count[c] ? count[c] : 1;
        used += count[c];
    }
    count[ORR_GALAXY_HALO] = n - used;
}

/* In (0, 1): an end of the interval has no logarithm, or no finite height. */
static double open_uniform(struct orr_rng *rng)
{
    return orr_rng_uniform(rng) + 0x1p-54;
}

/* Three numbers of mean 0 and variance 1, normally distributed (Marsaglia's polar method, a pair at
 * a time). */
static void normals(struct orr_rng *rng, double out[3])
{
    for (int k = 0; k < 3; k += 2) {
        double u, v, s;
        do {
            u = orr_rng_between(rng, -1, 1);
            v = orr_rng_between(rng, -1, 1);
            s = u * u + v * v;
        } while (s >= 1 || s <= 0);
        double scale = sqrt(-2 * orr_galaxy_log(s) / s);
        out[k] = u * scale;
        if (k < 2)
            out[k + 1] = v * scale;
    }
}

static struct body spheroid_body(const struct orr_galaxy_spheroid *s, struct orr_rng rng)
{
    struct body b;
    struct orr_galaxy_rung rung = rung_of(&s->ladder, open_uniform(&rng));
    double r = orr_galaxy_exp(rung_log(&s->ladder, rung));
    double sigma = sqrt(rung_value(s->maxwell2, rung));
    double escape2 = rung_value(s->escape2, rung), speed2;
    orr_rng_sphere(&rng, b.x);
    for (int k = 0; k < 3; k++)
        b.x[k] *= r;
    do { /* those that would leave are drawn again */
        normals(&rng, b.v);
        speed2 = 0;
        for (int k = 0; k < 3; k++) {
            b.v[k] *= sigma;
            speed2 += b.v[k] * b.v[k];
        }
    } while (speed2 >= escape2);
    return b;
}

/* Mean speed of rotation at distance R from the axis and height z, squared: Jeans' equation with
 * sigma_R^2 alike at all heights. The disk's own pull is that in its plane. Surface density and
 * sigma_R^2 both fall as e^(-R / R_d); the cut at the disk's end comes where sigma_R is nothing. */
static double rotation2(const struct orr_galaxy_model *model, struct orr_galaxy_rung rung,
                        double radius, double z, double radial2)
{
    double ln_radius = rung_log(&model->disk.ladder, rung), r2 = radius * radius + z * z,
           r = sqrt(r2);
    double circular2 = curve_at(&model->disk.speed2, ln_radius) +
                       spheroids_mass(model, orr_galaxy_log(r)) * radius * radius / (r2 * r);
    double slope = -radius / orr_galaxy_disk_length - 2 * radius / orr_galaxy_dispersion_length;
    double mean2 = circular2 + radial2 * (1 - rung_value(model->disk.ratio2, rung) + slope);
    return mean2 > 0 ? mean2 : 0;
}

static struct body disk_body(const struct orr_galaxy_model *model, struct orr_rng rng)
{
    const struct orr_galaxy_disk *disk = &model->disk;
    struct orr_galaxy_rung rung = rung_of(&disk->ladder, open_uniform(&rng));
    double radius = orr_galaxy_exp(rung_log(&disk->ladder, rung));
    double u = open_uniform(&rng), e[2], random[3]; /* z = z_d artanh(2 u - 1) */
    double z = orr_galaxy_disk_height * 0.5 * (orr_galaxy_log(u) - orr_galaxy_log(1 - u));
    double sigma =
        orr_galaxy_disk_dispersion * orr_galaxy_exp(-radius / orr_galaxy_dispersion_length);
    orr_rng_circle(&rng, e);
    normals(&rng, random);
    double outward = sigma * random[0];
    double around = sqrt(rotation2(model, rung, radius, z, sigma * sigma)) +
                    sigma * sqrt(rung_value(disk->ratio2, rung)) * random[1];
    double upward = sqrt(rung_value(disk->vertical2, rung)) * random[2];
    return (struct body){{radius * e[0], radius * e[1], z},
                         {outward * e[0] - around * e[1], outward * e[1] + around * e[0], upward}};
}

static void put(struct orr_bodies *bodies, size_t i, const struct body *b,
                const struct orr_galaxy_stand *stand)
{
    for (int k = 0; k < 3; k++) {
        const double *e[3] = {stand->axis[0], stand->axis[1], stand->axis[2]};
        bodies->pos[k][i] =
            stand->centre[k] + (b->x[0] * e[0][k] + b->x[1] * e[1][k] + b->x[2] * e[2][k]);
        bodies->vel[k][i] = b->v[0] * e[0][k] + b->v[1] * e[1][k] + b->v[2] * e[2][k];
    }
}

/* A body's place does not depend on the others, so threads may share the work. */
static void place_component(struct orr_bodies *bodies, size_t first, size_t count,
                            enum orr_galaxy_component component,
                            const struct orr_galaxy_model *model,
                            const struct orr_galaxy_stand *stand, uint64_t seed)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        struct orr_rng rng = orr_rng_make(seed, stand->stream + (uint32_t)component, i);
        struct body b = component == ORR_GALAXY_DISK    ? disk_body(model, rng)
                        : component == ORR_GALAXY_BULGE ? spheroid_body(&model->bulge, rng)
                                                        : spheroid_body(&model->halo, rng);
        bodies->mass[first + i] = orr_galaxy_mass[component] / (double)count;
        put(bodies, first + i, &b, stand);
    }
}

/* In one order, so that the sums are the same for every number of threads. */
static void set_mean_velocity(struct orr_bodies *bodies, size_t first, size_t count,
                              const double wanted[3])
{
#pragma omp parallel for schedule(static) if (count > ORR_BODIES_MANY)
    for (int k = 0; k < 3; k++) {
        double momentum = 0, mass = 0, *v = bodies->vel[k] + first;
        for (size_t i = 0; i < count; i++) {
            momentum += bodies->mass[first + i] * v[i];
            mass += bodies->mass[first + i];
        }
        double shift = wanted[k] - momentum / mass;
        for (size_t i = 0; i < count; i++)
            v[i] += shift;
    }
}

void orr_galaxy_place(struct orr_bodies *bodies, size_t first,
                      const size_t count[ORR_GALAXY_COMPONENTS],
                      const struct orr_galaxy_model *model, const struct orr_galaxy_stand *stand,
                      uint64_t seed)
{
    size_t at = first;
    for (int c = 0; c < ORR_GALAXY_COMPONENTS; c++) {
        place_component(bodies, at, count[c], (enum orr_galaxy_component)c, model, stand, seed);
        at += count[c];
    }
    set_mean_velocity(bodies, first, at - first, stand->velocity);
}

/* --- data sets --- */

/* Density and velocities are those of galaxy_tables.h, made anew: the published tables are all that
 * is left of the paper's bodies. Its disk lies in the plane z = 0 and turns from x to y. */
static void make_milky_way(struct orr_bodies *bodies, enum orr_galaxy_reading reading,
                           uint64_t seed)
{
    static const struct orr_galaxy_stand upright = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    struct orr_galaxy_model model;
    size_t count[ORR_GALAXY_COMPONENTS];
    orr_galaxy_model_make(&model);
    orr_galaxy_split(count, bodies->n, reading);
    orr_galaxy_place(bodies, 0, count, &model, &upright, seed);
}

/* One galaxy under two names: all but the reading is the same. */
void orr_dataset_milky_way(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;
    make_milky_way(bodies, ORR_GALAXY_MASSES, seed);
}

void orr_dataset_milky_way_numbers(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;
    make_milky_way(bodies, ORR_GALAXY_NUMBERS, seed);
}

/* The paper says "a realistic galaxy merger simulation with 8 10^5 particles" and no more. Here two
 * galaxies of milky-way, one body in it four times as heavy in the halo as elsewhere, approach each
 * other on the parabola that point masses of theirs would follow, in the plane z = 0: 100 kpc
 * apart, to pass at 10 kpc about 17 units of time (1100 steps) later. Their halos overlap by then,
 * which takes energy from the orbit, so that they merge. The first disk is tilted against the
 * orbit's plane by the angle with cosine 0.8, the second one by that with cosine -0.6: it turns
 * against the orbit. */
static const double separation = 100; /* kpc */
static const double pericentre = 10;

enum { STREAM_FIRST = 0, STREAM_SECOND = ORR_GALAXY_COMPONENTS };

void orr_dataset_merger(struct orr_bodies *bodies, int level, uint64_t seed)
{
    (void)level;
    struct orr_galaxy_stand stand[2] = {
        {.axis = {{1, 0, 0}, {0, 0.8, 0.6}, {0, -0.6, 0.8}}, .stream = STREAM_FIRST},
        {.axis = {{-0.6, 0, -0.8}, {0, 1, 0}, {0.8, 0, -0.6}}, .stream = STREAM_SECOND},
    };
    double mass = 0;
    for (int c = 0; c < ORR_GALAXY_COMPONENTS; c++)
        mass += 2 * orr_galaxy_mass[c];
    /* Energy 0, and the angular momentum sqrt(2 M q) of pericentre q: of the relative velocity. */
    double across = sqrt(2 * mass * pericentre) / separation;
    double approach = sqrt(2 * mass / separation - across * across);
    struct orr_galaxy_model model;
    size_t count[ORR_GALAXY_COMPONENTS];
    orr_galaxy_model_make(&model);
    orr_galaxy_split(count, bodies->n / 2, ORR_GALAXY_MASSES);
    for (int g = 0; g < 2; g++) {
        double side = g ? 0.5 : -0.5;
        stand[g].centre[0] = side * separation;
        stand[g].velocity[0] = -side * approach;
        stand[g].velocity[1] = side * across;
        orr_galaxy_place(bodies, (size_t)g * (bodies->n / 2), count, &model, &stand[g], seed);
    }
}
