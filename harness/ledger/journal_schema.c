#include "ledger/journal_schema.h"

#include <stdio.h>
#include <string.h>

#include "json_member.h"
#include "ledger/journal.h"

enum type { TEXT, NUMBER, COUNT, FLAG, LIST, OBJECT, TYPES };
static const char *const type_names[TYPES] = {"text", "number", "count", "flag", "list", "object"};

/* A member that is not needed may be absent or null. */
struct member {
    const char *path;
    enum type type;
    bool needed;
};

static const struct member run_members[] = {
    {"schema", COUNT, true},           {"run", TEXT, true},
    {"started", TEXT, true},           {"request", OBJECT, true},
    {"request/what", LIST, true},      {"request/devices", LIST, false},
    {"request/repeats", COUNT, false}, {"request/seed", COUNT, false},
    {"request/shard", TEXT, false},    {"orrery", OBJECT, true},
    {"orrery/version", TEXT, true},    {"orrery/commit", TEXT, true},
    {"machine", OBJECT, true},         {"machine/name", TEXT, true},
    {"machine/cpu", TEXT, true},       {"machine/cores", COUNT, false},
    {"machine_chosen", FLAG, false},   {"devices", LIST, true},
    {"sandbox", TEXT, false},          {"locks", OBJECT, false},
    {"environment", OBJECT, false},    {"shard", OBJECT, false},
    {"shard/number", COUNT, false},    {"shard/of", COUNT, false},
    {"shard/cells", COUNT, false},     {"shard/plan_cells", COUNT, false},
    {"shard/plan", TEXT, false},
};

static const struct member resume_members[] = {
    {"started", TEXT, true},  {"orrery", OBJECT, true},       {"sandbox", TEXT, false},
    {"locks", OBJECT, false}, {"environment", OBJECT, false},
};

static const struct member ceiling_members[] = {
    {"device", TEXT, true},
    {"device_name", TEXT, true},
    {"interactions_per_second", NUMBER, true},
    {"fma_per_second", NUMBER, true},
    {"round", COUNT, false},
    {"clock_mhz", NUMBER, false},
    {"throttle_reasons", LIST, false},
    {"pairs", OBJECT, false},
};

static const struct member access_members[] = {
    {"device", TEXT, true}, {"device_name", TEXT, true},  {"round", COUNT, false},
    {"rates", LIST, true},  {"clock_mhz", NUMBER, false}, {"sensors", OBJECT, false},
};

static const struct member cell_members[] = {
    {"id", TEXT, true},
    {"experiment", TEXT, true},
    {"variant", TEXT, true},
    {"device", TEXT, true},
    {"round", COUNT, false},
    {"device_name", TEXT, false},
    {"dataset", OBJECT, true},
    {"dataset/name", TEXT, true},
    {"dataset/n", COUNT, true},
    {"dataset/seed", COUNT, false},
    {"dataset/sha256", TEXT, false},
    {"parameters", OBJECT, true},
    {"policy", OBJECT, false},
    {"tuning", OBJECT, false},
    {"tuning/stage", TEXT, false},
    {"tuning/knobs", OBJECT, false},
    {"outcome", TEXT, true},
    {"reason", TEXT, true},
    {"timeout_s", NUMBER, false},
    {"unfinished", OBJECT, false},
    {"started", TEXT, true},
    {"wall_s", NUMBER, true},
    {"plugin_sha256", TEXT, false},
    {"build_flags", TEXT, false},
    {"note", TEXT, false},
    {"kernels", LIST, false},
    {"samples", OBJECT, false},
    {"samples/step_s", LIST, false},
    {"samples/kernel_s", LIST, false},
    {"samples/end_to_end_s", LIST, false},
    {"mode", TEXT, false},
    {"batch", COUNT, false},
    {"single_seconds", NUMBER, false},
    {"single_batch", COUNT, false},
    {"kernel_clock", TEXT, false},
    {"kernel_clock_reason", TEXT, false},
    {"flushed_bytes", COUNT, false},
    {"once", FLAG, false},
    {"recorded", FLAG, false},
    {"timed", TEXT, false},
    {"remarks", LIST, false},
    {"checks", LIST, false},
    {"phases", LIST, false},
    {"stages", LIST, false},
    {"seconds", NUMBER, false},
    {"interval", LIST, false},
    {"kernel_seconds", NUMBER, false},
    {"end_to_end_seconds", NUMBER, false},
    {"stop", TEXT, false},
    {"warmups", COUNT, false},
    {"pair", TEXT, false},
    {"interactions", NUMBER, false},
    {"interactions_per_second", NUMBER, false},
    {"bodies_per_second", NUMBER, false},
    {"flops_convention", NUMBER, false},
    {"flops_true", NUMBER, false},
    {"bytes_min", NUMBER, false},
    {"figures", OBJECT, false},
    {"error", OBJECT, false},
    {"error/bound", OBJECT, false},
    {"conservation", OBJECT, false},
    {"trajectory", OBJECT, false},
    {"motion", OBJECT, false},
    {"sensors", OBJECT, false},
    {"energy", OBJECT, false},
    {"surroundings", OBJECT, false},
    {"beside", TEXT, false},
    {"counts", OBJECT, false},
    {"counters", LIST, false},
    {"counters_s", NUMBER, false},
    {"harness_s", NUMBER, false},
    {"harness_parts", OBJECT, false},
    {"bodies_file", TEXT, false},
    {"extrapolated_from", TEXT, false},
    {"noise_floor", NUMBER, false}, /* before there were rounds */
};

static const struct member self_members[] = {
    {"finished", TEXT, true},
    {"first", TEXT, true},
    {"devices", LIST, false},
    {"margin", NUMBER, false},
    {"comparisons", COUNT, true},
    {"different", COUNT, true},
    {"same", COUNT, false},
    {"not_told_apart", COUNT, false},
    {"unclear", COUNT, false},
    {"beside", COUNT, false},
    {"changed", COUNT, false},
    {"median_difference", NUMBER, false},
    {"largest_difference", NUMBER, false},
    {"steps", LIST, false},
};

static const struct member tuned_members[] = {
    {"finished", TEXT, true},     {"variant", TEXT, true},
    {"device", TEXT, true},       {"device_name", TEXT, true},
    {"driver", TEXT, true},       {"plugin_sha256", TEXT, true},
    {"experiment", TEXT, true},   {"dataset", OBJECT, true},
    {"parameters", OBJECT, true}, {"candidates", OBJECT, true},
    {"strategy", TEXT, true},     {"seed", COUNT, true},
    {"budget_s", NUMBER, false},  {"out_of_budget", FLAG, true},
    {"wall_s", NUMBER, true},     {"configurations", NUMBER, true},
    {"measured", COUNT, true},    {"outcomes", OBJECT, true},
    {"rows", LIST, true},         {"refused", LIST, true},
    {"sensitivity", LIST, true},  {"default", OBJECT, true},
    {"best", OBJECT, false},      {"knobs", OBJECT, true},
    {"verdict", TEXT, true},      {"gain", FLAG, true},
    {"ratio", NUMBER, false},     {"interval", LIST, false},
    {"p", NUMBER, false},         {"margin", NUMBER, true},
};

static const struct member end_members[] = {
    {"finished", TEXT, true},    {"ok", COUNT, true},          {"wrong", COUNT, true},
    {"failed", COUNT, true},     {"unsupported", COUNT, true}, {"wrong_on_purpose", COUNT, false},
    {"interrupted", FLAG, true},
};

#define MEMBERS(list) (list), sizeof(list) / sizeof *(list)
static const struct kind {
    const char *name;
    const struct member *members;
    size_t count;
} kinds[] = {
    {"run", MEMBERS(run_members)},         {"resume", MEMBERS(resume_members)},
    {"ceiling", MEMBERS(ceiling_members)}, {"access_ceilings", MEMBERS(access_members)},
    {"cell", MEMBERS(cell_members)},       {"self", MEMBERS(self_members)},
    {"tuned", MEMBERS(tuned_members)},     {"end", MEMBERS(end_members)},
};

static const struct kind *kind_of(const json_t *record)
{
    const char *name = orr_json_text(record, "record");
    for (size_t k = 0; name && k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k].name, name))
            return &kinds[k];
    return NULL;
}

static bool is_of(const json_t *value, enum type type)
{
    switch (type) {
    case TEXT:
        return json_is_string(value);
    case NUMBER:
        return json_is_number(value);
    case COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case FLAG:
        return json_is_boolean(value);
    case LIST:
        return json_is_array(value);
    default:
        return json_is_object(value);
    }
}

static bool is_outcome(const char *outcome)
{
    static const char *const outcomes[] = {
        "ok",          "wrong",     "crashed", "timed out",
        "unsupported", "no memory", "failed",  ORR_OUTCOME_WRONG_ON_PURPOSE};
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++)
        if (!strcmp(outcomes[k], outcome))
            return true;
    return false;
}

bool orr_journal_misfit(char *why, size_t size, const json_t *record)
{
    const char *name = orr_json_text(record, "record");
    const struct kind *kind = kind_of(record);
    if (!kind) {
        snprintf(why, size, name ? "there is no record '%s'" : "it is no record", name);
        return true;
    }
    for (size_t k = 0; k < kind->count; k++) {
        const struct member *member = &kind->members[k];
        const json_t *value = orr_json_follow(record, member->path);
        const bool absent = !value || json_is_null(value);
        if (absent ? !member->needed : is_of(value, member->type))
            continue;
        snprintf(why, size, absent ? "%s lacks %s" : "%s: %s is no %s", name, member->path,
                 type_names[member->type]);
        return true;
    }
    const json_int_t schema = orr_json_integer(record, "schema");
    const char *outcome = orr_json_text(record, "outcome");
    if (schema > ORR_JOURNAL_SCHEMA)
        snprintf(why, size, "its schema is %d and this Orrery reads up to %d", (int)schema,
                 ORR_JOURNAL_SCHEMA);
    else if (outcome && !is_outcome(outcome))
        snprintf(why, size, "cell: there is no outcome '%.40s'", outcome);
    else
        return false;
    return true;
}

void orr_journal_strangers(json_t *names, const json_t *record)
{
    const struct kind *kind = kind_of(record);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)record, name, value)
    {
        bool known = !kind || !strcmp(name, "record") || !strcmp(name, "check");
        for (size_t k = 0; !known && k < kind->count; k++)
            known = !strcmp(kind->members[k].path, name);
        if (known)
            continue;
        char whole[160];
        snprintf(whole, sizeof whole, "%s/%s", kind->name, name);
        json_object_set_new(names, whole, json_true());
    }
}
