/* SPDX-License-Identifier: MIT */
/* Loading what was asked for, and the tables of one experiment on one machine. */
#include "present/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"
#include "names.h"
#include "paths.h"
#include "sql/present/lines.h"
#include "sql/present/provenance.h"
#include "sql/present/scope.h"
#include "text.h"

/* --- tables of one experiment --- */

const char *const orr_scope_texts[] = {sql_present_scope, sql_present_lines, sql_present_provenance,
                                       NULL};

int orr_scope_drop(const struct orr_ledger *ledger)
{
    return orr_ledger_run_made(
        ledger, "SELECT group_concat(printf('DROP %s temp.\"%w\"', type, name), ';') FROM "
                "(SELECT type, name FROM sqlite_temp_master WHERE type IN ('table', 'view') "
                "ORDER BY type DESC)");
}

int orr_scope_make(const struct orr_ledger *ledger, const char *experiment, const char *machine,
                   enum orr_scope_tables tables)
{
    static const char *const files[] = {"present/scope.sql", "present/lines.sql",
                                        "present/provenance.sql"};
    int code = orr_scope_drop(ledger);
    if (!code)
        code = orr_ledger_run(ledger, "CREATE TEMP TABLE asked AS SELECT ? AS experiment", "s",
                              experiment);
    if (!code && machine)
        code = orr_ledger_run(
            ledger, "CREATE TEMP TABLE side AS SELECT '' AS operand, ? AS machine", "s", machine);
    else if (!code)
        code = orr_ledger_execute(ledger,
                                  "CREATE TEMP TABLE side AS SELECT operand, machine FROM operand");
    for (size_t k = 0; orr_scope_texts[k] && !code; k++)
        if (tables & 1u << k)
            code = orr_ledger_run_text(ledger, files[k], 1, orr_scope_texts[k], NULL);
    return code;
}

/* --- journals --- */

/* --machine NAME of the reference results loads them: they were named. What was measured here under
 * that name stands alone. */
static int add_named_reference(struct orr_ledger *ledger, const char *machine)
{
    double own = 0;
    int code = orr_ledger_numbers(&own, 1, ledger, "SELECT count(*) FROM run WHERE machine = ?",
                                  "s", machine);
    return code < 0 || own > 0 ? (code < 0 ? code : 0) : orr_ledger_add_reference(ledger, machine);
}

/* A machine may be named by how its name alone begins: *machine becomes the whole name. */
static int check_machine(const struct orr_ledger *ledger, char **machine)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT max(machine = ?1), sum(begins), max(iif(begins, machine, NULL)), "
        "coalesce(group_concat(machine, ', '), 'none') FROM (SELECT machine, "
        "substr(machine, 1, length(?1)) = ?1 AS begins FROM run GROUP BY 1 ORDER BY 1)",
        "s", *machine);
    while (orr_ledger_row(&code, row, ledger))
        if (sqlite3_column_int(row, 0))
            continue;
        else if (sqlite3_column_int(row, 1) == 1)
            *machine = orr_memory_text(orr_ledger_text(row, 2));
        else
            code = orr_fail(ORR_EUSAGE, "no results of a machine '%s'; there are: %s", *machine,
                            orr_ledger_text(row, 3));
    return code;
}

static int load_journals(struct orr_ledger *ledger, const struct orr_selection_options *options)
{
    int code = 0;
    for (int k = 0; k < options->from_count && !code; k++) {
        ledger->operand[0] = (char)(options->operands ? 'A' + k : '\0');
        code = orr_ledger_add(ledger, options->from[k]);
    }
    if (!code && !options->from_count)
        code = orr_ledger_add(ledger, NULL);
    if (!code && options->reference)
        code = orr_ledger_add_reference(ledger, "");
    for (int k = 0; k < options->machine_count && !code; k++) {
        if (!options->reference && !options->from_count)
            code = add_named_reference(ledger, options->machines[k]);
        if (!code)
            code = check_machine(ledger, &options->machines[k]);
    }
    return code;
}

/* --- papers and experiments --- */

static int add_paper(struct orr_selection *out, const char *key)
{
    out->papers = orr_memory_more(out->papers, (out->paper_count + 1) * sizeof(struct orr_paper *));
    int code = orr_paper_load(&out->papers[out->paper_count], key);
    if (code)
        return code;
    return orr_ledger_add_paper(&out->ledger, out->papers[out->paper_count++]);
}

static void add_targets(struct orr_selection *out, const struct orr_paper *paper,
                        const char *experiment)
{
    for (unsigned k = 0; k < paper->experiments_count; k++) {
        if (experiment && strcmp(paper->experiments[k].name, experiment))
            continue;
        struct orr_target *added = orr_memory_add(&out->targets, &out->target_count, sizeof *added);
        *added = (struct orr_target){paper, &paper->experiments[k]};
    }
}

/* The nearest of all names "paper" and "paper/experiment"; a bare "table2" means that of every
 * paper that has one. */
static int unknown_target(const struct orr_selection *all, const char *what)
{
    struct orr_names names = {0};
    sqlite3_stmt *row;
    char near[256] = "";
    int code = orr_ledger_query(
        &row, &all->ledger,
        "SELECT paper, (SELECT '; did you mean ' || group_concat(quote(experiment), ' or ') || '?' "
        "FROM experiment WHERE name = ?) FROM paper UNION ALL "
        "SELECT experiment, NULL FROM experiment",
        "s", what);
    while (orr_ledger_row(&code, row, &all->ledger)) {
        orr_names_add(&names, "%s", orr_ledger_text(row, 0));
        if (*orr_ledger_text(row, 1))
            snprintf(near, sizeof near, "%s", orr_ledger_text(row, 1));
    }
    if (!*near)
        orr_text_hint(near, sizeof near, what, (const char *const *)names.items, names.count);
    orr_names_free(names.items);
    return code ? code
                : orr_fail(ORR_EUSAGE, "no experiment '%s'%s", what,
                           *near ? near : "; `orrery list experiments` names them");
}

int orr_selection_target(const struct orr_target **out, const struct orr_selection *selection,
                         const char *experiment)
{
    for (size_t k = 0; k < selection->target_count; k++) {
        char name[128];
        *out = &selection->targets[k];
        snprintf(name, sizeof name, "%s/%s", (*out)->paper->key, (*out)->experiment->name);
        if (!strcmp(name, experiment))
            return 0;
    }
    return unknown_target(selection, experiment);
}

/* Only the paper that is asked for is loaded, so that a fault in another one does no harm; all of
 * them for a suggestion. */
static int choose(struct orr_selection *out, const char *what)
{
    char **keys = NULL;
    int code = orr_paper_keys(&keys);
    size_t length = what ? strcspn(what, "/") : 0;
    const char *experiment = what && what[length] ? what + length + 1 : NULL;
    for (size_t k = 0; !code && keys[k]; k++) {
        if (what && (strlen(keys[k]) != length || strncmp(keys[k], what, length)))
            continue;
        code = add_paper(out, keys[k]);
        if (!code)
            add_targets(out, out->papers[out->paper_count - 1], experiment);
    }
    if (!code && what && !out->target_count) {
        for (size_t k = 0; !code && keys[k]; k++)
            code = add_paper(out, keys[k]);
        if (!code)
            code = unknown_target(out, what);
    }
    orr_names_free(keys);
    return code;
}

/* Journals of many experiments take long to read. */
static void narrow(struct orr_selection *out, bool to_experiment)
{
    const struct orr_paper *paper = out->papers[0];
    snprintf(out->ledger.only, sizeof out->ledger.only, "%s%s%s", paper->key,
             to_experiment ? "/" : "",
             to_experiment ? orr_paper_cells(paper, out->targets[0].experiment)->name : "");
}

/* Facts of devices that are no paper's, variants/common/devices.csv, if there is that file. */
static int add_devices(struct orr_ledger *ledger)
{
    char path[1024];
    int code = orr_paths_home(path, sizeof path, "variants/common/devices.csv");
    return code || access(path, F_OK) ? code : orr_ledger_add_published(ledger, "", path);
}

int orr_selection_make(struct orr_selection *out, const struct orr_selection_options *options,
                       const char *what)
{
    *out = (struct orr_selection){.machines = options->machines,
                                  .machine_count = options->machine_count,
                                  .everything = !what};
    int code = orr_ledger_open(&out->ledger);
    if (!code)
        code = orr_column_format_offer(&out->ledger);
    if (!code)
        code = add_devices(&out->ledger);
    if (!code)
        code = choose(out, what);
    if (!code && what)
        narrow(out, options->alone && strchr(what, '/'));
    if (!code)
        code = load_journals(&out->ledger, options);
    out->machine = options->machine_count == 1 ? options->machines[0] : NULL;
    if (code)
        orr_selection_release(out);
    return code;
}

void orr_selection_release(struct orr_selection *selection)
{
    for (size_t k = 0; k < selection->paper_count; k++)
        orr_paper_free(selection->papers[k]);
    free(selection->papers);
    free(selection->targets);
    orr_ledger_close(&selection->ledger);
    *selection = (struct orr_selection){0};
}

/* --- machines --- */

static void add_scope(struct orr_scopes *out, const struct orr_selection *selection,
                      const struct orr_target *target, const char *machine, bool measured)
{
    struct orr_scope *added = orr_memory_add(&out->items, &out->count, sizeof *added);
    *added = (struct orr_scope){.ledger = &selection->ledger,
                                .paper = target->paper,
                                .experiment = target->experiment,
                                .quantity = selection->quantity,
                                .measured = measured};
    snprintf(added->machine, sizeof added->machine, "%s", machine);
    snprintf(added->name, sizeof added->name, "%s/%s", target->paper->key,
             target->experiment->name);
}

int orr_selection_scopes(struct orr_scopes *out, const struct orr_selection *selection,
                         const struct orr_target *target)
{
    *out = (struct orr_scopes){0};
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, &selection->ledger,
        "SELECT machine FROM cells WHERE experiment = ? || '/' || ? GROUP BY "
        "machine ORDER BY max(coalesce(started, run_started)) DESC",
        "ss", target->paper->key, orr_paper_cells(target->paper, target->experiment)->name);
    while (orr_ledger_row(&code, row, &selection->ledger)) {
        const char *machine = orr_ledger_text(row, 0);
        if (!selection->machine_count ||
            orr_names_find(machine, selection->machines, (size_t)selection->machine_count,
                           sizeof *selection->machines))
            add_scope(out, selection, target, machine, true);
    }
    if (!code && !out->count)
        add_scope(out, selection, target, selection->machine ? selection->machine : "", false);
    if (code)
        orr_selection_release_scopes(out);
    return code;
}

void orr_selection_release_scopes(struct orr_scopes *scopes)
{
    free(scopes->items);
    *scopes = (struct orr_scopes){0};
}
