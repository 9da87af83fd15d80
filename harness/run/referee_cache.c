#include "run/referee_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "datasets/dataset.h"

static bool is_of(const struct orr_cached *kept, const struct orr_cached_of *of)
{
    const struct orr_cached_of *own = &kept->of;
    return kept->used && !strcmp(own->name, of->name) && own->n == of->n &&
           own->targets == of->targets && own->seed == of->seed && own->eps == of->eps &&
           own->dt == of->dt && own->corner[0] == of->corner[0] &&
           own->corner[1] == of->corner[1] && own->edge == of->edge && own->level == of->level &&
           own->steps == of->steps && own->euler == of->euler;
}

/* The one of `count` entries of that size which is of that, wanted now; else, with *known false,
 * the one that was not wanted for longest, which is to be released. */
static void *entry_of(struct orr_referee_cache *cache, void *entries, size_t size, int count,
                      const struct orr_cached_of *of, bool *known)
{
    struct orr_cached *oldest = entries;
    *known = false;
    for (int k = 0; k < count && !*known; k++) {
        struct orr_cached *kept = (void *)((char *)entries + (size_t)k * size);
        *known = is_of(kept, of);
        if (*known || kept->used < oldest->used)
            oldest = kept;
    }
    if (*known)
        oldest->used = ++cache->clock;
    return oldest;
}

static struct orr_cached_of of_bodies(const struct orr_bodies *b, const char *sha256)
{
    struct orr_cached_of of = {.n = b->n, .corner = {b->corner[0], b->corner[1]}, .edge = b->edge};
    snprintf(of.name, sizeof of.name, "%s", sha256);
    return of;
}

static double bytes_of(const struct orr_cached_set *set)
{
    return set->cached.used ? (double)set->bodies.n * ORR_COLUMNS * sizeof(double) : 0;
}

static double room(void)
{
    return fmin(ORR_REFEREE_CACHE_BYTES,
                (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 8);
}

/* Drops the sets that were not wanted for longest until the others and `more` bytes have room;
 * never the latest one, whose cell may be asking for its companion. */
static void make_room(struct orr_referee_cache *cache, double more)
{
    for (;;) {
        struct orr_cached_set *oldest = NULL, *latest = NULL;
        double sum = more;
        for (int k = 0; k < ORR_REFEREE_CACHE_SETS; k++) {
            struct orr_cached_set *set = &cache->sets[k];
            sum += bytes_of(set);
            if (set->cached.used && (!oldest || set->cached.used < oldest->cached.used))
                oldest = set;
            if (set->cached.used && (!latest || set->cached.used > latest->cached.used))
                latest = set;
        }
        if (oldest == latest || sum <= room())
            return;
        orr_bodies_release(&oldest->bodies);
        *oldest = (struct orr_cached_set){0};
    }
}

int orr_referee_cache_set(struct orr_referee_cache *cache, struct orr_cached_set **out,
                          const char *name, size_t n, int level, uint64_t seed)
{
    struct orr_cached_of of = {.n = n, .level = level, .seed = seed};
    bool known;
    snprintf(of.name, sizeof of.name, "%s", name);
    struct orr_cached_set *set =
        entry_of(cache, cache->sets, sizeof *set, ORR_REFEREE_CACHE_SETS, &of, &known);
    *out = set;
    if (known)
        return 0;
    make_room(cache, (double)n * ORR_COLUMNS * sizeof(double) - bytes_of(set));
    orr_bodies_release(&set->bodies);
    *set = (struct orr_cached_set){.cached.of = of};
    int code = orr_dataset_make_boxes(&set->bodies, name, n, level, seed);
    if (code)
        return code;
    orr_bodies_sha256(&set->bodies, set->sha256);
    set->cached.used = ++cache->clock;
    return 0;
}

/* The entry of these bodies, which may be empty. The hash does not cover the domain that near-field
 * boxes divide. */
static struct orr_cached_reference *reference_of(struct orr_referee_cache *cache,
                                                 const struct orr_reference_of *wanted)
{
    struct orr_cached_of of = of_bodies(wanted->bodies, wanted->sha256);
    bool known;
    of.eps = wanted->eps;
    of.level = wanted->level;
    of.seed = wanted->targets.seed;
    of.targets = wanted->targets.count;
    struct orr_cached_reference *entry = entry_of(cache, cache->references, sizeof *entry,
                                                  ORR_REFEREE_CACHE_REFERENCES, &of, &known);
    if (!known) {
        orr_reference_release(&entry->reference);
        *entry = (struct orr_cached_reference){.cached = {of, ++cache->clock}};
    }
    return entry;
}

static struct orr_sources sources_of(const struct orr_reference_of *of)
{
    return orr_reference_sources(of->bodies, of->bodies->mass, of->eps);
}

int orr_referee_cache_near(struct orr_referee_cache *cache, const struct orr_reference_near **out,
                           const struct orr_reference_of *wanted)
{
    struct orr_cached_of of = of_bodies(wanted->bodies, wanted->sha256);
    bool known;
    of.level = wanted->level;
    struct orr_cached_near *entry =
        entry_of(cache, cache->near, sizeof *entry, ORR_REFEREE_CACHE_NEAR, &of, &known);
    *out = &entry->near;
    if (known)
        return 0;
    orr_reference_near_release(&entry->near);
    *entry = (struct orr_cached_near){.cached.of = of};
    int code = orr_reference_near_make(&entry->near, wanted->bodies, wanted->level);
    entry->cached.used = code ? 0 : ++cache->clock;
    return code;
}

static int make_reference(struct orr_referee_cache *cache, struct orr_reference *out,
                          const struct orr_reference_of *of)
{
    const struct orr_reference_near *near;
    struct orr_sources sources = sources_of(of);
    if (of->level < 0)
        return orr_reference_make(out, &sources, &of->targets);
    int code = orr_referee_cache_near(cache, &near, of);
    return code ? code : orr_reference_make_near(out, near, &sources, 1, &of->targets);
}

int orr_referee_cache_reference(struct orr_referee_cache *cache, const struct orr_reference **out,
                                const struct orr_reference_of *of)
{
    struct orr_cached_reference *entry = reference_of(cache, of);
    if (!entry->has_reference) {
        int code = make_reference(cache, &entry->reference, of);
        if (code)
            return code;
        entry->has_reference = true;
    }
    *out = &entry->reference;
    return 0;
}

void orr_referee_cache_totals(struct orr_referee_cache *cache, struct orr_totals *out,
                              const struct orr_reference_of *of)
{
    struct orr_cached_reference *entry = reference_of(cache, of);
    if (!entry->has_totals) {
        struct orr_sources sources = sources_of(of);
        const double *const vel[3] = {of->bodies->vel[0], of->bodies->vel[1], of->bodies->vel[2]};
        orr_reference_totals(&entry->totals, &sources, vel);
        entry->has_totals = true;
    }
    *out = entry->totals;
}

int orr_referee_cache_trajectory(struct orr_referee_cache *cache, const struct orr_trajectory **out,
                                 const struct orr_trajectory_of *wanted)
{
    struct orr_cached_of of = {
        .eps = wanted->eps, .dt = wanted->dt, .steps = wanted->steps, .euler = wanted->euler};
    bool known;
    snprintf(of.name, sizeof of.name, "%s", wanted->sha256);
    struct orr_cached_trajectory *entry = entry_of(cache, cache->trajectories, sizeof *entry,
                                                   ORR_REFEREE_CACHE_TRAJECTORIES, &of, &known);
    *out = &entry->trajectory;
    if (known)
        return 0;
    orr_trajectory_release(&entry->trajectory);
    *entry = (struct orr_cached_trajectory){.cached.of = of};
    int code = orr_trajectory_make(&entry->trajectory, wanted);
    entry->cached.used = code ? 0 : ++cache->clock;
    return code;
}

void orr_referee_cache_release(struct orr_referee_cache *cache)
{
    for (int k = 0; k < ORR_REFEREE_CACHE_SETS; k++)
        orr_bodies_release(&cache->sets[k].bodies);
    for (int k = 0; k < ORR_REFEREE_CACHE_REFERENCES; k++)
        orr_reference_release(&cache->references[k].reference);
    for (int k = 0; k < ORR_REFEREE_CACHE_TRAJECTORIES; k++)
        orr_trajectory_release(&cache->trajectories[k].trajectory);
    for (int k = 0; k < ORR_REFEREE_CACHE_NEAR; k++)
        orr_reference_near_release(&cache->near[k].near);
    *cache = (struct orr_referee_cache){0};
}
