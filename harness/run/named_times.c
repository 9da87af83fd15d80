#include "run/named_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "memory.h"

static struct orr_named_times *find(struct orr_named_times_set *set, const char *name)
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
    struct orr_named_times *to = find(set, name);
    if (!to)
        return;
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 32;
        to->seconds = orr_memory_more(to->seconds, (size_t)to->room * sizeof *to->seconds);
    }
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

/* The stages of the current call. A worker runs one variant at a time, and the contract's mark has
 * no context. */
static struct {
    struct {
        char name[32];
        double seconds;
    } stages[ORR_MAX_NAMED_TIMES];
    int count;
    int open; /* the stage that runs, counted from 1; 0: none */
    double since;
} now;

/* Counted from 1; 0 when there are too many. */
static int place_of(const char *name)
{
    for (int k = 0; k < now.count; k++)
        if (!strncmp(now.stages[k].name, name, sizeof now.stages->name - 1))
            return k + 1;
    if (now.count == ORR_MAX_NAMED_TIMES)
        return 0;
    snprintf(now.stages[now.count].name, sizeof now.stages->name, "%s", name);
    now.stages[now.count].seconds = 0;
    return ++now.count;
}

void orr_named_times_mark_stage(const char *name)
{
    double time = orr_clock_now();
    if (now.open)
        now.stages[now.open - 1].seconds += time - now.since;
    now.open = name ? place_of(name) : 0;
    now.since = time;
}

void orr_named_times_take_stages(struct orr_named_times_set *to)
{
    orr_named_times_mark_stage(NULL);
    for (int k = 0; to && k < now.count; k++)
        orr_named_times_add(to, now.stages[k].name, now.stages[k].seconds);
    now.count = 0;
}
