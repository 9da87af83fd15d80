/* Runs a paper's SQL statement by statement; the ledger is read-only to it. */
#include <stdlib.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "error.h"
#include "memory.h"
#include "sql/claims/found.h"

static int run(sqlite3_stmt *statement, int status)
{
    while (status == SQLITE_OK || status == SQLITE_ROW)
        status = statement ? sqlite3_step(statement) : SQLITE_DONE;
    return status == SQLITE_DONE ? 0 : ORR_EINPUT;
}

/* A file of claims while it runs. */
struct script {
    struct orr_ledger *ledger;
    const char *text, *shown;
    struct orr_ledger_guard guard; /* what its `writable` names now may be written to */
    const char **last;             /* where the statements begin that write parts and notes */
    size_t count;
};

/* The statement at *at, unless it writes parts or notes: these wait until all is compared.
 * *at moves behind it. */
static int execute_one(struct script *script, const char **at)
{
    static const char *const tables[] = {"claim", "wanted", "comparison", "sequence", NULL},
                             *const all[] = {"claim", "wanted", "comparison", "sequence",
                                             "part",  "note",   NULL};
    const char *start = *at;
    sqlite3 *db = script->ledger->db;
    sqlite3_stmt *statement = NULL;
    int code = 0;
    script->guard.writable = tables;
    int status = sqlite3_prepare_v2(db, start, -1, &statement, at);
    bool refused = status != SQLITE_OK;
    if (refused) {
        script->guard.writable = all;
        status = sqlite3_prepare_v2(db, start, -1, &statement, at);
    }
    if (!refused || status != SQLITE_OK) {
        if (run(statement, status))
            code = orr_ledger_blame(script->ledger, script->shown, 1, script->text, start);
    } else {
        const char **added = orr_memory_add(&script->last, &script->count, sizeof *added);
        *added = start;
    }
    sqlite3_finalize(statement);
    return code;
}

/* What was compared is judged, then the parts are written. */
static int execute_last(struct script *script)
{
    static const char *const found[] = {"found", NULL}, *const last[] = {"part", "note", NULL};
    sqlite3 *db = script->ledger->db;
    script->guard.writable = found;
    int code = sqlite3_exec(db, sql_claims_found, NULL, NULL, NULL) == SQLITE_OK
                   ? 0
                   : orr_ledger_blame(script->ledger, script->shown, 1, script->text, script->text);
    script->guard.writable = last;
    for (size_t k = 0; !code && k < script->count; k++) {
        sqlite3_stmt *statement = NULL;
        int status = sqlite3_prepare_v2(db, script->last[k], -1, &statement, NULL);
        if (run(statement, status))
            code =
                orr_ledger_blame(script->ledger, script->shown, 1, script->text, script->last[k]);
        sqlite3_finalize(statement);
    }
    return code;
}

int orr_claims_execute(struct orr_ledger *ledger, const char *text, const char *shown)
{
    struct script script = {
        .ledger = ledger,
        .text = text,
        .shown = shown,
        .guard = {.tables = true,
                  .rule = "claims may read the ledger, write to the tables claim, wanted,"
                          " comparison, sequence, part and note and create temporary views and"
                          " tables"}};
    int code = 0;
    orr_ledger_guard(ledger, &script.guard);
    for (const char *at = orr_ledger_skip(text); !code && *at; at = orr_ledger_skip(at))
        code = execute_one(&script, &at);
    if (!code)
        code = execute_last(&script);
    orr_ledger_guard(ledger, NULL);
    free(script.last);
    return code;
}
