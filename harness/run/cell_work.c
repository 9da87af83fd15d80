#include "run/cell_work.h"

#include <math.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "measure/ceiling.h"

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
        const struct orr_reference_of of = {
            .bodies = run->bodies, .sha256 = run->sha256, .level = run->level};
        const struct orr_reference_near *near;
        int code = orr_referee_cache_near(&run->referee->cache, &near, &of);
        if (code)
            return code;
        pairs = orr_reference_near_pairs(near);
    }
    pairs *= run->steps + 1.0;
    if (fabs(declared - pairs) <= ROUNDING * pairs)
        return 0;
    return orr_fail(ORR_EWRONG, "%.17g interactions are declared where there are %.17g", declared,
                    pairs);
}

/* A step may exceed a ceiling that was measured at a lower clock; a processor's, beside other
 * programs that it did not have beside it. */
static const double CLOCKS = 1.2, COMPANY = 3;

/* Cells of a tree with quadrupoles act by another mix than bodies: the ledger makes their ceiling
 * of two kinds. Double precision has other units. */
const char *orr_cell_work_pair(uint32_t capabilities, int dimensions)
{
    bool both = capabilities & ORR_THIRD_LAW;
    bool cells = (capabilities & ORR_TREE_CODE) && !(capabilities & ORR_MONOPOLES);
    if (capabilities & ORR_NEEDS_FP64)
        return "other";
    if (cells)
        return dimensions == 3 ? "3d-tree" : "other";
    if (capabilities & ORR_MATRIX_UNITS)
        return orr_ceiling_name(ORR_CEILING_3D_MATRIX);
    return orr_ceiling_name(dimensions == 3 ? both ? ORR_CEILING_3D_BOTH : ORR_CEILING_3D
                            : both          ? ORR_CEILING_2D_BOTH
                                            : ORR_CEILING_2D);
}

/* Pairs per second of the cheapest kind, matrix units for those that declare them; 0: unknown. */
static double ceiling_of(const struct orr_cell_run *run, json_t *ceiling)
{
    json_t *pairs = json_object_get(ceiling, "pairs");
    double of = fmax(orr_json_number(pairs, orr_cell_work_pair(0, run->dimensions)),
                     orr_json_number(pairs, orr_cell_work_pair(ORR_THIRD_LAW, run->dimensions)));
    if (run->capabilities & ORR_MATRIX_UNITS)
        of = orr_json_number(pairs, orr_cell_work_pair(ORR_MATRIX_UNITS, run->dimensions));
    const char *kind = orr_json_text(run->about, "device_kind");
    return of * (kind && !strcmp(kind, "gpu") ? CLOCKS : COMPANY);
}

int orr_cell_work_check_rate(const struct orr_cell_run *run, json_t *record, json_t *ceiling)
{
    double rate = orr_json_number(record, "interactions_per_second"),
           most = ceiling_of(run, ceiling) * (run->ranks > 1 ? run->ranks : 1);
    if (!(rate > most) || !(most > 0))
        return 0;
    return orr_fail(ORR_EWRONG, "%.3g interactions/s are above the ceiling of %s, %.3g", rate,
                    orr_json_text(run->about, "device_name"), most);
}
