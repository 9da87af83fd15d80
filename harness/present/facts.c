#include "present/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* [1,2,3]; NULL without memory. */
static char *list_of(const long long *keys, size_t count)
{
    char *list = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&list, &size);
    if (!text)
        return NULL;
    for (size_t k = 0; k < count; k++)
        fprintf(text, "%c%lld", k ? ',' : '[', keys[k]);
    fputs(count ? "]" : "[]", text);
    fclose(text);
    return list;
}

/* The distinct values that a query gives, joined by "; ". */
static int join(char **out, const struct orr_ledger *ledger, const char *sql, const char *list)
{
    sqlite3_stmt *row;
    size_t size = 0;
    *out = NULL;
    int more = 0, code = list ? orr_ledger_query(&row, ledger, sql, "s", list) : ORR_EMEMORY;
    if (code)
        return list ? code : orr_fail(ORR_EMEMORY, "no memory for the facts of a table");
    FILE *text = open_memstream(out, &size);
    while (text && (more = orr_ledger_next(row, ledger)) > 0)
        fprintf(text, "%s%s", ftell(text) ? "; " : "", orr_ledger_text(row, 0));
    if (!text || fclose(text))
        more = orr_fail(ORR_EMEMORY, "no memory for the facts of a table");
    sqlite3_finalize(row);
    return more;
}

#define THESE " WHERE l.cell_key IN (SELECT value FROM json_each(?))"
#define OF_CELLS " FROM cells l JOIN run r USING (run_key)" THESE
#define OF_DEVICES                                                                       \
    " FROM cells l JOIN device d ON d.run_key = l.run_key AND d.device = l.device" THESE \
    " AND l.device <> 'host'"

int orr_facts_add(struct orr_document *document, const struct orr_ledger *ledger, const char *lead,
                  const long long *keys, size_t count)
{
    static const struct {
        const char *name, *sql;
    } facts[] = {
        {"machine", "SELECT DISTINCT l.machine || ' (' || coalesce(r.cpu, 'CPU not known') || ', ' "
                    "|| coalesce(r.cores, '?') ||"
                    " ' cores, ' || coalesce(r.threads, '?') || ' threads, ' || coalesce(r.os, "
                    "'?') || ')'" OF_CELLS},
        {"device", "SELECT l.device || ' ' || coalesce(max(l.device_name), '')" OF_CELLS
                   " GROUP BY l.device ORDER BY 1"},
        {"driver",
         "SELECT DISTINCT d.device || ' ' || d.driver" OF_DEVICES " AND d.driver <> '' ORDER BY 1"},
        {"toolkit", "SELECT DISTINCT d.device || ' ' || d.toolkit" OF_DEVICES
                    " AND d.toolkit <> '' ORDER BY 1"},
        {"orrery", "SELECT DISTINCT coalesce(r.version, '?') || ' commit ' || "
                   "coalesce(r.commit_id, '?') || ', ' ||"
                   " coalesce(r.compiler, '')" OF_CELLS " ORDER BY 1"},
        {"date",
         "SELECT CASE WHEN min(substr(l.started, 1, 10)) = max(substr(l.started, 1, 10)) THEN"
         " min(substr(l.started, 1, 10)) ELSE min(substr(l.started, 1, 10)) || ' to ' ||"
         " max(substr(l.started, 1, 10)) END" OF_CELLS},
        {"run",
         "SELECT DISTINCT r.run || ' (preset ' || coalesce(r.preset, 'quick') || ')'" OF_CELLS
         " ORDER BY 1"},
    };
    char *list = list_of(keys, count);
    int code = 0;
    for (size_t k = 0; k < sizeof facts / sizeof *facts && !code; k++) {
        char name[32], *text;
        snprintf(name, sizeof name, "%s%s", lead, facts[k].name);
        code = join(&text, ledger, facts[k].sql, list);
        if (!code && *text)
            orr_document_fact(document, name, "%s", text);
        free(text);
    }
    free(list);
    return code;
}

int orr_facts_flags(char **out, const struct orr_ledger *ledger, const long long *keys,
                    size_t count)
{
    char *list = list_of(keys, count);
    int code =
        join(out, ledger,
             "SELECT DISTINCT l.build_flags" OF_CELLS " AND l.build_flags <> '' ORDER BY 1", list);
    free(list);
    return code;
}
