/* SPDX-License-Identifier: MIT */
#include "run/named_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "memory.h"

static struct orr_named_times *find_or_make(struct orr_named_times_set *set, const char *name)
{
    for (int k = 0; k < set->count; k++)
        if (!strncmp(set->items[k].name, name, sizeof set->items->name - 1))
            return &set->items[k];
    if (set->count == ORR_MAX_NAMED_TIMES)
        return NULL;
    struct orr_named_times *made = &set->items[set->count++];
    snprintf(made->name, sizeof made->name, "%s", name);
    return made;
}

void orr_named_times_add(struct orr_named_times_set *set, const char *name, double seconds)
{
    struct orr_named_times *to = find_or_make(set, name);
    if (!to)
        return;
    to->seconds = orr_memory_more(to->seconds, ((size_t)to->count + 1) * sizeof *to->seconds);
    to->seconds[to->count++] = seconds;
}

struct orr_named_times orr_named_times_of(const struct orr_named_times_set *set, const char *name)
{
    for (int k = 0; k < set->count; k++)
        if (!strcmp(set->items[k].name, name))
            return set->items[k];
    return (struct orr_named_times){0};
}

void orr_named_times_release(struct orr_named_times_set *set)
{
    for (int k = 0; k < set->count; k++)
        free(set->items[k].seconds);
    *set = (struct orr_named_times_set){0};
}

/* The stages of the current call, a value each. A worker runs one variant at a time, and the
 * contract's mark has no context. */
static struct {
    struct orr_named_times_set stages;
    struct orr_named_times *open; /* the stage that runs; NULL: none, or one too many */
    double since;
} now;

void orr_named_times_mark_stage(const char *name)
{
    double time = orr_clock_now();
    if (now.open)
        now.open->seconds[0] += time - now.since;
    now.open = name ? find_or_make(&now.stages, name) : NULL;
    if (now.open && !now.open->count)
        orr_named_times_add(&now.stages, name, 0);
    now.since = time;
}

void orr_named_times_take_stages(struct orr_named_times_set *to)
{
    orr_named_times_mark_stage(NULL);
    for (int k = 0; to && k < now.stages.count; k++)
        orr_named_times_add(to, now.stages.items[k].name, now.stages.items[k].seconds[0]);
    orr_named_times_release(&now.stages);
}
