/* What a cell's record says of its ranks. */
#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "json_member.h"
#include "measure/stats.h"
#include "run/cell_record.h"

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

static int add_medians(json_t *record, const json_t *ranks)
{
    size_t count = json_array_size(json_object_get(json_array_get(ranks, 0), "step_s"));
    double *exchange = malloc((2 * count + 1) * sizeof *exchange), *skew = exchange + count;
    if (!exchange)
        return orr_fail(ORR_EMEMORY, "no memory for the times of ranks");
    for (size_t k = 0; k < count; k++)
        look_at(ranks, k, &exchange[k], &skew[k]);
    if (count) {
        json_object_set_new(record, "exchange_seconds",
                            json_real(orr_stats_median(exchange, count)));
        json_object_set_new(record, "skew", json_real(orr_stats_median(skew, count)));
    }
    free(exchange);
    return 0;
}

int orr_cell_record_ranks(json_t *record, const struct orr_measured *measured,
                          const struct orr_cell_run *run)
{
    size_t k;
    json_t *rank;
    if (!measured->ranks)
        return 0;
    json_array_foreach(measured->ranks, k, rank)
    {
        json_object_set(rank, "device",
                        json_array_get(json_object_get(run->about, "rank_devices"), k));
    }
    json_object_set(record, "rank_times", measured->ranks);
    return add_medians(record, measured->ranks);
}
