#include "run/reference.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "measure/stats.h"

struct sums {
    double x, y, z, phi, scale;
};

/* Sources [from, to) on the point (x, y, z). Fujiwara & Nakasato 2009, eq. 1. */
static inline __attribute__((always_inline)) void add_range(struct sums *sum,
                                                            const struct orr_sources *s, double x,
                                                            double y, double z, size_t from,
                                                            size_t to)
{
    const double *restrict px = s->pos[0], *restrict py = s->pos[1], *restrict pz = s->pos[2],
                           *restrict m = s->mass;
    double ax = 0, ay = 0, az = 0, phi = 0, scale = 0, eps2 = s->eps * s->eps;
#pragma omp simd reduction(+ : ax, ay, az, phi, scale)
    for (size_t j = from; j < to; j++) {
        double dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
        double d2 = dx * dx + dy * dy + dz * dz;
        double inverse = 1 / sqrt(d2 + eps2);
        double potential = m[j] * inverse, force = potential * inverse * inverse;
        ax += force * dx;
        ay += force * dy;
        az += force * dz;
        phi -= potential;
        scale += force * sqrt(d2);
    }
    sum->x += ax;
    sum->y += ay;
    sum->z += az;
    sum->phi += phi;
    sum->scale += scale;
}

static inline __attribute__((always_inline)) double pair_energy(const struct orr_sources *s,
                                                                size_t i)
{
    const double *restrict px = s->pos[0], *restrict py = s->pos[1], *restrict pz = s->pos[2],
                           *restrict m = s->mass;
    double x = px[i], y = py[i], z = pz[i], sum = 0, eps2 = s->eps * s->eps;
#pragma omp simd reduction(+ : sum)
    for (size_t j = i + 1; j < s->n; j++) {
        double dx = px[j] - x, dy = py[j] - y, dz = pz[j] - z;
        sum += m[j] / sqrt(dx * dx + dy * dy + dz * dz + eps2);
    }
    return -m[i] * sum;
}

/* The same loop for three instruction sets; the widest that this CPU has is taken. */
#define FOR_TARGET(suffix, attribute)                                                              \
    attribute static void add_range_##suffix(struct sums *sum, const struct orr_sources *s,        \
                                             double x, double y, double z, size_t from, size_t to) \
    {                                                                                              \
        add_range(sum, s, x, y, z, from, to);                                                      \
    }                                                                                              \
    attribute static double pair_energy_##suffix(const struct orr_sources *s, size_t i)            \
    {                                                                                              \
        return pair_energy(s, i);                                                                  \
    }
FOR_TARGET(base, )
#if defined(__x86_64__)
FOR_TARGET(avx2, __attribute__((target("avx2"))))
#if defined(__clang__) /* which only lints this file, and does not know the second word */
FOR_TARGET(avx512, __attribute__((target("avx512f"))))
#else
FOR_TARGET(avx512, __attribute__((target("avx512f,prefer-vector-width=512"))))
#endif
#endif

struct kernels {
    void (*add_range)(struct sums *, const struct orr_sources *, double, double, double, size_t,
                      size_t);
    double (*pair_energy)(const struct orr_sources *, size_t);
};

static struct kernels widest(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return (struct kernels){add_range_avx512, pair_energy_avx512};
    if (__builtin_cpu_supports("avx2"))
        return (struct kernels){add_range_avx2, pair_energy_avx2};
#endif
    return (struct kernels){add_range_base, pair_energy_base};
}

void orr_reference_release(struct orr_reference *reference)
{
    free(reference->targets);
    for (int d = 0; d < 3; d++)
        free(reference->acc[d]);
    free(reference->phi);
    free(reference->scale);
    *reference = (struct orr_reference){0};
}

static int allocate(struct orr_reference *out, size_t count)
{
    *out = (struct orr_reference){.count = count, .targets = malloc(count * sizeof *out->targets)};
    double **arrays[] = {&out->acc[0], &out->acc[1], &out->acc[2], &out->phi, &out->scale};
    int complete = out->targets != NULL;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        complete &= (*arrays[k] = calloc(count, sizeof(double))) != NULL;
    return complete ? 0
                    : orr_fail(ORR_EMEMORY, "no memory for the reference of %zu targets", count);
}

static size_t target_count(size_t n, const struct orr_targets *targets)
{
    size_t wanted = targets->count ? targets->count : ORR_REFERENCE_TARGETS;
    return (n <= ORR_REFERENCE_ALL && !targets->few) || wanted > n ? n : wanted;
}

/* The place of the first of `count` ascending numbers that is not below `wanted`. */
static size_t place_of(const size_t *ascending, size_t count, size_t wanted)
{
    size_t place = 0;
    while (place < count && ascending[place] < wanted)
        place++;
    return place;
}

/* A few distinct of many, ascending, without a look at all. */
static void choose_few(struct orr_reference *out, size_t n, uint64_t seed)
{
    for (size_t chosen = 0; chosen < out->count;) {
        size_t target = orr_stats_random_below(&seed, n);
        size_t place = place_of(out->targets, chosen, target);
        if (place < chosen && out->targets[place] == target)
            continue;
        memmove(out->targets + place + 1, out->targets + place,
                (chosen++ - place) * sizeof *out->targets);
        out->targets[place] = target;
    }
}

/* Knuth's selection sampling: `count` distinct of n, ascending, each subset equally likely. */
static void choose_targets(struct orr_reference *out, size_t n, uint64_t seed)
{
    size_t chosen = 0;
    for (size_t k = 0; chosen < out->count; k++)
        if (out->count == n || orr_stats_random_below(&seed, n - k) < out->count - chosen)
            out->targets[chosen++] = k;
}

/* Adds the range's action on the source at `self`, itself left out. */
static void add_others(struct sums *sum, const struct kernels *run, const struct orr_sources *s,
                       size_t self, struct orr_range range)
{
    double x = s->pos[0][self], y = s->pos[1][self], z = s->pos[2][self];
    bool inside = self >= range.from && self < range.to;
    run->add_range(sum, s, x, y, z, range.from, inside ? self : range.to);
    if (inside)
        run->add_range(sum, s, x, y, z, self + 1, range.to);
}

/* Targets that pass over the sources together: a block of sources stays in a core's cache. */
enum { TOGETHER = 16, BLOCK = 4096 };
struct group {
    int count;
    struct {
        size_t self;
        struct orr_range ranges[ORR_REFERENCE_RANGES];
        int range_count;
        struct sums sum;
    } of[TOGETHER];
};

static struct orr_range overlap(struct orr_range range, size_t from, size_t to)
{
    return (struct orr_range){range.from > from ? range.from : from, range.to < to ? range.to : to};
}

static void add_all(struct group *group, const struct kernels *run,
                    const struct orr_sources *sources)
{
    for (size_t from = 0; from < sources->n; from += BLOCK)
        for (int k = 0; k < group->count; k++)
            for (int r = 0; r < group->of[k].range_count; r++) {
                struct orr_range part = overlap(group->of[k].ranges[r], from, from + BLOCK);
                if (part.from < part.to)
                    add_others(&group->of[k].sum, run, sources, group->of[k].self, part);
            }
}

/* Up to TOGETHER targets from `first` on. */
static void sum_group(struct orr_reference *out, const struct kernels *run,
                      const struct orr_sources *sources, orr_reference_acting *acting,
                      const void *context, size_t first)
{
    struct group group = {0};
    for (size_t k = first; k < out->count && group.count < TOGETHER; k++, group.count++) {
        group.of[group.count].self = out->targets[k];
        group.of[group.count].range_count =
            acting(context, &group.of[group.count].self, group.of[group.count].ranges);
    }
    add_all(&group, run, sources);
    for (int k = 0; k < group.count; k++) {
        const struct sums *sum = &group.of[k].sum;
        out->acc[0][first + (size_t)k] = sum->x;
        out->acc[1][first + (size_t)k] = sum->y;
        out->acc[2][first + (size_t)k] = sum->z;
        out->phi[first + (size_t)k] = sum->phi;
        out->scale[first + (size_t)k] = sum->scale;
    }
}

int orr_reference_choose(struct orr_reference *out, size_t n, const struct orr_targets *targets)
{
    int code = allocate(out, target_count(n, targets));
    if (code)
        return code;
    if (targets->few)
        choose_few(out, n, targets->seed);
    else
        choose_targets(out, n, targets->seed);
    return 0;
}

void orr_reference_add(struct orr_reference *out, size_t k, const struct orr_bodies *bodies,
                       double eps, const size_t *numbers, size_t count)
{
    const struct orr_sources sources = {
        bodies->n, {bodies->pos[0], bodies->pos[1], bodies->pos[2]}, bodies->mass, eps};
    size_t self = out->targets[k];
    struct sums sum = {0};
    for (size_t j = 0; j < count; j++)
        add_range(&sum, &sources, bodies->pos[0][self], bodies->pos[1][self], bodies->pos[2][self],
                  numbers[j], numbers[j] + 1);
    out->acc[0][k] += sum.x;
    out->acc[1][k] += sum.y;
    out->acc[2][k] += sum.z;
    out->phi[k] += sum.phi;
    out->scale[k] += sum.scale;
}

int orr_reference_sum(struct orr_reference *out, const struct orr_sources *sources,
                      orr_reference_acting *acting, const void *context,
                      const struct orr_targets *targets)
{
    int code = orr_reference_choose(out, sources->n, targets);
    if (code)
        return code;
    struct kernels run = widest();
#pragma omp parallel for schedule(dynamic) if (out->count > TOGETHER)
    for (size_t first = 0; first < out->count; first += TOGETHER)
        sum_group(out, &run, sources, acting, context, first);
    return 0;
}

/* Every body acts on every other. */
static int all_act(const void *context, size_t *body, struct orr_range out[ORR_REFERENCE_RANGES])
{
    const struct orr_sources *sources = context;
    (void)body; /* the sources are in the order of the bodies */
    out[0] = (struct orr_range){0, sources->n};
    return 1;
}

int orr_reference_make(struct orr_reference *out, const struct orr_sources *sources,
                       const struct orr_targets *targets)
{
    return orr_reference_sum(out, sources, all_act, sources, targets);
}

void orr_reference_accelerate(double *const acc[3], const struct orr_sources *sources)
{
    struct kernels run = widest();
#pragma omp parallel for schedule(dynamic, 16) if (sources->n > 256)
    for (size_t i = 0; i < sources->n; i++) {
        struct sums sum = {0};
        add_others(&sum, &run, sources, i, (struct orr_range){0, sources->n});
        acc[0][i] = sum.x;
        acc[1][i] = sum.y;
        acc[2][i] = sum.z;
    }
}

void orr_reference_totals(struct orr_totals *out, const struct orr_sources *sources,
                          const double *const vel[3])
{
    *out = (struct orr_totals){.energy = NAN};
    double potential = 0;
    for (size_t i = 0; i < sources->n; i++) {
        double v2 = 0, m = sources->mass[i];
        for (int d = 0; d < 3; d++) {
            v2 += vel[d][i] * vel[d][i];
            out->momentum[d] += m * vel[d][i];
        }
        out->kinetic += 0.5 * m * v2;
        out->momentum_scale += m * sqrt(v2);
    }
    if (sources->n > ORR_ENERGY_LIMIT)
        return;
    struct kernels run = widest();
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : potential)
    for (size_t i = 0; i < sources->n; i++)
        potential += run.pair_energy(sources, i);
    out->energy = out->kinetic + potential;
}
