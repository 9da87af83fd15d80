#include "datasets/galaxy_model.h"

#include <math.h>

#include "datasets/galaxy_math.h"
#include "datasets/galaxy_tables.h"

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

struct orr_galaxy_rung orr_galaxy_rung_of(const struct orr_galaxy_ladder *ladder, double inside)
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

double orr_galaxy_rung_log(const struct orr_galaxy_ladder *ladder, struct orr_galaxy_rung rung)
{
    return ladder->first + (rung.node + rung.part) * ladder->step;
}

double orr_galaxy_rung_value(const double column[ORR_GALAXY_NODES], struct orr_galaxy_rung rung)
{
    double part = rung.part < 0 ? 0 : rung.part;
    return column[rung.node] + part * (column[rung.node + 1] - column[rung.node]);
}

double orr_galaxy_spheroids_mass(const struct orr_galaxy_model *model, double ln_r)
{
    return orr_galaxy_curve_at(&model->bulge.mass, ln_r) +
           orr_galaxy_curve_at(&model->halo.mass, ln_r);
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
    double sum = orr_galaxy_spheroids_mass(model, ln_r), r2 = orr_galaxy_exp(2 * ln_r);
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
    orr_galaxy_curve_make(curve, (const double(*)[2])points, count, 1);
}

static void fill_spheroid_ladder(struct orr_galaxy_spheroid *s, double end)
{
    double slope;
    span(&s->ladder, end);
    double ln_all = orr_galaxy_curve_log(&s->mass, node_log(&s->ladder, LAST), &slope);
    for (int k = 0; k < LAST; k++)
        s->ladder.ln_fraction[k] =
            orr_galaxy_curve_log(&s->mass, node_log(&s->ladder, k), &slope) - ln_all;
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
        double inside = orr_galaxy_exp(orr_galaxy_curve_log(&s->mass, x, &slope));
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
            orr_galaxy_rung_value(model->halo.escape2, (struct orr_galaxy_rung){node, at - node});
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
        sum += weight * z * z * orr_galaxy_spheroids_mass(model, orr_galaxy_log(r)) / (r2 * r);
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
        double own2 = orr_galaxy_exp(orr_galaxy_curve_log(&disk->speed2, x, &own));
        double bulge2 =
            orr_galaxy_exp(orr_galaxy_curve_log(&model->bulge.mass, x, &bulge)) / radius;
        double halo2 = orr_galaxy_exp(orr_galaxy_curve_log(&model->halo.mass, x, &halo)) / radius;
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
    orr_galaxy_curve_make(&model->disk.speed2, POINTS(orr_galaxy_disk_speed2), 0);
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
