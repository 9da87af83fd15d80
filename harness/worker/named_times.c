/* SPDX-License-Identifier: MIT */
#include "worker/named_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "json_member.h"
#include "measure/stats.h"
#include "memory.h"

void orr_named_times_add(json_t **set, const char *name, double seconds)
{
    char kept[ORR_LONGEST_NAME + 1];
    snprintf(kept, sizeof kept, "%s", name);
    json_t *shown = orr_json_shown(kept); /* it may be the variant's */
    if (!*set)
        *set = json_object();
    json_t *times = json_object_get(*set, json_string_value(shown));
    if (!times && json_object_size(*set) < ORR_MAX_NAMED_TIMES)
        json_object_set_new(*set, json_string_value(shown), times = json_array());
    json_array_append_new(times, json_real(seconds));
    json_decref(shown);
}

double orr_named_times_median(const json_t *set, const char *name)
{
    const json_t *times = json_object_get(set, name);
    const size_t count = json_array_size(times);
    double *values = orr_memory_get((count + 1) * sizeof *values);
    for (size_t k = 0; k < count; k++)
        values[k] = json_number_value(json_array_get(times, k));
    const double median = orr_stats_median(values, count);
    free(values);
    return median;
}

/* The stages of the current call. A worker runs one variant at a time, and the contract's mark has
 * no context. */
static struct {
    struct {
        char name[ORR_LONGEST_NAME + 1];
        double seconds;
    } stages[ORR_MAX_NAMED_TIMES];
    int count, open; /* the stage that runs; -1: none, or one too many */
    double since;
} now = {.open = -1};

static int place_of(const char *name)
{
    for (int k = 0; k < now.count; k++)
        if (!strncmp(now.stages[k].name, name, ORR_LONGEST_NAME))
            return k;
    if (now.count == ORR_MAX_NAMED_TIMES)
        return -1;
    snprintf(now.stages[now.count].name, sizeof now.stages->name, "%s", name);
    now.stages[now.count].seconds = 0;
    return now.count++;
}

void orr_named_times_mark_stage(const char *name)
{
    const double time = orr_clock_now();
    if (now.open >= 0)
        now.stages[now.open].seconds += time - now.since;
    now.open = name ? place_of(name) : -1;
    now.since = time;
}

double orr_named_times_take_stages(json_t **to)
{
    double sum = 0;
    orr_named_times_mark_stage(NULL);
    for (int k = 0; k < now.count; k++) {
        sum += now.stages[k].seconds;
        if (to)
            orr_named_times_add(to, now.stages[k].name, now.stages[k].seconds);
    }
    now.count = 0;
    return sum;
}
