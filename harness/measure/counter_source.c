#include "measure/counter_source.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "measure/counters.h"
#include "measure/counters_cuda.h"
#include "measure/gpm.h"
#include "measure/sde.h"
#include "names.h"

/* --- what is asked for --- */

const struct orr_counter_source *const *orr_counter_source_all(void)
{
    static const struct orr_counter_source *const all[] = {&orr_counters_cuda_patched,
                                                           &orr_counters_cuda_hardware,
                                                           &orr_counters_source,
                                                           &orr_sde_source,
                                                           &orr_gpm_source,
                                                           NULL};
    return all;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && !strncmp(at, word, length);
}

/* Whether one of the words of "fp32,shared" is `word`. */
static bool has_word(const char *words, const char *word)
{
    for (const char *at = words; *at; at += strcspn(at, ","), at += *at == ',')
        if (is_word(at, strcspn(at, ","), word))
            return true;
    return false;
}

uint32_t orr_counter_source_wanted(const struct orr_counter_source *source, const char *groups)
{
    uint32_t wanted = 0;
    bool all = !strcmp(groups, "auto") || has_word(groups, source->name);
    for (int k = 0; source->groups[k].name; k++)
        if (all || has_word(groups, source->groups[k].name))
            wanted |= UINT32_C(1) << k;
    return wanted;
}

static int check_word(const char *word)
{
    const char *known[64];
    size_t count = 0;
    for (const struct orr_counter_source *const *s = orr_counter_source_all(); *s; s++) {
        if (!strcmp(word, (*s)->name))
            return 0;
        for (int k = 0; (*s)->groups[k].name && count < 64; k++) {
            known[count++] = (*s)->groups[k].name;
            if (!strcmp(word, (*s)->groups[k].name))
                return 0;
        }
    }
    return orr_names_fail("there is no group of counters", word, known, count, sizeof *known);
}

int orr_counter_source_check(const char *groups)
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
    json_t *answer = json_pack("{s:s, s:o}", "source", source->name, "groups", names);
    if (!answer)
        orr_fail(ORR_EMEMORY, "no memory for counters");
    return answer;
}

json_t *orr_counter_source_refusal(const struct orr_counter_source *source, uint32_t wanted,
                                   const char *reason)
{
    json_t *answer = begin_answer(source, wanted);
    if (answer)
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
    if (!code &&
        json_object_update_new(answer, json_pack("{s:O, s:O}", "values", values, "raw", raw)))
        code = orr_fail(ORR_EMEMORY, "no memory for counters");
    json_decref(values);
    json_decref(raw);
    return code;
}

json_t *orr_counter_source_count(const struct orr_counter_source *source, struct orr_device *device,
                                 uint32_t wanted, const struct orr_counted_step *of)
{
    void *state = NULL;
    bool failed = false;
    json_t *answer = begin_answer(source, wanted);
    if (!answer)
        return NULL;
    int code = source->open(&state, device, wanted);
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
