/* SPDX-License-Identifier: MIT */
/* orrery list: what there is. Loads no plugin and touches no device unless asked for devices or
 * counters. */
#include <glob.h>
#include <libgen.h>
#include <limits.h>

#include "cli/cli.h"
#include "measure/counters.h"
#include "paths.h"
#include "plugin/plugin.h"
#include "worker/worker.h"

/* Rows of a query over the tables of the papers (ledger/schema.sql). */
static int list_rows(json_t *rows, const char *sql)
{
    __attribute__((cleanup(orr_ledger_close))) struct orr_ledger ledger;
    sqlite3_stmt *statement;
    const int worst = orr_cli_papers(&ledger, false);
    int code = orr_ledger_query(&statement, &ledger, sql, "");
    if (!code)
        code = orr_cli_query_rows(rows, &ledger, statement, "experiments");
    return worst ? worst : code;
}

/* A file of the right name may still be no plugin; `fault` says why. */
static void add_built(json_t *row, const char *name)
{
    bool there;
    const int code = orr_plugin_check_file(&there, name);
    json_object_set_new(row, "built", json_boolean(!code));
    if (code && there) {
        fprintf(stderr, "orrery: %s: %s\n", name, orr_error_text());
        json_object_set_new(row, "fault", json_string(orr_error_text()));
    }
    orr_error_clear();
}

static bool has_row(const json_t *rows, const char *name)
{
    size_t index;
    const json_t *row;
    json_array_foreach (rows, index, row)
        if (orr_json_is(row, "name", name))
            return true;
    return false;
}

/* The papers' variants, then plugins that no paper names. */
static int list_variants(json_t *rows)
{
    char **names;
    size_t k;
    json_t *row;
    int worst = list_rows(rows, "SELECT paper || '/' || variant AS name,"
                                " iif(named, label, '') AS label,"
                                " (SELECT json_group_array(substr(t.experiment, length(v.paper) +"
                                " 2)) FROM takes_part t WHERE t.variant = v.variant AND"
                                " t.experiment LIKE v.paper || '/%') AS experiments"
                                " FROM variant v"),
        code = orr_plugin_names(&names);
    char why[1024]; /* of the papers: a plugin that is none is told at once, and forgotten */
    snprintf(why, sizeof why, "%s", orr_error_text());
    for (char **name = names; !code && *name; name++)
        if (!has_row(rows, *name))
            json_array_append_new(
                rows, json_pack("{s:s, s:s, s:[]}", "name", *name, "label", "", "experiments"));
    json_array_foreach (rows, k, row)
        add_built(row, orr_json_text(row, "name"));
    orr_names_free(names);
    return code || !worst ? code : orr_fail(worst, "%s", why);
}

static int list_datasets(json_t *rows)
{
    size_t count;
    const struct orr_dataset *set = orr_dataset_all(&count);
    for (; count--; set++)
        json_array_append_new(rows,
                              json_pack("{s:s, s:I, s:i, s:b, s:s}", "name", set->name, "n",
                                        (json_int_t)set->default_n, "dimensions", set->dimensions,
                                        "boxed", set->boxed, "summary", set->summary));
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
    const bool divides = !m->over && m->bytes > 0, bracket = divides && m->more;
    const int used = snprintf(out, size, "%s%s%s%s%s", bracket ? "(" : "", m->term,
                              m->more ? " + " : "", m->more ? m->more : "", bracket ? ")" : "");
    if (m->over)
        snprintf(out + used, size - (size_t)used, " / %s", m->over);
    else if (divides)
        snprintf(out + used, size - (size_t)used, " / %g", m->bytes);
}

/* Rows {name, source, group, metric, what} of CUPTI, whose metrics the chip may lack, and of PAPI.
 */
static int list_counters(json_t *rows)
{
    for (int kind = 0; kind < ORR_COUNTER_KINDS; kind++)
        for (const struct orr_counter_metric *m = orr_counters_cupti_metrics[kind]; m->name; m++) {
            char formula[256];
            write_formula(formula, sizeof formula, m);
            json_array_append_new(rows,
                                  json_pack(ORR_COUNTERS_ROW, "name", m->name, "source", "cupti",
                                            "group", m->group, "metric", formula, "what", m->what));
        }
    const char *missing = orr_counters_papi_start(rows);
    if (*missing)
        fprintf(stderr, "orrery: papi: %s\n", missing);
    return 0;
}

/* By the folders of results/ and of the reference results. */
static int list_machines(json_t *rows)
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
    bool overview;   /* part of a plain `orrery list`; these come first */
    const char *sql; /* NULL: by `list` */
    int (*list)(json_t *rows);
} kinds[] = {
    {"papers", "name paper|year|authors|title", true,
     "SELECT paper AS name, title, authors, venue, year,"
     " (SELECT count(*) FROM experiment e WHERE e.paper = p.paper) AS experiments,"
     " (SELECT count(*) FROM variant v WHERE v.paper = p.paper) AS variants FROM paper p",
     NULL},
    {"experiments", "name experiment|shows|title", true,
     "SELECT experiment AS name, shows, title, layout FROM experiment", NULL},
    {"variants", "name variant|built|label in the paper|experiments", true, NULL, list_variants},
    {"datasets", "name data set|n N|dimensions D|boxed|summary what", true, NULL, list_datasets},
    {"machines", "name machine|results|journals", false, NULL, list_machines},
    {"claims", "paper|id claim|short what the paper says", false, NULL, orr_cli_claims_list},
    {"devices", "id device|name|driver|toolkit compiler", false, NULL, list_devices},
    {"counters", "name counter|source|group|metric|what", false, NULL, list_counters},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static int list(json_t *rows, const struct kind *kind)
{
    return kind->sql ? list_rows(rows, kind->sql) : kind->list(rows);
}

/* `failed`: that there are none is not known. */
static void print_kind(const struct kind *kind, json_t *rows, bool failed)
{
    if (json_array_size(rows))
        orr_cli_table_print(stdout, rows, kind->columns, 0);
    else if (!failed)
        printf("no %s\n", kind->name);
}

/* Prints what could be listed, then reports the first failure. */
static int list_one(const struct kind *kind, bool as_json)
{
    json_auto_t *rows = json_array();
    const int code = list(rows, kind);
    const int status = as_json ? orr_cli_table_json(rows) : 0;
    if (!as_json)
        print_kind(kind, rows, code < 0);
    return code ? code : status;
}

static int list_overview(bool as_json)
{
    json_auto_t *all = json_object();
    int worst = 0;
    for (const struct kind *kind = kinds; kind->overview; kind++) {
        json_t *rows = json_array();
        const int code = list(rows, kind);
        worst = worst ? worst : code;
        json_object_set_new(all, kind->name, rows);
        if (as_json)
            continue;
        fputs(kind != kinds && !code ? "\n" : "", stdout);
        print_kind(kind, rows, code < 0);
    }
    if (!as_json)
        puts("\n`orrery list devices` and `orrery list counters` show this machine; `orrery "
             "describe NAME` says more.");
    const int status = as_json ? orr_cli_table_json(all) : 0;
    return worst ? worst : status;
}

int orr_cli_list(int argc, char **argv)
{
    bool as_json = false;
    const struct orr_option options[] = {{"json", &as_json}};
    struct orr_words words = {0};
    int code = orr_options_parse("list", ORR_OPTIONS(options), argc, argv, &words);
    if (!code && words.count > 1)
        code = orr_fail(ORR_EUSAGE, "list takes one word, not '%s' too", words.items[1]);
    const struct kind *kind = NULL;
    if (!code && words.count == 1 && !(kind = orr_names_among(words.items[0], kinds)))
        code = orr_names_fail("list knows nothing of", words.items[0], kinds, KIND_COUNT,
                              sizeof *kinds);
    return code ? code : kind ? list_one(kind, as_json) : list_overview(as_json);
}
