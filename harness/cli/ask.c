#include "cli/ask.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "plan/paper.h"

static json_t *find_bound(const char *variant)
{
    struct orr_bound bound = {0};
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(variant, "/"), variant);
    struct orr_paper *paper = NULL;
    const struct orr_paper_variant *known = NULL;
    const char *slash = strchr(variant, '/');
    if (slash && !orr_paper_load(&paper, key))
        known = orr_paper_variant(paper, slash + 1);
    for (unsigned k = 0; known && k < known->in_count; k++) {
        const struct orr_experiment *in = orr_paper_experiment(paper, known->in[k]);
        if (in && in->bound && in->bound->p99 > bound.p99)
            bound = *in->bound;
    }
    orr_paper_free(paper);
    orr_error_clear();
    if (!(bound.p99 > 0)) /* a plugin without a paper */
        bound = (struct orr_bound){1e-5, 1e-4, 1e-3};
    return json_pack("{s:f, s:f, s:f}", "median", bound.median, "p99", bound.p99, "max", bound.max);
}

static int settings_to_json(json_t *to, const struct orr_words *set)
{
    for (int k = 0; k < set->count; k++) {
        char name[32];
        const char *equals = strchr(set->items[k], '=');
        size_t length = equals ? (size_t)(equals - set->items[k]) : 0;
        if (!length || length >= sizeof name || !equals[1] || strlen(equals + 1) >= 64)
            return orr_fail(ORR_EUSAGE, "--set takes NAME=VALUE, not '%s'", set->items[k]);
        snprintf(name, sizeof name, "%.*s", (int)length, set->items[k]);
        json_object_set_new(to, name, json_string(equals + 1));
    }
    return 0;
}

int orr_ask_make(json_t **out, const char *ask, const char *variant, const char *device,
                 const struct orr_words *set)
{
    json_t *settings = json_object();
    int code = settings_to_json(settings, set);
    *out =
        code ? NULL
             : json_pack("{s:s, s:s, s:s, s:O, s:o}", "ask", ask, "variant", variant, "device",
                         device ? device : "", "settings", settings, "bound", find_bound(variant));
    json_decref(settings);
    return code || *out ? code : orr_fail(ORR_EMEMORY, "no memory for a request");
}

int orr_ask_hear(struct orr_attend *attend, enum orr_heard heard, json_t *answer, double timeout_s)
{
    char reason[512];
    const char *say = json_string_value(json_object_get(answer, "say"));
    if (heard == ORR_HEARD_SIGNAL)
        return 0;
    if (heard == ORR_HEARD_TIMEOUT)
        return orr_fail(ORR_EDEVICE, "no result within %g s; --timeout S allows more", timeout_s);
    if (heard != ORR_HEARD_MESSAGE) {
        const char *outcome = orr_child_bury(&attend->child, reason, sizeof reason);
        return orr_fail(!strcmp(outcome, "no memory") ? ORR_EMEMORY : ORR_EINTERNAL, "%s", reason);
    }
    if (!say || strcmp(say, "done"))
        return orr_fail((int)json_integer_value(json_object_get(answer, "code")), "%s",
                        json_string_value(json_object_get(answer, "text")));
    json_object_del(answer, "say");
    json_object_del(answer, "lost");
    return 0;
}
