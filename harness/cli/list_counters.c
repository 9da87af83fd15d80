#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "measure/counters.h"

/* "(a.sum + b.sum) / 4" as far as it has these parts. */
static void write_formula(char *out, size_t size, const struct orr_counter_metric *m)
{
    snprintf(out, size, "%s%s%s", m->term, m->more ? " + " : "", m->more ? m->more : "");
    size_t used = strlen(out);
    if (m->over)
        snprintf(out + used, size - used, " / %s", m->over);
    else if (m->scale != 1 && m->more) {
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
    return has(names, m->term) && has(names, m->more) && has(names, m->over);
}

/* `of`: the metrics that the chip has; NULL: no chip was named. */
static void add_group(json_t *rows, enum orr_counter_kind kind, const char *group,
                      const struct orr_counter_plan *of)
{
    for (const struct orr_counter_metric *m = orr_counters_cupti_metrics[kind]; m->name; m++) {
        char formula[256];
        if (strcmp(m->group, group) || (of && !has_all(&of->names, m)))
            continue;
        write_formula(formula, sizeof formula, m);
        json_t *row = orr_counters_row(m->name, "cupti", group, formula, m->what);
        if (of)
            json_object_set_new(row, "passes", json_integer((json_int_t)of->passes));
        json_array_append_new(rows, row);
    }
}

static int add_kind(json_t *rows, enum orr_counter_kind kind, const char *chip)
{
    const struct orr_counter_group *groups = orr_counters_cupti_groups[kind];
    int code = 0;
    for (int k = 0; !code && groups[k].name; k++) {
        struct orr_counter_plan plan = {.passes = 0};
        if (chip)
            code = orr_counters_cupti_plan(&plan, chip, NULL, kind, UINT32_C(1) << k);
        if (!code)
            add_group(rows, kind, groups[k].name, chip ? &plan : NULL);
        orr_counters_cupti_release_plan(&plan);
    }
    return code;
}

int orr_list_counters(json_t *rows, const char *chip, char *note, size_t size)
{
    json_t *papi = chip ? NULL : orr_counters_papi_rows();
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
    if (papi && *orr_counters_papi_missing())
        snprintf(note, size, "papi: %s", orr_counters_papi_missing());
    json_array_extend(rows, papi);
    json_decref(papi);
    return code;
}
