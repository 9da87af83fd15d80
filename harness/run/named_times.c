#include "run/named_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

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

int orr_named_times_add(struct orr_named_times_set *set, const char *name, double seconds)
{
    struct orr_named_times *to = find(set, name);
    if (!to)
        return 0;
    if (to->count == to->room) {
        size_t room = to->room ? 2 * (size_t)to->room : 32;
        double *more = realloc(to->seconds, room * sizeof *more);
        if (!more)
            return orr_fail(ORR_EMEMORY, "no memory for %zu times of '%s'", room, name);
        to->seconds = more;
        to->room = (int)room;
    }
    to->seconds[to->count++] = seconds;
    return 0;
}

void orr_named_times_release(struct orr_named_times_set *set)
{
    for (int k = 0; k < set->count; k++)
        free(set->items[k].seconds);
    *set = (struct orr_named_times_set){0};
}
