/* Runs a paper's SQL statement by statement; the ledger is read-only to it. */
#include <ctype.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "error.h"

/* Skips blanks and comments. */
static const char *skip(const char *text)
{
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (!strncmp(text, "--", 2)) {
            text += strcspn(text, "\n");
        } else if (!strncmp(text, "/*", 2)) {
            const char *end = strstr(text + 2, "*/");
            text = end ? end + 2 : text + strlen(text);
        } else {
            return text;
        }
    }
}

/* *at moves behind the statement. */
static int execute_one(struct orr_ledger *ledger, const char *text, const char **at,
                       const char *shown)
{
    const char *start = *at;
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(ledger->db, start, -1, &statement, at);
    while (status == SQLITE_OK || status == SQLITE_ROW)
        status = statement ? sqlite3_step(statement) : SQLITE_DONE;
    int code = status == SQLITE_DONE ? 0 : orr_ledger_blame(ledger, shown, 1, text, start);
    sqlite3_finalize(statement);
    return code;
}

int orr_claims_execute(struct orr_ledger *ledger, const char *text, const char *shown)
{
    static const char *const writable[] = {"claim", "verdict", NULL};
    static const struct orr_ledger_guard guard = {
        .writable = writable,
        .rule = "claims may read the ledger, write to the tables claim and verdict and create "
                "temporary views"};
    int code = 0;
    orr_ledger_guard(ledger, &guard);
    for (const char *at = skip(text); !code && *at; at = skip(at))
        code = execute_one(ledger, text, &at, shown);
    orr_ledger_guard(ledger, NULL);
    return code;
}
