#include "datasets/dataset.h"
#include "datasets/plummer.h"
#include "datasets/rng.h"

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
    orr_plummer_centre(bodies, 0, count, (double[3]){0}, velocity);
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
    struct orr_plummer halo = {
        .mass = halo_mass, .depth = 1, .radius = scale, .stream = STREAM_HALO};
    struct orr_plummer intruder = {.mass = intruder_mass,
                                   .depth = intruder_mass,
                                   .radius = intruder_radius,
                                   .centre = {intruder_start},
                                   .stream = STREAM_INTRUDER};
    halo.velocity[0] = closing * intruder_mass / total;
    intruder.velocity[0] = -closing / total;
    place_disk(bodies, disks, halo.velocity, seed);
    orr_plummer_place(bodies, disks, halos, &halo, seed);
    orr_plummer_place(bodies, disks + halos, intruders, &intruder, seed);
}
