/* A ledger as the state of a test, and what queries find in a ledger. */
#ifndef LEDGER_FOR_TESTS_H
#define LEDGER_FOR_TESTS_H

#include "error.h"
#include "ledger/ledger.h"
#include "tests/cases.h"

static inline int open_ledger(void **state)
{
    struct orr_ledger *ledger = calloc(1, sizeof *ledger);
    orr_error_clear();
    *state = ledger;
    return ledger && !orr_ledger_open(ledger) ? 0 : -1;
}

static inline int close_ledger(void **state)
{
    orr_ledger_close(*state);
    free(*state);
    return 0;
}

/* The first row of what a query finds. Finalize it. */
static inline sqlite3_stmt *ask(const struct orr_ledger *ledger, const char *sql)
{
    sqlite3_stmt *row;
    if (orr_ledger_query(&row, ledger, sql, "") || orr_ledger_next(row, ledger) != 1)
        fail_msg("%s: %s", sql, orr_error_text());
    return row;
}

/* Its first column. */
static inline double number(const struct orr_ledger *ledger, const char *sql)
{
    RELEASED_BY(end_query) sqlite3_stmt *row = ask(ledger, sql);
    double value = orr_ledger_number(row, 0);
    return value;
}

static inline void assert_text(const struct orr_ledger *ledger, const char *sql,
                               const char *expected)
{
    RELEASED_BY(end_query) sqlite3_stmt *row = ask(ledger, sql);
    assert_string_equal(orr_ledger_text(row, 0), expected);
}

#endif
