#include "run/extrapolate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run/cell_record.h"

/* Members that belong to the variant and the device. The error does not: nothing was verified at
 * this size. */
static void copy_members(json_t *to, json_t *from)
{
    static const char *const names[] = {"device_name", "plugin_sha256", "build_flags", "note"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        json_t *value = json_object_get(from, names[k]);
        if (value)
            json_object_set(to, names[k], value);
    }
}

static double size_of(json_t *record)
{
    return json_number_value(json_object_get(json_object_get(record, "dataset"), "n"));
}

/* `factor` on times and work; settings, steps among them, are the same in both. */
static void scale_members(json_t *to, json_t *from, double factor)
{
    static const char *const names[] = {"seconds",      "kernel_seconds", "end_to_end_seconds",
                                        "interactions", "flops_true",     "flops_convention",
                                        "bytes_min"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        json_t *value = json_object_get(from, names[k]);
        if (json_is_number(value))
            json_object_set_new(to, names[k], json_real(factor * json_number_value(value)));
    }
    json_t *interval = json_object_get(from, "interval");
    if (json_array_size(interval) == 2)
        json_object_set_new(to, "interval",
                            json_pack("[f, f]",
                                      factor * json_number_value(json_array_get(interval, 0)),
                                      factor * json_number_value(json_array_get(interval, 1))));
    json_object_set(to, "interactions_per_second",
                    json_object_get(from, "interactions_per_second"));
    if (json_is_number(json_object_get(from, "bodies_per_second")))
        json_object_set_new(
            to, "bodies_per_second",
            json_real(size_of(to) / size_of(from) / factor *
                      json_number_value(json_object_get(from, "bodies_per_second"))));
    json_object_set(to, "noise_floor", json_object_get(from, "noise_floor"));
}

/* The source's typed parameters with this cell's own settings over them. */
static void merge_parameters(json_t *to, json_t *from)
{
    json_t *merged = json_copy(json_object_get(from, "parameters"));
    if (merged && !json_object_update(merged, json_object_get(to, "parameters")))
        json_object_set(to, "parameters", merged);
    json_decref(merged);
}

/* The measured cell: the same work (plan_limit.c) at another n. */
static struct orr_cell measured_cell(const struct orr_cell *cell, json_t *source)
{
    struct orr_cell measured = *cell;
    measured.n = (uint64_t)size_of(source);
    return measured;
}

static bool is_ok(json_t *record)
{
    const char *outcome = json_string_value(json_object_get(record, "outcome"));
    return outcome && !strcmp(outcome, "ok");
}

json_t *orr_cell_record_extrapolate(const struct orr_cell *cell, json_t *source)
{
    json_t *record = orr_cell_record_begin(cell);
    if (!record)
        return NULL;
    char reason[512];
    struct orr_cell measured = measured_cell(cell, source);
    double pairs = orr_cell_pairs(&measured);
    uint64_t per_box = orr_cell_per_box(&measured);
    json_object_set_new(record, "extrapolated_from", json_string(cell->extrapolate_from));
    if (source && is_ok(source) && pairs > 0) {
        copy_members(record, source);
        merge_parameters(record, source);
        scale_members(record, source, orr_cell_pairs(cell) / pairs);
        json_object_set_new(record, "outcome", json_string("ok"));
        snprintf(reason, sizeof reason, "extrapolated from %s=%" PRIu64 " by %s",
                 per_box ? "P" : "n", per_box ? per_box : measured.n,
                 orr_cell_theta(cell) > 0 ? "n log n" : "interactions");
    } else {
        const char *why = json_string_value(json_object_get(source, "reason"));
        snprintf(reason, sizeof reason, "the cell it is extrapolated from %s%s%s",
                 source ? "failed" : "did not finish", why && *why ? ": " : "", why ? why : "");
    }
    json_object_set_new(record, "reason", json_string(reason));
    json_object_set_new(record, "wall_s", json_real(0));
    json_object_set_new(
        record, "samples",
        json_pack("{s:[], s:[], s:[], s:[]}", "step_s", "kernel_s", "end_to_end_s", "throttled"));
    return record;
}
