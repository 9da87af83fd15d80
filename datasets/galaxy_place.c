#include "datasets/galaxy_place.h"

#include <math.h>

#include "datasets/galaxy_math.h"
#include "datasets/galaxy_tables.h"
#include "datasets/rng.h"

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
    struct orr_galaxy_rung rung = orr_galaxy_rung_of(&s->ladder, open_uniform(&rng));
    double r = orr_galaxy_exp(orr_galaxy_rung_log(&s->ladder, rung));
    double sigma = sqrt(orr_galaxy_rung_value(s->maxwell2, rung));
    double escape2 = orr_galaxy_rung_value(s->escape2, rung), speed2;
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
    double ln_radius = orr_galaxy_rung_log(&model->disk.ladder, rung), r2 = radius * radius + z * z,
           r = sqrt(r2);
    double circular2 =
        orr_galaxy_curve_at(&model->disk.speed2, ln_radius) +
        orr_galaxy_spheroids_mass(model, orr_galaxy_log(r)) * radius * radius / (r2 * r);
    double slope = -radius / orr_galaxy_disk_length - 2 * radius / orr_galaxy_dispersion_length;
    double mean2 =
        circular2 + radial2 * (1 - orr_galaxy_rung_value(model->disk.ratio2, rung) + slope);
    return mean2 > 0 ? mean2 : 0;
}

static struct body disk_body(const struct orr_galaxy_model *model, struct orr_rng rng)
{
    const struct orr_galaxy_disk *disk = &model->disk;
    struct orr_galaxy_rung rung = orr_galaxy_rung_of(&disk->ladder, open_uniform(&rng));
    double radius = orr_galaxy_exp(orr_galaxy_rung_log(&disk->ladder, rung));
    double u = open_uniform(&rng), e[2], random[3]; /* z = z_d artanh(2 u - 1) */
    double z = orr_galaxy_disk_height * 0.5 * (orr_galaxy_log(u) - orr_galaxy_log(1 - u));
    double sigma =
        orr_galaxy_disk_dispersion * orr_galaxy_exp(-radius / orr_galaxy_dispersion_length);
    orr_rng_circle(&rng, e);
    normals(&rng, random);
    double outward = sigma * random[0];
    double around = sqrt(rotation2(model, rung, radius, z, sigma * sigma)) +
                    sigma * sqrt(orr_galaxy_rung_value(disk->ratio2, rung)) * random[1];
    double upward = sqrt(orr_galaxy_rung_value(disk->vertical2, rung)) * random[2];
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
