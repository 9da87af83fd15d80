/* SPDX-License-Identifier: MIT */
#include "referee/referee.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "datasets/dataset.h"

/* Entries take no more together, and no more than an eighth of the memory. */
static const double MOST_BYTES = 4e9;

static void drop(struct orr_cached *entry)
{
    switch (entry->kind) {
    case ORR_CACHED_SET:
        orr_bodies_release(&entry->set.bodies);
        break;
    case ORR_CACHED_REFERENCE:
        orr_reference_release(&entry->reference);
        break;
    case ORR_CACHED_NEAR:
        orr_reference_near_release(&entry->near);
        break;
    case ORR_CACHED_TRAJECTORY:
        orr_trajectory_release(&entry->trajectory);
        break;
    case ORR_CACHED_JUDGE:
        orr_trajectory_judge_release(&entry->judge);
        break;
    case ORR_CACHED_NOTHING:
    case ORR_CACHED_TOTALS:
        break;
    }
    memset(entry, 0, sizeof *entry);
}

/* An empty entry. Those that were not wanted for longest go, until the others and `more` bytes have
 * room; of what this request wanted only one, where it fills the cache. */
static struct orr_cached *make_room(struct orr_referee_cache *cache, double more)
{
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    for (;;) {
        struct orr_cached *oldest = NULL, *empty = NULL;
        double sum = more;
        for (int k = 0; k < ORR_REFEREE_CACHE_ENTRIES; k++) {
            struct orr_cached *entry = &cache->entries[k];
            sum += entry->bytes;
            if (!entry->kind)
                empty = entry;
            else if (!oldest || entry->used < oldest->used)
                oldest = entry;
        }
        const bool fits = sum <= fmin(MOST_BYTES, memory / 8);
        if (empty && (fits || !oldest || oldest->used > cache->begun))
            return empty;
        drop(oldest);
    }
}

/* The entry of what the format says. With *known false it is to be filled, with so many bytes. */
__attribute__((format(printf, 5, 6))) static struct orr_cached *
entry_of(struct orr_referee_cache *cache, enum orr_cached_kind kind, bool *known, double bytes,
         const char *format, ...)
{
    struct orr_cached *entry = NULL;
    char of[sizeof entry->of];
    va_list values;
    va_start(values, format);
    vsnprintf(of, sizeof of, format, values);
    va_end(values);
    for (int k = 0; k < ORR_REFEREE_CACHE_ENTRIES && !entry; k++)
        if (cache->entries[k].kind == kind && !strcmp(cache->entries[k].of, of))
            entry = &cache->entries[k];
    *known = entry != NULL;
    if (!entry) {
        entry = make_room(cache, bytes);
        entry->kind = kind;
        entry->bytes = bytes;
        strcpy(entry->of, of);
    }
    entry->used = ++cache->clock;
    return entry;
}

/* What could not be made is not kept. */
static int keep_unless(int code, struct orr_cached *entry)
{
    if (code)
        drop(entry);
    return code;
}

int orr_referee_cache_set(struct orr_referee_cache *cache, struct orr_cached_set **out,
                          const char *name, size_t n, int level, uint64_t seed)
{
    bool known;
    struct orr_cached *entry =
        entry_of(cache, ORR_CACHED_SET, &known, (double)n * ORR_COLUMNS * sizeof(double),
                 "%s %zu %d %" PRIu64, name, n, level, seed);
    struct orr_cached_set *set = *out = &entry->set;
    if (known)
        return 0;
    int code = orr_dataset_make_boxes(&set->bodies, name, n, level, seed);
    if (!code)
        orr_bodies_sha256(&set->bodies, set->sha256);
    return keep_unless(code, entry);
}

/* The hash does not cover the domain that boxes divide. */
int orr_referee_cache_near(struct orr_referee_cache *cache, const struct orr_reference_near **out,
                           const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    bool known;
    struct orr_cached *entry = entry_of(
        cache, ORR_CACHED_NEAR, &known, (double)b->n * sizeof(uint32_t), "%s %zu %a %a %a %d",
        of->sha256, b->n, b->corner[0], b->corner[1], b->edge, of->level);
    *out = &entry->near;
    return known ? 0 : keep_unless(orr_reference_near_make(&entry->near, b, of->level), entry);
}

int orr_referee_cache_reference(struct orr_referee_cache *cache, const struct orr_reference **out,
                                const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    const struct orr_sources sources = orr_reference_sources(b, b->mass, of->eps);
    const struct orr_reference_near *near = NULL;
    bool known;
    struct orr_cached *entry =
        entry_of(cache, ORR_CACHED_REFERENCE, &known, 0, "%s %zu %a %a %a %a %d %zu %" PRIu64,
                 of->sha256, b->n, b->corner[0], b->corner[1], b->edge, of->eps, of->level,
                 of->targets.count, of->targets.seed);
    *out = &entry->reference;
    if (known)
        return 0;
    int code = of->level < 0 ? 0 : orr_referee_cache_near(cache, &near, of);
    if (!code)
        code = orr_reference_make(&entry->reference, &sources, near, &of->targets);
    return keep_unless(code, entry);
}

struct orr_totals orr_referee_cache_totals(struct orr_referee_cache *cache,
                                           const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    const struct orr_sources sources = orr_reference_sources(b, b->mass, of->eps);
    bool known;
    struct orr_cached *entry =
        entry_of(cache, ORR_CACHED_TOTALS, &known, 0, "%s %zu %a", of->sha256, b->n, of->eps);
    if (!known)
        orr_reference_totals(&entry->totals, &sources,
                             (const double *const[3]){b->vel[0], b->vel[1], b->vel[2]});
    return entry->totals;
}

int orr_referee_cache_trajectory(struct orr_referee_cache *cache, const struct orr_trajectory **out,
                                 const struct orr_trajectory_of *of)
{
    bool known;
    struct orr_cached *entry = entry_of(
        cache, ORR_CACHED_TRAJECTORY, &known, 15.0 * (double)of->bodies->n * sizeof(double),
        "%s %a %a %d %d", of->sha256, of->eps, of->dt, of->steps, of->euler);
    *out = &entry->trajectory;
    return known ? 0 : keep_unless(orr_trajectory_make(&entry->trajectory, of), entry);
}

int orr_referee_cache_judge(struct orr_referee_cache *cache,
                            const struct orr_trajectory_judge **out,
                            const struct orr_trajectory_of *of, double force_error)
{
    bool known;
    struct orr_cached *entry =
        entry_of(cache, ORR_CACHED_JUDGE, &known, 0, "%s %a %a %d %d %a", of->sha256, of->eps,
                 of->dt, of->steps, of->euler, force_error);
    *out = &entry->judge;
    return known ? 0
                 : keep_unless(orr_trajectory_judge_make(&entry->judge, of, force_error), entry);
}

void orr_referee_cache_release(struct orr_referee_cache *cache)
{
    for (int k = 0; k < ORR_REFEREE_CACHE_ENTRIES; k++)
        drop(&cache->entries[k]);
}
