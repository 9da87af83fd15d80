#include "cli/list_counters.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "measure/counters_cupti.h"
#include "measure/counters.h"

static int append(json_t *rows, json_t *row)
{
    return row && !json_array_append_new(rows, row)
               ? 0
               : orr_fail(ORR_EMEMORY, "no memory for the list");
}

/* "(a.sum + b.sum) / 4" as far as it has these parts. */
static void write_formula(char *out, size_t size, const struct orr_counter_metric *m)
{
    snprintf(out, size, "%s%s%s", m->terms[0], m->terms[1] ? " + " : "",
             m->terms[1] ? m->terms[1] : "");
    size_t used = strlen(out);
    if (m->over)
        snprintf(out + used, size - used, " / %s", m->over);
    else if (m->scale != 1 && m->terms[1]) {
        memmove(out + 1, out, used + 1);
        out[0] = '(';
        snprintf(out + used + 1, size - used - 1, ") / %g", 1 / m->scale);
    } else if (m->scale != 1)
        snprintf(out + used, size - used, " / %g", 1 / m->scale);
}

static bool has(const struct orr_counter_names *names, const char *name)
{
    bool found = !name;
    for (int k = 0; k < names->count; k++)
        found |= name && !strcmp(names->items[k], name);
    return found;
}

static bool has_all(const struct orr_counter_names *names, const struct orr_counter_metric *m)
{
    return has(names, m->terms[0]) && has(names, m->terms[1]) && has(names, m->over);
}

/* `of`: the metrics that the chip has; NULL: no chip was named. */
static int add_group(json_t *rows, enum orr_counter_kind kind, const char *group,
                     const struct orr_counter_plan *of)
{
    int code = 0;
    for (const struct orr_counter_metric *m = orr_counters_cupti_metrics[kind]; !code && m->name;
         m++) {
        char formula[256];
        if (strcmp(m->group, group) || (of && !has_all(&of->names, m)))
            continue;
        write_formula(formula, sizeof formula, m);
        json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", m->name, "source", "cupti",
                                "group", m->group, "metric", formula, "what", m->what);
        if (row && of)
            json_object_set_new(row, "passes", json_integer((json_int_t)of->passes));
        code = append(rows, row);
    }
    return code;
}

static int add_kind(json_t *rows, enum orr_counter_kind kind, const char *chip)
{
    int code = 0;
    for (int k = 0; !code && orr_counters_cupti_groups[kind][k].name; k++) {
        struct orr_counter_plan plan = {.passes = 0};
        if (chip)
            code = orr_counters_cupti_plan(&plan, chip, NULL, kind, UINT32_C(1) << k);
        if (!code)
            code =
                add_group(rows, kind, orr_counters_cupti_groups[kind][k].name, chip ? &plan : NULL);
        orr_counters_cupti_release_plan(&plan);
    }
    return code;
}

struct listed {
    json_t *rows;
    const char *source;
};

static int add_listed(const char *const words[4], void *context)
{
    const struct listed *to = context;
    return append(to->rows,
                  json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", words[0], "source", to->source,
                            "group", words[1], "metric", words[2], "what", words[3]));
}

static int add_local(json_t *rows, char *note, size_t size)
{
    const char *missing = orr_counters_papi_missing();
    if (*missing)
        snprintf(note, size, "papi: %s", missing);
    return orr_counters_papi_list(add_listed, &(struct listed){rows, orr_counters_papi.name});
}

int orr_list_counters(json_t *rows, const char *chip, char *note, size_t size)
{
    bool local = !chip;
    int code = chip ? orr_counters_cupti_check_chip(chip) : 0;
    *note = '\0';
    if (code == ORR_EUNSUPPORTED) {
        snprintf(note, size, "not looked up for %s: %s", chip, orr_error_text());
        orr_error_clear();
        chip = NULL;
        code = 0;
    }
    for (int kind = 0; !code && kind < ORR_COUNTER_KINDS; kind++)
        code = add_kind(rows, (enum orr_counter_kind)kind, chip);
    return code || !local ? code : add_local(rows, note, size);
}
