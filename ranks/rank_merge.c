/* SPDX-License-Identifier: MIT */
#include "ranks/rank_merge.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "error.h"
#include "json_member.h"

/* --- failures --- */

/* The first that failed. With its number, unless all say the same. */
static json_t *merge_failed(json_t *const answers[], int size)
{
    int first = -1, alike = 0;
    for (int k = 0; k < size; k++)
        if (first < 0 && orr_json_is(answers[k], "say", "failed"))
            first = k;
    const char *text = orr_json_text(answers[first], "text");
    for (int k = 0; k < size; k++) {
        const char *own = answers[k] ? orr_json_text(answers[k], "text") : NULL;
        alike += own && text && !strcmp(own, text);
    }
    json_t *merged = json_deep_copy(answers[first]);
    if (alike < size)
        json_object_set_new(merged, "text",
                            json_sprintf("rank %d: %s", first, text ? text : "failed"));
    return merged;
}

/* --- what is the largest, or true of all --- */

static void take_largest(json_t *merged, json_t *const answers[], int size, const char *name)
{
    double largest = orr_json_number(answers[0], name);
    for (int k = 1; k < size; k++)
        largest = fmax(largest, orr_json_number(answers[k], name));
    if (json_object_get(answers[0], name))
        json_object_set_new(merged, name, json_real(largest));
}

static void take_sum(json_t *merged, json_t *const answers[], int size, const char *name)
{
    json_int_t sum = 0;
    for (int k = 0; k < size; k++)
        sum += orr_json_integer(answers[k], name);
    if (json_object_get(answers[0], name))
        json_object_set_new(merged, name, json_integer(sum));
}

/* Of each step the slowest rank's time; not known where one does not tell. */
static void take_slowest(json_t *merged, json_t *const answers[], int size, const char *name)
{
    size_t count = json_array_size(json_object_get(answers[0], name));
    json_t *slowest = json_array();
    for (int k = 0; k < size; k++)
        if (json_array_size(json_object_get(answers[k], name)) != count)
            count = 0;
    for (size_t i = 0; i < count; i++) {
        double most = 0;
        for (int k = 0; k < size; k++)
            most =
                fmax(most, json_number_value(json_array_get(json_object_get(answers[k], name), i)));
        json_array_append_new(slowest, json_real(most));
    }
    if (count)
        json_object_set(merged, name, slowest);
    else
        json_object_del(merged, name);
    json_decref(slowest);
}

static double sum_of(const json_t *list)
{
    double sum = 0;
    for (size_t k = 0; k < json_array_size(list); k++)
        sum += json_number_value(json_array_get(list, k));
    return sum;
}

/* --- steps --- */

/* What the ranks say of steps that were replayed: a list of theirs, and the slowest one's. */
static void merge_replayed(json_t *merged, json_t *const answers[], int size)
{
    json_t *ranks = json_array();
    const json_t *slowest = NULL;
    for (int k = 0; k < size; k++) {
        json_t *own = json_object_get(answers[k], "replayed");
        if (own)
            json_array_append(ranks, own);
        if (own && (!slowest || sum_of(json_object_get(own, "kernel_s")) >
                                    sum_of(json_object_get(slowest, "kernel_s"))))
            slowest = own;
    }
    json_object_del(merged, "replayed");
    if (json_array_size(ranks) == (size_t)size) {
        json_object_set(merged, "replayed_ranks", ranks);
        json_object_set(merged, "replayed_phases", json_object_get(slowest, "phases"));
        json_object_set(merged, "replayed_kernel_s",
                        json_array_get(json_object_get(slowest, "kernel_s"), 0));
    }
    json_decref(ranks);
}

/* Phases and stages are those of the slowest rank, so that they belong to the step's time. */
static json_t *merge_steps(json_t *const answers[], int size)
{
    static const char *const slowest[] = {"step_s", "kernel_s", "device_s"};
    static const char *const largest[] = {"work_s",  "queued_s",    "upload_s",   "own_upload_s",
                                          "fetch_s", "own_fetch_s", "going_on_s", "heap_bytes",
                                          "buffers", "buffer_bytes"};
    static const char *const summed[] = {"queued_launches", "launches", "upload_launches",
                                         "fetch_launches"};
    static const char *const own[] = {"step_s", "kernel_s", "phases", "within"};
    json_t *merged = json_copy(answers[0]), *ranks = json_array();
    int last = 0;
    bool phi = true;
    for (int k = 0; k < size; k++) {
        json_t *rank = json_object();
        for (size_t m = 0; m < sizeof own / sizeof *own; m++)
            json_object_set(rank, own[m], json_object_get(answers[k], own[m]));
        json_array_append_new(ranks, rank);
        phi = phi && json_is_true(json_object_get(answers[k], "has_phi"));
        if (sum_of(json_object_get(answers[k], "step_s")) >
            sum_of(json_object_get(answers[last], "step_s")))
            last = k;
    }
    for (size_t m = 0; m < sizeof slowest / sizeof *slowest; m++)
        take_slowest(merged, answers, size, slowest[m]);
    for (size_t m = 0; m < sizeof largest / sizeof *largest; m++)
        take_largest(merged, answers, size, largest[m]);
    for (size_t m = 0; m < sizeof summed / sizeof *summed; m++)
        take_sum(merged, answers, size, summed[m]);
    json_object_set(merged, "phases", json_object_get(answers[last], "phases"));
    json_object_set(merged, "within", json_object_get(answers[last], "within"));
    json_object_set_new(merged, "has_phi", json_boolean(phi));
    json_object_set_new(merged, "ranks", ranks);
    merge_replayed(merged, answers, size);
    return merged;
}

/* --- the others --- */

static json_t *merge_load(json_t *const answers[], int size)
{
    const char *first = orr_json_text(answers[0], "plugin_sha256");
    for (int k = 1; k < size; k++) {
        const char *own = orr_json_text(answers[k], "plugin_sha256");
        if (own && first && !strcmp(own, first))
            continue;
        orr_fail(ORR_EUNSUPPORTED, "rank %d has another build of %s than rank 0: %.12s, not %.12s",
                 k, orr_json_text(answers[0], "name"), own ? own : "none", first ? first : "none");
        return NULL;
    }
    return json_copy(answers[0]);
}

static json_t *merge_open(json_t *const answers[], int size)
{
    json_t *merged = json_copy(answers[0]), *devices = json_array();
    for (int k = 0; k < size; k++)
        json_array_append(devices, json_object_get(answers[k], "device"));
    json_object_set_new(merged, "rank_devices", devices);
    take_largest(merged, answers, size, "opening_s");
    return merged;
}

static json_t *merge_close(json_t *const answers[], int size)
{
    json_t *merged = json_copy(answers[0]);
    take_sum(merged, answers, size, "printed");
    take_sum(merged, answers, size, "buffers");
    for (int k = 0; k < size; k++)
        if (json_object_get(answers[k], "changed"))
            json_object_set(merged, "changed", json_object_get(answers[k], "changed"));
    return merged;
}

static void merge_fate(json_t *merged, json_t *const answers[], int size)
{
    bool lost = false;
    for (int k = 0; k < size; k++)
        lost = lost || json_is_true(json_object_get(answers[k], "lost"));
    json_object_set_new(merged, "lost", json_boolean(lost));
    take_largest(merged, answers, size, "own_s");
}

json_t *orr_rank_merge(const char *ask, json_t *const answers[], int size)
{
    for (int k = 0; k < size; k++)
        if (orr_json_is(answers[k], "say", "failed"))
            return merge_failed(answers, size);
    json_t *merged = !strcmp(ask, "load")    ? merge_load(answers, size)
                     : !strcmp(ask, "open")  ? merge_open(answers, size)
                     : !strcmp(ask, "step")  ? merge_steps(answers, size)
                     : !strcmp(ask, "close") ? merge_close(answers, size)
                                             : json_copy(answers[0]);
    if (merged)
        merge_fate(merged, answers, size);
    return merged;
}
