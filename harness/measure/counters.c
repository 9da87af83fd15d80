/* SPDX-License-Identifier: MIT */
/* Choosing groups of counters, and counting one step by a source of them. */
#include "measure/counters.h"

#include <string.h>

#include "error.h"
#include "names.h"
#include "text.h"

const struct orr_counter_source *const orr_counters_all[] = {
    &orr_counters_cupti_patched, &orr_counters_cupti_hardware, &orr_counters_papi, NULL};

/* --- what is asked for --- */

uint32_t orr_counters_wanted(const struct orr_counter_source *source, const char *groups)
{
    uint32_t wanted = 0;
    bool all = !strcmp(groups, "auto") || orr_text_lists(groups, source->name);
    for (int k = 0; source->groups[k].name; k++)
        if (all || orr_text_lists(groups, source->groups[k].name))
            wanted |= UINT32_C(1) << k;
    return wanted;
}

/* Sources and groups of earlier releases. */
static const char *instead_of(const char *word)
{
    if (!strcmp(word, "sde") || !strcmp(word, "work"))
        return "interactions, figures and counts stand in each record";
    if (!strcmp(word, "gpm") || !strcmp(word, "activity"))
        return "`--counters cupti` counts on NVIDIA GPUs, and DCGM watches their units";
    return NULL;
}

static int check_word(const char *word)
{
    const char *known[64], *instead = instead_of(word);
    size_t count = 0;
    if (instead)
        return orr_fail(ORR_EUSAGE, "--counters %s: gone; %s", word, instead);
    for (const struct orr_counter_source *const *s = orr_counters_all; *s; s++) {
        known[count++] = (*s)->name;
        for (int k = 0; (*s)->groups[k].name; k++)
            known[count++] = (*s)->groups[k].name;
    }
    for (size_t k = 0; k < count; k++)
        if (!strcmp(word, known[k]))
            return 0;
    return orr_names_fail("there is no group of counters", word, known, count, sizeof *known);
}

int orr_counters_check(const char *groups)
{
    enum { MOST = 95 }; /* orr_cell.counters */
    char words[MOST + 1], *rest;
    if (!strcmp(groups, "auto") || !strcmp(groups, "none"))
        return 0;
    if (strlen(groups) > MOST || !*groups)
        return orr_fail(ORR_EUSAGE, "--counters takes auto, none or groups like fp32,shared");
    strcpy(words, groups);
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        int code = check_word(word);
        if (code)
            return code;
    }
    return 0;
}

/* --- counting --- */

static json_t *begin_answer(const struct orr_counter_source *source, uint32_t wanted)
{
    json_t *names = json_array();
    for (int k = 0; source->groups[k].name; k++)
        if (wanted & UINT32_C(1) << k)
            json_array_append_new(names, json_string(source->groups[k].name));
    return json_pack("{s:s, s:o}", "source", source->name, "groups", names);
}

json_t *orr_counters_refusal(const struct orr_counter_source *source, uint32_t wanted,
                             const char *reason)
{
    json_t *answer = begin_answer(source, wanted);
    json_object_set_new(answer, "reason", json_string(reason));
    return answer;
}

/* One pass. *failed: the step itself did. */
static int take_pass(const struct orr_counter_source *source, void *state, int pass,
                     const struct orr_counted_step *of, bool *failed)
{
    int code = of->restore(of->context);
    *failed = code != 0;
    if (!code)
        code = source->begin(state, pass);
    if (code)
        return code;
    code = of->step(of->context);
    *failed = code != 0;
    return code ? code : source->end(state, pass);
}

static int take_passes(const struct orr_counter_source *source, void *state, json_t *answer,
                       const struct orr_counted_step *of, bool *failed)
{
    json_t *values = json_object(), *raw = json_object();
    int code = 0;
    for (int pass = 0; !code && pass < source->passes(state); pass++)
        code = take_pass(source, state, pass, of, failed);
    if (!code)
        code = source->read(state, values, raw);
    if (!code)
        json_object_update_new(answer, json_pack("{s:O, s:O}", "values", values, "raw", raw));
    json_decref(values);
    json_decref(raw);
    return code;
}

json_t *orr_counters_count(const struct orr_counter_source *source, struct orr_device *device,
                           uint32_t wanted, const struct orr_counted_step *of)
{
    void *state = NULL;
    bool failed = false;
    json_t *answer = begin_answer(source, wanted);
    int code = source->open(&state, source, device, wanted);
    if (code)
        json_object_set_new(answer, "refused", json_true());
    else
        code = take_passes(source, state, answer, of, &failed);
    if (code && !failed)
        json_object_set_new(answer, "reason", json_string(orr_error_text()));
    if (state)
        source->close(state);
    if (!failed) {
        orr_error_clear();
        return answer;
    }
    json_decref(answer);
    return NULL;
}
