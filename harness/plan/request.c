/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "measure/counters.h"
#include "plan/plan.h"
#include "ranks/ranks.h"

/* NULL when nothing is asked for. */
static json_t *sampling_to_json(const struct orr_sampling *asked)
{
    const double least = asked->min_samples, precision = asked->precision,
                 limit_s = asked->time_limit_s;
    json_auto_t *object = json_pack("{s:o*, s:o*, s:o*, s:o*}", "min_samples",
                                    least > 0 ? json_integer((json_int_t)least) : NULL, "precision",
                                    precision > 0 ? json_real(precision) : NULL, "time_limit_s",
                                    limit_s > 0 ? json_real(limit_s) : NULL, "once",
                                    asked->once ? json_true() : NULL);
    return json_object_size(object) ? json_incref(object) : NULL;
}

/* `object` may be NULL: nothing was asked for. */
static int sampling_from_json(struct orr_sampling *out, const json_t *object)
{
    const bool cold = json_object_get(object, "cold"),
               locked = json_object_get(object, "lock_clocks_mhz");
    *out = (struct orr_sampling){.min_samples = orr_json_number(object, "min_samples"),
                                 .precision = orr_json_number(object, "precision"),
                                 .time_limit_s = orr_json_number(object, "time_limit_s"),
                                 .once = json_is_true(json_object_get(object, "once"))};
    return cold || locked
               ? orr_fail(ORR_EUSAGE,
                          "the run was begun with --%s, which is gone: begin another without it",
                          cold ? "cold" : "lock-clocks")
               : 0;
}

static json_t *to_list(const struct orr_words *words)
{
    return orr_json_list(words->items, (size_t)words->count);
}

json_t *orr_request_to_json(const struct orr_request *request)
{
    char shard[32] = "";
    if (request->shard.of)
        snprintf(shard, sizeof shard, "%d/%d", request->shard.number, request->shard.of);
    return json_pack(
        "{s:o, s:o, s:s?, s:o, s:o, s:o, s:o*, s:f, s:i, s:I, s:o*, s:o*, s:o*, s:s*, s:s*, "
        "s:s*, s:o*, s:o*}",
        "what", to_list(&request->what), "devices", to_list(&request->devices), "preset",
        request->preset, "set", to_list(&request->set), "only", to_list(&request->globs.only),
        "exclude", to_list(&request->globs.exclude), "programs",
        request->programs.count ? to_list(&request->programs) : NULL, "timeout_s",
        request->timeout_s, "repeats", request->repeats, "seed", (json_int_t)request->seed,
        "sandbox", request->sandbox ? json_true() : NULL, "energy",
        request->energy ? json_boolean(request->energy > 0) : NULL, "sampling",
        sampling_to_json(&request->sampling), "counters", request->counters, "shard",
        *shard ? shard : NULL, "campaign",
        *request->shard.campaign ? request->shard.campaign : NULL, "ranks",
        request->ranks > 1 ? json_integer(request->ranks) : NULL, "oversubscribe",
        request->oversubscribe ? json_true() : NULL);
}

static int read_list(struct orr_words *out, json_t *object, const char *member)
{
    json_t *list = json_object_get(object, member), *item;
    size_t k;
    if (list && !json_is_array(list))
        return orr_fail(ORR_EINPUT, "request: '%s' is no list", member);
    out->items = orr_memory_get((json_array_size(list) + 1) * sizeof *out->items);
    json_array_foreach (list, k, item) {
        if (!json_is_string(item))
            return orr_fail(ORR_EINPUT, "request: '%s' holds something that is no text", member);
        out->items[out->count++] = orr_memory_text(json_string_value(item));
    }
    return 0;
}

int orr_request_from_json(struct orr_request *out, json_t *object)
{
    memset(out, 0, sizeof *out);
    if (!json_is_object(object))
        return orr_fail(ORR_EINPUT, "request: not an object");
    int code = read_list(&out->what, object, "what") ||
                       read_list(&out->devices, object, "devices") ||
                       read_list(&out->set, object, "set") ||
                       read_list(&out->programs, object, "programs") ||
                       read_list(&out->globs.only, object, "only") ||
                       read_list(&out->globs.exclude, object, "exclude")
                   ? orr_error_failed()
                   : 0;
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
    if (!code && shard && (code = orr_plan_shard_read(&out->shard, shard)))
        code = orr_error_context("request");
    const char *campaign = orr_json_text(object, "campaign");
    snprintf(out->shard.campaign, sizeof out->shard.campaign, "%s", campaign ? campaign : "");
    out->sandbox = json_is_true(json_object_get(object, "sandbox"));
    const json_t *energy = json_object_get(object, "energy");
    out->energy = json_is_true(energy) ? 1 : json_is_false(energy) ? -1 : 0;
    out->ranks = (int)orr_json_integer(object, "ranks");
    if (!code && (out->ranks < 0 || out->ranks > ORR_MAX_RANKS))
        code = orr_fail(ORR_EINPUT, "request: 'ranks' is not 1 to %d", ORR_MAX_RANKS);
    out->oversubscribe = json_is_true(json_object_get(object, "oversubscribe"));
    if (!code)
        code = sampling_from_json(&out->sampling, json_object_get(object, "sampling"));
    if (code)
        orr_request_release(out);
    return code;
}

void orr_request_release(struct orr_request *request)
{
    orr_names_free(request->what.items);
    orr_names_free(request->devices.items);
    orr_names_free(request->set.items);
    orr_names_free(request->programs.items);
    orr_names_free(request->globs.only.items);
    orr_names_free(request->globs.exclude.items);
    free((char *)request->counters);
    free((char *)request
             ->preset); /* owned, although const for callers that fill a request themselves */
    memset(request, 0, sizeof *request);
}
