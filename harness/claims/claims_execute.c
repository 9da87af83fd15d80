/* Runs a paper's SQL statement by statement; the ledger is read-only to it. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "claims/claims_parts.h"
#include "error.h"

static bool is_writable(const char *table)
{
    return !strcmp(table, "claim") || !strcmp(table, "verdict");
}

/* A temporary view is a row of sqlite_temp_master, which SQL itself cannot write to. */
static int allow(void *context, int action, const char *first, const char *second,
                 const char *database, const char *view)
{
    (void)context, (void)second, (void)view;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_CREATE_TEMP_VIEW:
        return SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        if (database && !strcmp(database, "temp") &&
            (is_writable(first) || !strcmp(first, "sqlite_temp_master")))
            return SQLITE_OK;
    }
    return SQLITE_DENY;
}

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

static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* `statement` is where the failed one begins. */
static int blame(const struct orr_ledger *ledger, const char *text, const char *statement,
                 const char *shown)
{
    int offset = sqlite3_error_offset(ledger->db);
    size_t line = line_of(text, offset < 0 ? statement : statement + offset);
    if (sqlite3_errcode(ledger->db) == SQLITE_AUTH)
        return orr_fail(ORR_EINPUT,
                        "%s:%zu: not allowed here: claims may read the ledger, write to the tables "
                        "claim and verdict and"
                        " create temporary views",
                        shown, line);
    return orr_fail(ORR_EINPUT, "%s:%zu: %s", shown, line, sqlite3_errmsg(ledger->db));
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
    int code = status == SQLITE_DONE ? 0 : blame(ledger, text, start, shown);
    sqlite3_finalize(statement);
    return code;
}

int orr_claims_execute(struct orr_ledger *ledger, const char *text, const char *shown)
{
    int code = 0;
    sqlite3_set_authorizer(ledger->db, allow, NULL);
    for (const char *at = skip(text); !code && *at; at = skip(at))
        code = execute_one(ledger, text, &at, shown);
    sqlite3_set_authorizer(ledger->db, NULL, NULL);
    return code;
}
