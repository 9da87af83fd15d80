#include "run/referee_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "datasets/dataset.h"
#include "error.h"

static int make_set(struct orr_cached_set *set, const char *name, size_t n, int level,
                    uint64_t seed)
{
    orr_bodies_release(&set->bodies);
    *set = (struct orr_cached_set){.level = level, .seed = seed};
    int code = orr_dataset_make_boxes(&set->bodies, name, n, level, seed);
    if (code)
        return code;
    snprintf(set->name, sizeof set->name, "%s", name);
    orr_bodies_sha256(&set->bodies, set->sha256);
    return 0;
}

static double bytes_of(const struct orr_cached_set *set)
{
    return set->used ? (double)set->bodies.n * ORR_COLUMNS * sizeof(double) : 0;
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
            if (set->used && (!oldest || set->used < oldest->used))
                oldest = set;
            if (set->used && (!latest || set->used > latest->used))
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
    struct orr_cached_set *oldest = &cache->sets[0];
    for (int k = 0; k < ORR_REFEREE_CACHE_SETS; k++) {
        struct orr_cached_set *set = &cache->sets[k];
        if (set->used && !strcmp(set->name, name) && set->bodies.n == n && set->level == level &&
            set->seed == seed) {
            set->used = ++cache->clock;
            *out = set;
            return 0;
        }
        if (set->used < oldest->used)
            oldest = set;
    }
    make_room(cache, (double)n * ORR_COLUMNS * sizeof(double) - bytes_of(oldest));
    int code = make_set(oldest, name, n, level, seed);
    if (code)
        return code;
    oldest->used = ++cache->clock;
    *out = oldest;
    return 0;
}

/* The hash does not cover the domain that near-field boxes divide. */
static bool fits(const struct orr_cached_reference *kept, const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    return kept->used && !strcmp(kept->sha256, of->sha256) && kept->eps == of->eps &&
           kept->level == of->level && kept->targets.seed == of->targets.seed &&
           kept->targets.count == of->targets.count && kept->corner[0] == b->corner[0] &&
           kept->corner[1] == b->corner[1] && kept->edge == b->edge;
}

/* The entry of these bodies, else the oldest one, cleared. */
static struct orr_cached_reference *entry_of(struct orr_referee_cache *cache,
                                             const struct orr_reference_of *of)
{
    struct orr_cached_reference *oldest = &cache->references[0];
    for (int k = 0; k < ORR_REFEREE_CACHE_REFERENCES; k++) {
        struct orr_cached_reference *kept = &cache->references[k];
        if (fits(kept, of)) {
            kept->used = ++cache->clock;
            return kept;
        }
        if (kept->used < oldest->used)
            oldest = kept;
    }
    orr_reference_release(&oldest->reference);
    *oldest =
        (struct orr_cached_reference){.eps = of->eps,
                                      .corner = {of->bodies->corner[0], of->bodies->corner[1]},
                                      .edge = of->bodies->edge,
                                      .level = of->level,
                                      .targets = of->targets,
                                      .used = ++cache->clock};
    snprintf(oldest->sha256, sizeof oldest->sha256, "%s", of->sha256);
    return oldest;
}

static struct orr_sources sources_of(const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    return (struct orr_sources){b->n, {b->pos[0], b->pos[1], b->pos[2]}, b->mass, of->eps};
}

/* The hash does not cover the domain here either. */
static bool is_near_of(const struct orr_cached_near *kept, const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    return kept->used && !strcmp(kept->sha256, of->sha256) && kept->level == of->level &&
           kept->near.n == b->n && kept->corner[0] == b->corner[0] &&
           kept->corner[1] == b->corner[1] && kept->edge == b->edge;
}

int orr_referee_cache_near(struct orr_referee_cache *cache, const struct orr_reference_near **out,
                           const struct orr_reference_of *of)
{
    const struct orr_bodies *b = of->bodies;
    struct orr_cached_near *oldest = &cache->near[0];
    for (int k = 0; k < ORR_REFEREE_CACHE_NEAR; k++) {
        struct orr_cached_near *kept = &cache->near[k];
        if (is_near_of(kept, of)) {
            kept->used = ++cache->clock;
            *out = &kept->near;
            return 0;
        }
        if (kept->used < oldest->used)
            oldest = kept;
    }
    orr_reference_near_release(&oldest->near);
    *oldest = (struct orr_cached_near){
        .corner = {b->corner[0], b->corner[1]}, .edge = b->edge, .level = of->level};
    int code = orr_reference_near_make(&oldest->near, b, of->level);
    if (code)
        return code;
    snprintf(oldest->sha256, sizeof oldest->sha256, "%s", of->sha256);
    oldest->used = ++cache->clock;
    *out = &oldest->near;
    return 0;
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
    struct orr_cached_reference *entry = entry_of(cache, of);
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
    struct orr_cached_reference *entry = entry_of(cache, of);
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
    struct orr_cached_trajectory *oldest = &cache->trajectories[0];
    for (int k = 0; k < ORR_REFEREE_CACHE_TRAJECTORIES; k++) {
        struct orr_cached_trajectory *kept = &cache->trajectories[k];
        if (kept->used && !strcmp(kept->sha256, of->sha256) && kept->eps == of->eps &&
            kept->dt == of->dt && kept->steps == of->steps && kept->euler == of->euler) {
            kept->used = ++cache->clock;
            *out = &kept->trajectory;
            return 0;
        }
        if (kept->used < oldest->used)
            oldest = kept;
    }
    orr_trajectory_release(&oldest->trajectory);
    *oldest = (struct orr_cached_trajectory){
        .eps = of->eps, .dt = of->dt, .steps = of->steps, .euler = of->euler};
    snprintf(oldest->sha256, sizeof oldest->sha256, "%s", of->sha256);
    int code = orr_trajectory_make(&oldest->trajectory, of);
    if (code)
        return code;
    oldest->used = ++cache->clock;
    *out = &oldest->trajectory;
    return 0;
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
