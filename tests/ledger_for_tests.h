/* SPDX-License-Identifier: MIT */
/* A ledger as the state of a test, and what queries find in a ledger. */
#ifndef LEDGER_FOR_TESTS_H
#define LEDGER_FOR_TESTS_H

#include <fcntl.h>
#include <sys/mman.h>

#include "ledger/ledger.h"
#include "tests/cases.h"

/* Tests write the records of journals with ' in place of ". This makes JSON of a file of them. */
static inline void quote_records(const char *path)
{
    int file = open(path, O_RDWR);
    size_t size = (size_t)lseek(file, 0, SEEK_END);
    char *text = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_true(file >= 0 && text != MAP_FAILED);
    for (char *at = text; (at = memchr(at, '\'', size - (size_t)(at - text))); at++)
        *at = '"';
    munmap(text, size);
    close(file);
}

/* A journal of these texts, loaded and removed again. */
static inline void load_from(struct orr_ledger *ledger, const char *path, const char *const *texts)
{
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    for (; *texts; texts++)
        fputs(*texts, to);
    assert_int_equal(fclose(to), 0);
    quote_records(path);
    assert_done(orr_ledger_add(ledger, path));
    unlink(path);
}

static inline void load_texts(struct orr_ledger *ledger, const char *const *texts)
{
    char path[] = "/tmp/orrery-ledger-XXXXXX";
    close(mkstemp(path));
    load_from(ledger, path, texts);
}
#define LOAD(ledger, ...) load_texts(ledger, (const char *const[]){__VA_ARGS__, NULL})

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

static inline void assert_number(const struct orr_ledger *ledger, const char *sql, double expected)
{
    const double found = number(ledger, sql);
    if (found != expected)
        fail_msg("%s: %.17g, not %.17g", sql, found, expected);
}

static inline void assert_text(const struct orr_ledger *ledger, const char *sql,
                               const char *expected)
{
    RELEASED_BY(end_query) sqlite3_stmt *row = ask(ledger, sql);
    assert_string_equal(orr_ledger_text(row, 0), expected);
}

/* The first column of the first row that a query finds in the ledger of a test. */
#define FINDS(sql, expected) assert_number(*state, sql, expected)

#endif
