/* The plan of a calibration: what the preset `paper` would measure with one GPU. */
#include <stdlib.h>
#include <string.h>

#include "calibrate/calibrate_parts.h"
#include "error.h"
#include "plugin/plugin.h"
#include "run/cell_record.h"

const struct orr_device_info orr_calibrate_device = {.id = ORR_CALIBRATE_DEVICE,
                                                     .backend = "cuda",
                                                     .name = "the paper's",
                                                     .kind = ORR_DEVICE_GPU,
                                                     .fp64 = true};

/* Defaults that come from the data set are not known. */
static int add_defaults(json_t *parameters, const struct orr_inspection *inspection)
{
    for (size_t k = 0; k < inspection->variant.param_count; k++) {
        const struct orr_param *param = &inspection->params[k];
        if (json_object_get(parameters, param->name))
            continue;
        json_t *value = orr_params_value(param, param->fallback);
        if (json_is_null(value))
            json_decref(value);
        else if (json_object_set_new(parameters, param->name, value))
            return orr_fail(ORR_EMEMORY, "no memory for a calibration");
    }
    return 0;
}

static bool is_first(const struct orr_plan *plan, size_t at)
{
    for (size_t k = 0; k < at; k++)
        if (!strcmp(plan->cells[k].variant, plan->cells[at].variant))
            return false;
    return true;
}

/* Of all cells of one variant, which is inspected once. */
static int add_all_defaults(struct orr_calibration *c, const char *variant)
{
    struct orr_inspection inspection;
    int code = orr_plugin_inspect(&inspection, variant);
    for (size_t k = 0; !code && k < c->plan.count; k++)
        if (!strcmp(c->plan.cells[k].variant, variant))
            code = add_defaults(json_object_get(json_array_get(c->records, k), "parameters"),
                                &inspection);
    orr_inspect_release(&inspection);
    return code;
}

static int begin_records(struct orr_calibration *c)
{
    int code = 0;
    c->records = json_array();
    for (size_t k = 0; !code && k < c->plan.count; k++)
        if (json_array_append_new(c->records, orr_cell_record_begin(&c->plan.cells[k])))
            code = orr_fail(ORR_EMEMORY, "no memory for a calibration");
    for (size_t k = 0; !code && k < c->plan.count; k++)
        if (is_first(&c->plan, k))
            code = add_all_defaults(c, c->plan.cells[k].variant);
    return code;
}

static long long place_of(const struct orr_plan *plan, const char *id)
{
    for (size_t k = 0; *id && k < plan->count; k++)
        if (!strcmp(plan->cells[k].id, id))
            return (long long)k;
    return -1;
}

static int put(struct orr_ledger *ledger, const struct orr_calibration *c, size_t at)
{
    const struct orr_cell *cell = &c->plan.cells[at];
    char *parameters =
        json_dumps(json_object_get(json_array_get(c->records, at), "parameters"), JSON_COMPACT);
    if (!parameters)
        return orr_fail(ORR_EMEMORY, "no memory for a calibration");
    int code = orr_ledger_run(
        ledger,
        "INSERT INTO planned SELECT ?, ?, ?, ?, ?, ?, ?, nullif(?, -1), nullif(?, 0),"
        " json_extract(?10, '$.steps'), json_extract(?10, '$.theta'), ?10, ?, nullif(?, -1)",
        "isssssiiisdi", (long long)at, cell->id, cell->experiment, cell->variant, cell->device,
        cell->dataset, (long long)cell->n, (long long)orr_cell_level(cell),
        (long long)orr_cell_per_box(cell), parameters, orr_cell_pairs(cell),
        place_of(&c->plan, cell->extrapolate_from));
    free(parameters);
    return code;
}

int orr_calibrate_plan(struct orr_calibration *calibration, struct orr_ledger *ledger)
{
    char id[sizeof orr_calibrate_device.id];
    char *what[] = {calibration->paper->key}, *devices[] = {strcpy(id, orr_calibrate_device.id)};
    const struct orr_request request = {
        .what = what, .what_count = 1, .devices = devices, .device_count = 1, .preset = "paper"};
    int code = orr_plan_make(&calibration->plan, &request, &orr_calibrate_device, 1);
    if (!code)
        code = begin_records(calibration);
    for (size_t k = 0; !code && k < calibration->plan.count; k++)
        code = put(ledger, calibration, k);
    return code;
}

void orr_calibrate_release(struct orr_calibration *calibration)
{
    json_decref(calibration->records);
    orr_plan_release(&calibration->plan);
}
