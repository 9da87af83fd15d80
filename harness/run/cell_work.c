#include "run/cell_work.h"

#include <math.h>

#include "error.h"
#include "json_member.h"

/* Declared numbers are doubles: sums beyond 2^53 are rounded. */
static const double ROUNDING = 1e-9;

int orr_cell_work_check_interactions(const struct orr_cell_run *run, json_t *cost)
{
    double declared = orr_json_number(cost, "interactions"), pairs;
    if (declared == 0 || (run->capabilities & ORR_TREE_CODE))
        return 0;
    if (run->level < 0) {
        pairs = (double)run->bodies->n * ((double)run->bodies->n - 1);
    } else {
        int code = orr_reference_near_pairs(&pairs, run->bodies, run->level);
        if (code)
            return code;
    }
    pairs *= run->steps + 1.0;
    if (fabs(declared - pairs) <= ROUNDING * pairs)
        return 0;
    return orr_fail(ORR_EWRONG, "%.17g interactions are declared where there are %.17g", declared,
                    pairs);
}

/* The cheapest pair there is: two dimensions, evaluated once for both bodies, takes 11 instructions
 * (2 differences, 2 for the distance, 1 root, 2 for its cube, 4 sums) and serves two. */
static const double SLOTS_OF_CHEAPEST_PAIR = 5.5;
/* What is measured may exceed a ceiling that was measured at a lower clock. */
static const double CLOCKS = 1.2;

int orr_cell_work_check_rate(const struct orr_cell_run *run, json_t *record, json_t *ceiling)
{
    double rate = orr_json_number(record, "interactions_per_second"),
           fma = orr_json_number(ceiling, "fma_per_second"),
           most = CLOCKS * fma / SLOTS_OF_CHEAPEST_PAIR;
    if (!(rate > most) || !(fma > 0))
        return 0;
    return orr_fail(ORR_EWRONG,
                    "%.3g interactions/s are more than %s can do, whatever the pair (%.3g)", rate,
                    run->about ? orr_json_text(run->about, "device_name") : "the device", most);
}
