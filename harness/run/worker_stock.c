#include "run/worker_stock.h"

#include <stdio.h>
#include <string.h>

#include "datasets/dataset.h"
#include "error.h"
#include "measure/clock.h"

int orr_stock_plugin(struct orr_stock *stock, const struct orr_plugin **out, const char *name)
{
    for (int k = 0; k < stock->plugin_count; k++)
        if (!strcmp(stock->plugin_names[k], name)) {
            *out = &stock->plugins[k];
            return 0;
        }
    if (stock->plugin_count == ORR_STOCK_PLUGINS)
        return orr_fail(ORR_EINTERNAL, "more than %d plugins in one worker", ORR_STOCK_PLUGINS);
    int code = orr_plugin_load(&stock->plugins[stock->plugin_count], name);
    if (code)
        return code;
    snprintf(stock->plugin_names[stock->plugin_count], sizeof stock->plugin_names[0], "%s", name);
    *out = &stock->plugins[stock->plugin_count++];
    return 0;
}

int orr_stock_device(struct orr_stock *stock, struct orr_device **out, const char *id)
{
    for (int k = 0; k < stock->device_count; k++)
        if (!strcmp(stock->devices[k]->info.id, id)) {
            *out = stock->devices[k];
            return 0;
        }
    if (stock->device_count == ORR_STOCK_DEVICES)
        return orr_fail(ORR_EINTERNAL, "more than %d devices in one worker", ORR_STOCK_DEVICES);
    double start = orr_clock_now();
    int code = orr_device_open(out, id);
    stock->device_s += orr_clock_now() - start;
    if (!code)
        stock->devices[stock->device_count++] = *out;
    return code;
}

static int make_set(struct orr_stocked_set *set, const char *name, size_t n, uint64_t seed)
{
    orr_bodies_release(&set->bodies);
    *set = (struct orr_stocked_set){.seed = seed};
    int code = orr_dataset_make(&set->bodies, name, n, seed);
    if (code)
        return code;
    snprintf(set->name, sizeof set->name, "%s", name);
    orr_bodies_sha256(&set->bodies, set->sha256);
    return 0;
}

int orr_stock_set(struct orr_stock *stock, struct orr_stocked_set **out, const char *name, size_t n, uint64_t seed)
{
    struct orr_stocked_set *oldest = &stock->sets[0];
    for (int k = 0; k < ORR_STOCK_SETS; k++) {
        struct orr_stocked_set *set = &stock->sets[k];
        if (set->used && !strcmp(set->name, name) && set->bodies.n == n && set->seed == seed) {
            set->used = ++stock->clock;
            *out = set;
            return 0;
        }
        if (set->used < oldest->used)
            oldest = set;
    }
    int code = make_set(oldest, name, n, seed);
    if (code)
        return code;
    oldest->used = ++stock->clock;
    *out = oldest;
    return 0;
}

static bool fits(const struct orr_stocked_reference *kept, const char *sha256, double eps, uint64_t seed)
{
    return kept->used && !strcmp(kept->sha256, sha256) && kept->eps == eps && kept->seed == seed;
}

/* The entry of these bodies, the oldest one cleared for them if there is none. */
static struct orr_stocked_reference *entry_of(struct orr_stock *stock, const char *sha256, double eps, uint64_t seed)
{
    struct orr_stocked_reference *oldest = &stock->references[0];
    for (int k = 0; k < ORR_STOCK_REFERENCES; k++) {
        struct orr_stocked_reference *kept = &stock->references[k];
        if (fits(kept, sha256, eps, seed)) {
            kept->used = ++stock->clock;
            return kept;
        }
        if (kept->used < oldest->used)
            oldest = kept;
    }
    orr_reference_release(&oldest->reference);
    *oldest = (struct orr_stocked_reference){.eps = eps, .seed = seed, .used = ++stock->clock};
    snprintf(oldest->sha256, sizeof oldest->sha256, "%s", sha256);
    return oldest;
}

static struct orr_sources sources_of(const struct orr_bodies *bodies, double eps)
{
    return (struct orr_sources){bodies->n, {bodies->pos[0], bodies->pos[1], bodies->pos[2]}, bodies->mass, eps};
}

int orr_stock_reference(struct orr_stock *stock, const struct orr_reference **out, const struct orr_bodies *bodies,
                        const char *sha256, double eps, uint64_t seed)
{
    struct orr_stocked_reference *entry = entry_of(stock, sha256, eps, seed);
    if (!entry->has_reference) {
        struct orr_sources sources = sources_of(bodies, eps);
        int code = orr_reference_make(&entry->reference, &sources, seed);
        if (code)
            return code;
        entry->has_reference = true;
    }
    *out = &entry->reference;
    return 0;
}

void orr_stock_totals(struct orr_stock *stock, struct orr_totals *out, const struct orr_bodies *bodies,
                      const char *sha256, double eps, uint64_t seed)
{
    struct orr_stocked_reference *entry = entry_of(stock, sha256, eps, seed);
    if (!entry->has_totals) {
        struct orr_sources sources = sources_of(bodies, eps);
        orr_reference_totals(&entry->totals, &sources,
                             (const double *const[3]){bodies->vel[0], bodies->vel[1], bodies->vel[2]});
        entry->has_totals = true;
    }
    *out = entry->totals;
}
