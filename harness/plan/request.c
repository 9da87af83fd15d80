#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "measure/counters.h"
#include "plan/plan.h"
#include "ranks/ranks.h"

static json_t *list_to_json(char *const *items, int count)
{
    json_t *list = json_array();
    for (int k = 0; list && k < count; k++)
        json_array_append_new(list, json_string(items[k]));
    return list;
}

json_t *orr_request_to_json(const struct orr_request *request)
{
    char shard[32] = "";
    if (request->shard.of)
        snprintf(shard, sizeof shard, "%d/%d", request->shard.number, request->shard.of);
    return json_pack(
        "{s:o, s:o, s:s?, s:o, s:o, s:o, s:f, s:i, s:I, s:o*, s:o*, s:o*, s:s*, s:s*, s:o*, s:o*}",
        "what", list_to_json(request->what, request->what_count), "devices",
        list_to_json(request->devices, request->device_count), "preset", request->preset, "set",
        list_to_json(request->set, request->set_count), "only",
        list_to_json(request->only, request->only_count), "exclude",
        list_to_json(request->exclude, request->exclude_count), "timeout_s", request->timeout_s,
        "repeats", request->repeats, "seed", (json_int_t)request->seed, "sandbox",
        request->sandbox ? json_true() : NULL, "energy",
        request->energy ? json_boolean(request->energy > 0) : NULL, "sampling",
        orr_sampling_to_json(&request->sampling), "counters", request->counters, "shard",
        *shard ? shard : NULL, "ranks", request->ranks > 1 ? json_integer(request->ranks) : NULL,
        "oversubscribe", request->oversubscribe ? json_true() : NULL);
}

static int list_from_json(char ***out, int *out_count, json_t *list, const char *member)
{
    if (list && !json_is_array(list))
        return orr_fail(ORR_EINPUT, "request: '%s' is no list", member);
    size_t count = json_array_size(list);
    *out = orr_memory_get((count + 1) * sizeof **out);
    for (size_t k = 0; k < count; k++) {
        const char *text = json_string_value(json_array_get(list, k));
        if (!text)
            return orr_fail(ORR_EINPUT, "request: '%s' holds something that is no text", member);
        (*out)[k] = orr_memory_text(text);
        ++*out_count;
    }
    return 0;
}

static int read_lists(struct orr_request *out, json_t *object)
{
    struct {
        const char *member;
        char ***items;
        int *count;
    } lists[] = {
        {"what", &out->what, &out->what_count},
        {"devices", &out->devices, &out->device_count},
        {"set", &out->set, &out->set_count},
        {"only", &out->only, &out->only_count},
        {"exclude", &out->exclude, &out->exclude_count},
    };
    int code = 0;
    for (size_t k = 0; !code && k < sizeof lists / sizeof *lists; k++)
        code = list_from_json(lists[k].items, lists[k].count,
                              json_object_get(object, lists[k].member), lists[k].member);
    return code;
}

int orr_request_from_json(struct orr_request *out, json_t *object)
{
    memset(out, 0, sizeof *out);
    if (!json_is_object(object))
        return orr_fail(ORR_EINPUT, "request: not an object");
    int code = read_lists(out, object);
    const char *preset = orr_json_text(object, "preset");
    if (!code && preset)
        out->preset = orr_memory_text(preset);
    const char *counters = orr_json_text(object, "counters");
    if (!code && counters && !(code = orr_counters_check(counters)))
        out->counters = orr_memory_text(counters);
    out->timeout_s = orr_json_number(object, "timeout_s");
    /* Before there were rounds a request said nothing of them. */
    out->repeats =
        json_object_get(object, "repeats") ? (int)orr_json_integer(object, "repeats") : 1;
    if (!code && (out->repeats < 0 || out->repeats > ORR_MAX_REPEATS))
        code = orr_fail(ORR_EINPUT, "request: 'repeats' is not 0 to %d", ORR_MAX_REPEATS);
    out->seed = (uint64_t)orr_json_integer(object, "seed");
    const char *shard = orr_json_text(object, "shard");
    if (!code && shard && (code = orr_shard_read(&out->shard, shard)))
        code = orr_error_context("request");
    out->sandbox = json_is_true(json_object_get(object, "sandbox"));
    const json_t *energy = json_object_get(object, "energy");
    out->energy = json_is_true(energy) ? 1 : json_is_false(energy) ? -1 : 0;
    out->ranks = (int)orr_json_integer(object, "ranks");
    if (!code && (out->ranks < 0 || out->ranks > ORR_MAX_RANKS))
        code = orr_fail(ORR_EINPUT, "request: 'ranks' is not 1 to %d", ORR_MAX_RANKS);
    out->oversubscribe = json_is_true(json_object_get(object, "oversubscribe"));
    if (!code)
        code = orr_sampling_from_json(&out->sampling, json_object_get(object, "sampling"));
    if (code)
        orr_request_release(out);
    return code;
}

static void free_list(char **items, int count)
{
    for (int k = 0; items && k < count; k++)
        free(items[k]);
    free(items);
}

void orr_request_release(struct orr_request *request)
{
    free_list(request->what, request->what_count);
    free_list(request->devices, request->device_count);
    free_list(request->set, request->set_count);
    free_list(request->only, request->only_count);
    free_list(request->exclude, request->exclude_count);
    free((char *)request->counters);
    free((char *)request
             ->preset); /* owned, although const for callers that fill a request themselves */
    memset(request, 0, sizeof *request);
}
