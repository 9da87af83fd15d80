/* SPDX-License-Identifier: MIT */
#include "run/referee_cache.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "datasets/dataset.h"

/* The one of `count` entries of that size which is of what the format says, wanted now; else, with
 * *known false, the one that was not wanted for longest, which is to be released and kept. */
__attribute__((format(printf, 6, 7))) static void *entry_of(struct orr_referee_cache *cache,
                                                            void *entries, size_t size, int count,
                                                            bool *known, const char *format, ...)
{
    struct orr_cached *oldest = entries;
    va_list values;
    va_start(values, format);
    vsnprintf(cache->wanted, sizeof cache->wanted, format, values);
    va_end(values);
    *known = false;
    for (int k = 0; k < count && !*known; k++) {
        struct orr_cached *kept = (void *)((char *)entries + (size_t)k * size);
        *known = kept->used && !strcmp(kept->of, cache->wanted);
        if (*known || kept->used < oldest->used)
            oldest = kept;
    }
    if (*known)
        oldest->used = ++cache->clock;
    return oldest;
}

/* What was looked for is there, unless making it failed. */
static int keep_entry(struct orr_referee_cache *cache, struct orr_cached *entry, int code)
{
    strcpy(entry->of, cache->wanted);
    entry->used = code ? 0 : ++cache->clock;
    return code;
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
    bool known;
    struct orr_cached_set *set = entry_of(cache, cache->sets, sizeof *set, ORR_REFEREE_CACHE_SETS,
                                          &known, "%s %zu %d %" PRIu64, name, n, level, seed);
    *out = set;
    if (known)
        return 0;
    make_room(cache, (double)n * ORR_COLUMNS * sizeof(double) - bytes_of(set));
    orr_bodies_release(&set->bodies);
    *set = (struct orr_cached_set){0};
    snprintf(set->name, sizeof set->name, "%s", name);
    int code = orr_dataset_make_boxes(&set->bodies, name, n, level, seed);
    if (!code)
        orr_bodies_sha256(&set->bodies, set->sha256);
    return keep_entry(cache, &set->cached, code);
}

/* The entry of these bodies, which may be empty. The hash does not cover the domain that near-field
 * boxes divide. */
static struct orr_cached_reference *reference_of(struct orr_referee_cache *cache,
                                                 const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    bool known;
    struct orr_cached_reference *entry =
        entry_of(cache, cache->references, sizeof *entry, ORR_REFEREE_CACHE_REFERENCES, &known,
                 "%s %zu %a %a %a %a %d %zu %" PRIu64, of->sha256, b->n, b->corner[0], b->corner[1],
                 b->edge, of->eps, of->level, of->targets.count, of->targets.seed);
    if (!known) {
        orr_reference_release(&entry->reference);
        *entry = (struct orr_cached_reference){0};
        keep_entry(cache, &entry->cached, 0);
    }
    return entry;
}

static struct orr_sources sources_of(const struct orr_reference_of *of)
{
    return orr_reference_sources(of->bodies, of->bodies->mass, of->eps);
}

int orr_referee_cache_near(struct orr_referee_cache *cache, const struct orr_reference_near **out,
                           const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    bool known;
    struct orr_cached_near *entry = entry_of(
        cache, cache->near, sizeof *entry, ORR_REFEREE_CACHE_NEAR, &known, "%s %zu %a %a %a %d",
        of->sha256, b->n, b->corner[0], b->corner[1], b->edge, of->level);
    *out = &entry->near;
    if (known)
        return 0;
    orr_reference_near_release(&entry->near);
    return keep_entry(cache, &entry->cached, orr_reference_near_make(&entry->near, b, of->level));
}

int orr_referee_cache_reference(struct orr_referee_cache *cache, const struct orr_reference **out,
                                const struct orr_reference_of *of)
{
    struct orr_cached_reference *entry = reference_of(cache, of);
    const struct orr_sources sources = sources_of(of);
    const struct orr_reference_near *near;
    *out = &entry->reference;
    if (entry->has_reference)
        return 0;
    int code = of->level < 0 ? orr_reference_make(&entry->reference, &sources, &of->targets)
                             : orr_referee_cache_near(cache, &near, of);
    if (!code && of->level >= 0)
        code = orr_reference_make_near(&entry->reference, near, &sources, &of->targets);
    entry->has_reference = !code;
    return code;
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
                                 const struct orr_trajectory_of *of)
{
    bool known;
    struct orr_cached_trajectory *entry =
        entry_of(cache, cache->trajectories, sizeof *entry, ORR_REFEREE_CACHE_TRAJECTORIES, &known,
                 "%s %a %a %d %d", of->sha256, of->eps, of->dt, of->steps, of->euler);
    *out = &entry->trajectory;
    if (known)
        return 0;
    orr_trajectory_release(&entry->trajectory);
    return keep_entry(cache, &entry->cached, orr_trajectory_make(&entry->trajectory, of));
}

int orr_referee_cache_judge(struct orr_referee_cache *cache,
                            const struct orr_trajectory_judge **out,
                            const struct orr_trajectory_of *of, double force_error)
{
    bool known;
    struct orr_cached_judge *entry = entry_of(
        cache, cache->judges, sizeof *entry, ORR_REFEREE_CACHE_JUDGES, &known, "%s %a %a %d %d %a",
        of->sha256, of->eps, of->dt, of->steps, of->euler, force_error);
    *out = &entry->judge;
    if (known)
        return 0;
    orr_trajectory_judge_release(&entry->judge);
    return keep_entry(cache, &entry->cached,
                      orr_trajectory_judge_make(&entry->judge, of, force_error));
}

void orr_referee_cache_release(struct orr_referee_cache *cache)
{
    for (int k = 0; k < ORR_REFEREE_CACHE_SETS; k++)
        orr_bodies_release(&cache->sets[k].bodies);
    for (int k = 0; k < ORR_REFEREE_CACHE_REFERENCES; k++)
        orr_reference_release(&cache->references[k].reference);
    for (int k = 0; k < ORR_REFEREE_CACHE_TRAJECTORIES; k++)
        orr_trajectory_release(&cache->trajectories[k].trajectory);
    for (int k = 0; k < ORR_REFEREE_CACHE_JUDGES; k++)
        orr_trajectory_judge_release(&cache->judges[k].judge);
    for (int k = 0; k < ORR_REFEREE_CACHE_NEAR; k++)
        orr_reference_near_release(&cache->near[k].near);
    *cache = (struct orr_referee_cache){0};
}
