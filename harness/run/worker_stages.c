#include "run/worker_stages.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

/* Of one call. */
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

int orr_named_times_take_stages(struct orr_named_times_set *to)
{
    int code = 0;
    orr_named_times_mark_stage(NULL);
    for (int k = 0; to && !code && k < now.count; k++)
        code = orr_named_times_add(to, now.stages[k].name, now.stages[k].seconds);
    now.count = 0;
    return code;
}
