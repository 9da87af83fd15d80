#include "present/scope.h"

#include <stdio.h>
#include <string.h>

#include "audit/audit.h"
#include "present/column_format.h"
#include "present/queries.h"
#include "sql/present/lines.h"
#include "sql/present/provenance.h"
#include "sql/present/scope.h"

const char *const orr_scope_texts[] = {sql_present_scope, sql_present_lines, sql_present_provenance,
                                       NULL};

void orr_scope_set(struct orr_scope *out, const struct orr_ledger *ledger,
                   const struct orr_paper *paper, const struct orr_experiment *experiment,
                   const char *machine)
{
    *out = (struct orr_scope){
        .ledger = ledger, .paper = paper, .experiment = experiment, .machine = machine};
    snprintf(out->name, sizeof out->name, "%s/%s", paper->key, experiment->name);
    snprintf(out->cells, sizeof out->cells, "%s/%s", paper->key,
             orr_paper_cells(paper, experiment)->name);
}

int orr_scope_drop(const struct orr_ledger *ledger)
{
    return orr_ledger_run_made(
        ledger, "SELECT group_concat(printf('DROP %s temp.\"%w\"', type, name), ';') FROM "
                "(SELECT type, name FROM sqlite_temp_master WHERE type IN ('table', 'view') "
                "ORDER BY type DESC)");
}

int orr_scope_fill(const struct orr_queries *queries, const struct orr_section *first,
                   const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const char *experiment)
{
    int code = 0;
    for (const struct orr_section *s = first + 1; !code && !orr_queries_ended(queries, s); s++)
        if (s->kind == ORR_SECTION_FILL)
            code = strcmp(s->argument, "audit") != 0
                       ? orr_section_blame(s, "nothing fills '%s'", s->argument)
                       : orr_audit_have(ledger, paper, experiment);
    return code;
}

int orr_scope_set_up(const struct orr_queries *queries, const struct orr_section *first,
                     const struct orr_ledger *ledger)
{
    int code = 0;
    for (const struct orr_section *s = first + 1; !code && !orr_queries_ended(queries, s); s++) {
        const struct orr_section *part = NULL;
        if (s->kind == ORR_SECTION_SETUP)
            code = orr_section_execute(s, ledger);
        else if (s->kind == ORR_SECTION_USE &&
                 (part = orr_queries_find(queries, ORR_SECTION_PART, s->argument)))
            code = orr_scope_set_up(queries, part, ledger);
        else if (s->kind == ORR_SECTION_SET) {
            char sql[256];
            int name = (int)strcspn(s->argument, " ");
            snprintf(sql, sizeof sql, "UPDATE scope SET %.*s = %s", name, s->argument,
                     s->argument + name);
            struct orr_section update = *s;
            update.sql = sql;
            code = orr_section_execute(&update, ledger);
        }
    }
    return code;
}

static int ask(const struct orr_ledger *ledger, const char *experiment,
               const struct orr_scope_side *sides, size_t count)
{
    int code = orr_ledger_run(ledger, "CREATE TEMP TABLE asked AS SELECT ? AS experiment", "s",
                              experiment);
    if (!code)
        code = orr_ledger_execute(ledger, "CREATE TEMP TABLE side(operand TEXT, machine TEXT)");
    for (size_t k = 0; k < count && !code; k++)
        code = orr_ledger_run(ledger, "INSERT INTO side VALUES (?, ?)", "ss", sides[k].operand,
                              sides[k].machine);
    return code;
}

int orr_scope_make(const struct orr_ledger *ledger, const char *experiment,
                   const struct orr_scope_side *sides, size_t count, enum orr_scope_tables tables)
{
    static const char *const files[] = {"present/scope.sql", "present/lines.sql",
                                        "present/provenance.sql"};
    int code = orr_scope_drop(ledger);
    if (!code)
        code = orr_column_format_offer(ledger);
    if (!code)
        code = ask(ledger, experiment, sides, count);
    for (size_t k = 0; orr_scope_texts[k] && !code; k++) {
        const struct orr_section part = {.file = files[k], .sql = orr_scope_texts[k]};
        if (tables & 1u << k)
            code = orr_section_execute(&part, ledger);
    }
    return code;
}
