/* SPDX-License-Identifier: MIT */
/* orrery describe: a paper, experiment, variant, data set, claim or cell in full. */
#include <limits.h>
#include <unistd.h>

#include "cli/cli.h"
#include "paths.h"
#include "plugin/plugin.h"
#include "report/report.h"
#include "verify/reference.h"
#include "sql/cli/describe.h"

/* --- as JSON --- */

static json_t *knobs_to_json(const struct orr_paper_variant *variant)
{
    json_t *object = json_object();
    for (unsigned k = 0; k < variant->knobs_count; k++) {
        const struct orr_knob_range *knob = &variant->knobs[k];
        json_object_set_new(object, knob->name,
                            knob->on ? json_sprintf("%s (%s)", knob->values, knob->on)
                                     : json_string(knob->values));
    }
    return object;
}

/* The one row that a query gives of the paper's tables; `lists` are its columns of JSON. `name`
 * is bound to ?1. */
static int read_row(json_t **out, const struct orr_paper *paper, const char *sql, const char *name,
                    const char *lists)
{
    __attribute__((cleanup(orr_ledger_close))) struct orr_ledger ledger;
    sqlite3_stmt *statement;
    json_auto_t *rows = json_array();
    const bool failed = orr_ledger_open(&ledger) || orr_ledger_add_paper(&ledger, paper) ||
                        orr_ledger_query(&statement, &ledger, sql, "s", name) ||
                        orr_cli_query_rows(rows, &ledger, statement, lists);
    *out = json_incref(json_array_get(rows, 0));
    return failed ? orr_error_failed() : 0;
}

/* The file of the published numbers, relative to the home folder; null when the paper prints
 * none. */
static json_t *published(const struct orr_paper *paper, const char *experiment)
{
    char file[64], path[PATH_MAX];
    const char *shown;
    snprintf(file, sizeof file, "published/%.40s.csv", experiment);
    return orr_paths_paper(path, sizeof path, &shown, paper->key, file) || access(path, R_OK)
               ? json_null()
               : json_string(shown);
}

/* Its cells may be those of another experiment, whose presets are shown then. */
static int describe_experiment(json_t **out, const struct orr_paper *paper,
                               const struct orr_experiment *e)
{
    static const char lists[] =
        "SELECT (SELECT json_group_array(variant) FROM baseline WHERE experiment = ?1)"
        " AS baselines,"
        " (SELECT json_group_array(name) FROM drawn_phase WHERE experiment = ?1) AS phases,"
        " (SELECT json_group_array(variant) FROM takes_part WHERE experiment = ?1) AS variants,"
        " (SELECT json_group_object(name, vals) FROM axis WHERE experiment = ?1) AS axes,"
        " (SELECT json_group_array(json_object('name', preset, 'axes',"
        "  (SELECT json_group_object(name, vals) FROM preset_axis a"
        "   WHERE a.experiment = p.experiment AND a.preset = p.preset), 'limits',"
        "  (SELECT json_group_array(json_object('variant', variant, 'n', n, 'on', kind))"
        "   FROM preset_limit l WHERE l.experiment = p.experiment AND l.preset = p.preset),"
        "  'time_limit_s', time_limit_s, 'timeout_s', timeout_s, 'long_samples', long_samples,"
        "  'skip', json(iif(skip, 'true', 'false'))))"
        "  FROM preset p WHERE experiment = x.cells) AS presets"
        " FROM experiment x WHERE experiment = ?1";
    const struct orr_experiment *run = orr_paper_cells(paper, e);
    const struct orr_bound *bound = run->bound;
    json_auto_t *row;
    json_t *name = json_sprintf("%s/%s", paper->key, e->name);
    int code = read_row(&row, paper, lists, json_string_value(name),
                        "baselines phases variants axes presets");
    *out = json_pack(
        "{s:s, s:o, s:s, s:s, s:s, s:s?, s:s?, s:b, s:b, s:b, s:b, s:b, s:I, s:{s:f, s:f, s:f}, "
        "s:o}",
        "kind", "experiment", "name", name, "shows", e->shows, "title", e->title, "layout",
        e->layout, "note", e->note, "cells", e->cells, "keep_bodies", run->keep_bodies, "counts",
        run->counts, "trajectory", run->trajectory, "error_curve", run->error_curve, "energy",
        run->energy, "targets", (json_int_t)(run->targets ? run->targets : ORR_REFERENCE_TARGETS),
        "bound", "median", bound->median, "p99", bound->p99, "max", bound->max, "published",
        published(paper, e->name));
    json_object_update(*out, row);
    return code;
}

/* A paper with its experiments, variants and devices, each figure of which has its source. */
static int describe_paper(json_t **out, const struct orr_paper *paper)
{
    static const char sql[] =
        "SELECT 'paper' AS kind, paper AS name, title, authors, venue, year,"
        " flops AS flops_per_interaction,"
        " (SELECT json_group_array(json_object('name', experiment, 'shows', shows, 'title', title))"
        "  FROM experiment) AS experiments,"
        " (SELECT json_group_array(json_object('name', paper || '/' || variant,"
        "  'label', iif(named, label, ''))) FROM variant) AS variants,"
        " (SELECT json_group_array(json_object('device', device, 'year', CAST(year AS INTEGER),"
        "  'clock_ghz', clock / 1e9, 'lanes', CAST(lanes AS INTEGER), 'peak_gflops', peak_gflops,"
        "  'bandwidth_gbs', bandwidth_gbs, 'power_w', power_w, 'external', external,"
        "  'source', source, 'erratum', erratum))"
        "  FROM (SELECT * FROM published_device ORDER BY device_place)) AS devices"
        " FROM paper WHERE paper = ?1";
    return read_row(out, paper, sql, paper->key, "experiments variants devices");
}

/* The plugin's own description, with the paper's label and experiments (`variant` may be NULL). */
static int describe_variant(json_t **out, const char *name, const struct orr_paper_variant *variant)
{
    struct orr_inspection inspection;
    if (orr_plugin_inspect(&inspection, name))
        return orr_error_code();
    *out = json_incref(inspection.about);
    json_object_set_new(*out, "kind", json_string("variant"));
    if (variant) {
        json_object_set_new(*out, "label", json_string(variant->label));
        json_object_set_new(*out, "experiments", orr_json_list(variant->in, variant->in_count));
    }
    if (variant && variant->knobs_count)
        json_object_set_new(*out, "knobs", knobs_to_json(variant));
    orr_inspect_release(&inspection);
    return 0;
}

/* `claims` are those that there are. */
static int fail_unknown(const char *name, const json_t *claims)
{
    struct orr_names names = {0};
    char **known = NULL, **all = NULL;
    const json_t *row;
    size_t count, k;
    const struct orr_dataset *sets = orr_dataset_all(&count);
    int code = orr_plan_names(&known);
    for (char **of = known; !code && *of; of++)
        orr_names_add(&names, "%s", *of);
    for (k = 0; k < count; k++)
        orr_names_add(&names, "%s", sets[k].name);
    json_array_foreach (claims, k, row)
        orr_names_add(&names, "%s/%s", orr_json_text(row, "paper"), orr_json_text(row, "id"));
    code = orr_names_finish(&names, &all, code);
    if (!code)
        code = orr_names_fail("there is no paper, experiment, variant, data set or claim", name,
                              all, orr_names_count(all), sizeof *all);
    orr_names_free(known);
    orr_names_free(all);
    return code;
}

/* "paper", "paper/experiment" or "paper/variant" of a paper that exists; *out stays NULL when it
 * has no such member. */
static int describe_of_paper(json_t **out, const char *key, const char *name)
{
    struct orr_paper *paper;
    const struct orr_experiment *experiment;
    const struct orr_paper_variant *variant;
    const char *slash = strchr(name, '/'), *member = slash ? slash + 1 : "";
    int code = orr_paper_load(&paper, key);
    if (code)
        return code;
    if (!slash)
        code = describe_paper(out, paper);
    else if ((experiment = orr_names_find(member, paper->experiments, paper->experiments_count,
                                          sizeof *experiment)))
        code = describe_experiment(out, paper, experiment);
    else if ((variant =
                  orr_names_find(member, paper->variants, paper->variants_count, sizeof *variant)))
        code = describe_variant(out, name, variant);
    orr_paper_free(paper);
    return code;
}

/* *out stays NULL where nothing is called so. */
static int describe_name(json_t **out, const char *name)
{
    char key[64], **papers = NULL, **plugins = NULL;
    const struct orr_dataset *set = orr_dataset_get(name);
    if (set) {
        *out = orr_cli_dataset_to_json(set);
        return json_object_set_new(*out, "kind", json_string("data set"));
    }
    snprintf(key, sizeof key, "%.*s", (int)strcspn(name, "/"), name);
    int code = orr_paper_keys(&papers) || orr_plugin_names(&plugins) ? orr_error_code() : 0;
    if (!code && orr_names_has(papers, key))
        code = describe_of_paper(out, key, name);
    if (!code && !*out && orr_names_has(plugins, name)) /* a plugin that no paper names */
        code = describe_variant(out, name, NULL);
    orr_names_free(papers);
    orr_names_free(plugins);
    return code;
}

/* A cell of the journals. */
static int show_cell(const struct orr_result_source *source, const char *id, bool as_json)
{
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    __attribute__((cleanup(orr_cli_release_documents))) struct orr_documents all = {0};
    int code = orr_cli_select(&selection, source, NULL);
    if (!code)
        code =
            orr_report_cell(orr_cli_new_document(&all), &selection.ledger, id, selection.machine);
    if (!code)
        code = orr_cli_write_documents(&all, as_json ? &orr_format_json : &orr_format_md, NULL);
    return code;
}

static int show_claim(const struct orr_result_source *source, const char *name, bool as_json)
{
    const json_t *claim;
    json_auto_t *rows = json_array();
    const int found = orr_cli_claims_find(&claim, rows, name);
    if (found > 0)
        return orr_cli_describe_claim(source, claim, as_json);
    return found ? found : fail_unknown(name, rows);
}

static int show_name(const struct orr_result_source *source, const char *name, bool as_json)
{
    json_auto_t *about = NULL;
    if (describe_name(&about, name))
        return orr_error_failed();
    if (!about)
        return show_claim(source, name, as_json);
    if (as_json)
        return orr_cli_table_json(about);
    __attribute__((cleanup(orr_ledger_close))) struct orr_ledger ledger;
    int code = orr_ledger_open(&ledger);
    return code ? code : orr_cli_print_lines(&ledger, sql_cli_describe, about);
}

/* True where the text can be the beginning of a cell's id: six hex digits or more. */
static bool is_cell_id(const char *id)
{
    const size_t least = 6, most = 16, length = strlen(id);
    return length >= least && length <= most && strspn(id, "0123456789abcdef") == length;
}

int orr_cli_describe(int argc, char **argv)
{
    struct orr_result_source source = {0};
    bool as_json = false;
    const struct orr_option options[] = {{"json", &as_json}, ORR_RESULT_OPTIONS(source)};
    struct orr_words words = {0};
    int code = orr_options_parse("describe", ORR_OPTIONS(options), argc, argv, &words);
    if (code)
        return code;
    return (is_cell_id(words.items[0]) ? show_cell : show_name)(&source, words.items[0], as_json);
}
