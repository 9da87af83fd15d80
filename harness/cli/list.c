/* SPDX-License-Identifier: MIT */
/* orrery list: what there is. Loads no plugin and touches no device unless asked for devices or
 * counters. */
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/results.h"
#include "datasets/dataset.h"
#include "device/device.h"
#include "error.h"
#include "json_member.h"
#include "measure/counters.h"
#include "names.h"
#include "paths.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "run/worker.h"

/* Calls `add` for every paper. A malformed one is skipped and reported at the end. */
static int each_paper(json_t *rows, void (*add)(json_t *rows, const struct orr_paper *paper))
{
    char **keys;
    int code = orr_paper_keys(&keys), worst = 0;
    for (char **key = keys; !code && *key; key++) {
        struct orr_paper *paper;
        if (orr_paper_load(&paper, *key)) {
            worst = orr_error_code();
            continue;
        }
        add(rows, paper);
        orr_paper_free(paper);
    }
    orr_names_free(keys);
    return code ? code : worst;
}

static void add_paper(json_t *rows, const struct orr_paper *p)
{
    json_array_append_new(rows,
                          json_pack("{s:s, s:s, s:s, s:s, s:o, s:i, s:i}", "name", p->key, "title",
                                    p->title, "authors", p->authors, "venue", p->venue, "year",
                                    orr_paper_year(p), "experiments", (int)p->experiments_count,
                                    "variants", (int)p->variants_count));
}

static int list_papers(json_t *rows)
{
    return each_paper(rows, add_paper);
}

static void add_experiments(json_t *rows, const struct orr_paper *p)
{
    for (unsigned k = 0; k < p->experiments_count; k++) {
        const struct orr_experiment *e = &p->experiments[k];
        json_array_append_new(rows, json_pack("{s:o, s:s, s:s, s:s}", "name",
                                              json_sprintf("%s/%s", p->key, e->name), "shows",
                                              e->shows, "title", e->title, "layout", e->layout));
    }
}

static int list_experiments(json_t *rows)
{
    return each_paper(rows, add_experiments);
}

/* A file of the right name may still be no plugin; `fault` says why. */
static void add_built(json_t *row, const char *name)
{
    char path[PATH_MAX];
    const bool built = !orr_plugin_find(path, sizeof path, name);
    if (!built)
        orr_error_clear();
    json_object_set_new(row, "built", json_boolean(built));
    if (!built || !orr_plugin_check_file(name))
        return;
    fprintf(stderr, "orrery: %s: %s\n", name, orr_error_text());
    json_object_set_new(row, "fault", json_string(orr_error_text()));
    json_object_set_new(row, "built", json_false());
    orr_error_clear();
}

static void add_variants(json_t *rows, const struct orr_paper *p)
{
    for (unsigned k = 0; k < p->variants_count; k++) {
        const struct orr_paper_variant *v = &p->variants[k];
        char name[80];
        snprintf(name, sizeof name, "%s/%s", p->key, v->name);
        json_t *row = json_pack("{s:s, s:s, s:o}", "name", name, "label", v->label, "experiments",
                                orr_json_list(v->in, v->in_count));
        add_built(row, name);
        json_array_append_new(rows, row);
    }
}

static bool has_row(const json_t *rows, const char *name)
{
    size_t index;
    json_t *row;
    bool found = false;
    json_array_foreach (rows, index, row)
        found |= orr_json_is(row, "name", name);
    return found;
}

/* The papers' variants, then plugins that no paper names. */
static int list_variants(json_t *rows)
{
    char **names;
    int worst = each_paper(rows, add_variants), code = orr_plugin_names(&names);
    for (char **name = names; !code && *name; name++)
        if (!has_row(rows, *name)) {
            json_t *row = json_pack("{s:s, s:s, s:[]}", "name", *name, "label", "", "experiments");
            add_built(row, *name);
            json_array_append_new(rows, row);
        }
    orr_names_free(names);
    return code ? code : worst;
}

static int list_datasets(json_t *rows)
{
    size_t count;
    const struct orr_dataset *all = orr_dataset_all(&count);
    for (size_t k = 0; k < count; k++)
        json_array_append_new(rows, json_pack("{s:s, s:I, s:i, s:b, s:s}", "name", all[k].name, "n",
                                              (json_int_t)all[k].default_n, "dimensions",
                                              all[k].dimensions, "boxed", all[k].boxed, "summary",
                                              all[k].summary));
    return 0;
}

static int list_devices(json_t *rows)
{
    struct orr_device_probe found;
    int code = orr_cli_probe_devices(&found, false);
    for (int k = 0; !code && k < found.count; k++)
        json_array_append_new(rows, orr_worker_device_to_json(&found.devices[k]));
    return code;
}

/* --- counters --- */

/* "(a.sum + b.sum) / 4" as far as it has these parts. */
static void write_formula(char *out, size_t size, const struct orr_counter_metric *m)
{
    const bool divides = !m->over && m->scale != 1, bracket = divides && m->more;
    char by[128] = "";
    if (m->over)
        snprintf(by, sizeof by, " / %s", m->over);
    else if (divides)
        snprintf(by, sizeof by, " / %g", 1 / m->scale);
    snprintf(out, size, "%s%s%s%s%s%s", bracket ? "(" : "", m->term, m->more ? " + " : "",
             m->more ? m->more : "", bracket ? ")" : "", by);
}

static bool has_all(const struct orr_counter_names *names, const struct orr_counter_metric *m)
{
    const char *const parts[] = {m->term, m->more, m->over};
    bool found = true;
    for (size_t k = 0; k < 3; k++)
        found = found && (!parts[k] || orr_names_find(parts[k], names->items, (size_t)names->count,
                                                      sizeof *names->items));
    return found;
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

/* Rows {name, source, group, metric, what} of every source. With a chip those of CUPTI that it has,
 * and `passes` that each group takes alone; ORR_EUSAGE when libcupti knows no such chip. `note`:
 * why what the list lacks is missing, or "". */
static int list_counters(json_t *rows, const char *chip, char *note, size_t size)
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

int orr_cli_list_machines(json_t *rows)
{
    char reference[PATH_MAX];
    int code = orr_paths_home(reference, sizeof reference, "results/reference");
    const char *const roots[] = {"results", code ? "" : reference};
    for (size_t k = 0; k < sizeof roots / sizeof *roots && !code; k++) {
        glob_t found = {0};
        char pattern[PATH_MAX + 16];
        snprintf(pattern, sizeof pattern, "%s/*/*.jsonl", roots[k]);
        glob(pattern, 0, NULL, &found);
        json_t *row = NULL;
        for (size_t f = 0; f < found.gl_pathc; f++) {
            const char *name = basename(dirname(found.gl_pathv[f]));
            if (!row || strcmp(orr_json_text(row, "name"), name) != 0) {
                row = json_pack("{s:s, s:s, s:i}", "name", name, "results",
                                k ? "reference" : roots[k], "journals", 0);
                json_array_append_new(rows, row);
            }
            json_integer_set(json_object_get(row, "journals"),
                             orr_json_integer(row, "journals") + 1);
        }
        globfree(&found);
    }
    return code;
}

static const struct kind {
    const char *name, *columns;
    bool overview;             /* part of a plain `orrery list` */
    int (*list)(json_t *rows); /* NULL: list_counters() */
} kinds[] = {
    {"papers", "name paper|year|authors|title", true, list_papers},
    {"experiments", "name experiment|shows|title", true, list_experiments},
    {"variants", "name variant|built|label in the paper|experiments", true, list_variants},
    {"datasets", "name data set|n N|dimensions D|boxed|summary what", true, list_datasets},
    {"machines", "name machine|results|journals", false, orr_cli_list_machines},
    {"claims", "paper|id claim|short what the paper says", false, orr_cli_claims_list},
    {"devices", "id device|name|driver|toolkit compiler", false, list_devices},
    {"counters", "name counter|source|group|passes passes alone|metric|what", false, NULL},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* `failed`: that there are none is not known. */
static void print_kind(const struct kind *kind, json_t *rows, bool failed)
{
    if (json_array_size(rows))
        orr_cli_table_print(stdout, rows, kind->columns, 0);
    else if (!failed)
        printf("no %s\n", kind->name);
}

/* Prints what could be listed, then reports the first failure. `chip` NULL: none was named. */
static int list_one(const struct kind *kind, bool as_json, const char *chip)
{
    char note[1024] = "";
    json_t *rows = json_array();
    int code = kind->list ? kind->list(rows) : list_counters(rows, chip, note, sizeof note);
    if (as_json) {
        int status = orr_cli_table_json(rows);
        return code ? orr_cli_report_error() : status;
    }
    print_kind(kind, rows, code < 0);
    json_decref(rows);
    if (*note)
        fprintf(stderr, "orrery: %s\n", note);
    return orr_cli_status(code);
}

static int list_overview(bool as_json)
{
    json_t *all = json_object();
    int worst = 0;
    for (size_t k = 0; k < KIND_COUNT; k++) {
        if (!kinds[k].overview)
            continue;
        json_t *rows = json_array();
        int code = kinds[k].list(rows);
        worst = worst ? worst : code;
        if (!as_json) {
            fputs(k && !code ? "\n" : "", stdout);
            print_kind(&kinds[k], rows, code < 0);
        }
        json_object_set_new(all, kinds[k].name, rows);
    }
    if (!as_json)
        puts("\n`orrery list devices` and `orrery list counters` show this machine; `orrery "
             "describe NAME` says more.");
    int status = as_json ? orr_cli_table_json(json_incref(all)) : ORR_EXIT_OK;
    json_decref(all);
    return worst ? orr_cli_report_error() : status;
}

int orr_cli_list(int argc, char **argv)
{
    bool as_json = false;
    const char *chip = NULL;
    const struct orr_option options[] = {
        {"chip", 0, ORR_OPTION_TEXT, &chip, "NAME",
         "with counters: those of an NVIDIA chip (GH100), which need not be present"},
        {"json", 0, ORR_OPTION_FLAG, &as_json, NULL,
         "one JSON array, or an object of arrays, on stdout"}};
    const struct orr_options all = {
        "list [papers|experiments|variants|datasets|claims|machines|devices|counters] [options]",
        "Lists what there is; without an argument papers, experiments, variants and data sets.",
        ORR_OPTION_TABLE(options)};
    struct orr_words words = {0};
    int code = orr_options_parse(&all, argc, argv, &words), status = ORR_EXIT_OK;
    if (!code && words.count > 1)
        code = orr_fail(ORR_EUSAGE, "list takes one word, not '%s' too", words.items[1]);
    const struct kind *kind = NULL;
    if (!code && words.count == 1 && !(kind = orr_names_among(words.items[0], kinds)))
        code = orr_names_fail("list knows nothing of", words.items[0], kinds, KIND_COUNT,
                              sizeof *kinds);
    if (!code && chip && (!kind || kind->list))
        code = orr_fail(ORR_EUSAGE, "--chip goes with `orrery list counters`");
    if (code < 0)
        status = orr_cli_report_error();
    else if (!code)
        status = kind ? list_one(kind, as_json, chip) : list_overview(as_json);
    return status;
}
