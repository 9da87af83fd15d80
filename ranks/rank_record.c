/* SPDX-License-Identifier: MIT */
/* What a cell's record says of its ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_member.h"
#include "memory.h"
#include "measure/stats.h"
#include "ranks/rank.h"
#include "referee/cell_run.h"

static double at(const json_t *ranks, size_t rank, const char *series, size_t sample)
{
    return json_number_value(
        json_array_get(json_object_get(json_array_get(ranks, rank), series), sample));
}

/* Time in which the rank's device worked: the others were not waited for. */
static double busy(const json_t *ranks, size_t rank, size_t sample)
{
    return at(ranks, rank, "step_s", sample) - at(ranks, rank, "exchange_s", sample) -
           at(ranks, rank, "wait_s", sample);
}

/* Of one sample: the least exchange of a rank, that of the one which the others waited for; and by
 * how much of the step the most and the least busy rank differ. */
static void look_at(const json_t *ranks, size_t sample, double *exchange, double *skew)
{
    double least = INFINITY, most = 0, step = 0;
    *exchange = INFINITY;
    for (size_t rank = 0; rank < json_array_size(ranks); rank++) {
        least = fmin(least, busy(ranks, rank, sample));
        most = fmax(most, busy(ranks, rank, sample));
        step = fmax(step, at(ranks, rank, "step_s", sample));
        *exchange = fmin(*exchange, at(ranks, rank, "exchange_s", sample));
    }
    *skew = step > 0 ? (most - least) / step : 0;
}

static void add_medians(json_t *record, const json_t *ranks)
{
    size_t count = json_array_size(json_object_get(json_array_get(ranks, 0), "step_s"));
    double *exchange = orr_memory_get(2 * count * sizeof *exchange), *skew = exchange + count;
    for (size_t k = 0; k < count; k++)
        look_at(ranks, k, &exchange[k], &skew[k]);
    if (count) {
        json_object_set_new(record, "exchange_seconds",
                            json_real(orr_stats_median(exchange, count)));
        json_object_set_new(record, "skew", json_real(orr_stats_median(skew, count)));
    }
    free(exchange);
}

/* The mean over the batch of one stage or phase of a rank, 0 without it. */
static double mean_of_named(const json_t *set, const char *wanted, int batch)
{
    size_t k;
    json_t *value;
    double sum = 0;
    json_array_foreach (json_object_get(set, wanted), k, value) {
        sum += json_number_value(value);
    }
    return sum / batch;
}

/* Exchanges are a phase of the device, or a stage of the host. */
void orr_rank_record_keep(json_t **times, const json_t *ranks, int batch)
{
    size_t k;
    json_t *rank;
    if (!*times)
        *times = json_array();
    json_array_foreach (ranks, k, rank) {
        const json_t *within = json_object_get(rank, "within"),
                     *phases = json_object_get(rank, "phases");
        const struct {
            const char *name;
            double value;
        } of[] = {{"step_s", orr_cell_run_mean(json_object_get(rank, "step_s"), batch)},
                  {"kernel_s", orr_cell_run_mean(json_object_get(rank, "kernel_s"), batch)},
                  {"exchange_s", mean_of_named(within, "exchange", batch) +
                                     mean_of_named(phases, "exchange", batch)},
                  {"wait_s", mean_of_named(within, "wait", batch)}};
        if (json_array_size(*times) == k)
            json_array_append_new(*times, json_object());
        for (size_t m = 0; m < sizeof of / sizeof *of; m++) {
            json_t *series = json_object_get(json_array_get(*times, k), of[m].name);
            if (!series)
                json_object_set_new(json_array_get(*times, k), of[m].name, series = json_array());
            json_array_append_new(series, json_real(of[m].value));
        }
    }
}

void orr_rank_record(json_t *record, json_t *times, const json_t *devices)
{
    size_t k;
    json_t *rank;
    json_array_foreach (times, k, rank) {
        json_object_set(rank, "device", json_array_get(devices, k));
    }
    json_object_set(record, "rank_times", times);
    add_medians(record, times);
}
