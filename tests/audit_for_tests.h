/* SPDX-License-Identifier: MIT */
/* Audits of formulas as printed and of changed ones. */
#ifndef AUDIT_FOR_TESTS_H
#define AUDIT_FOR_TESTS_H

#include "tests/cases.h"
#include "random_for_tests.h"

#include "audit/audit.h"
#include "ledger/ledger.h"
#include "paths.h"
#include "text.h"

static struct orr_paper *shan;
static char *printed; /* variants/shan/formulas.csv */
/* A table and what was found in it. */
#define AUDITED RELEASED_BY(orr_ledger_close) struct orr_ledger

/* Audits the text; its code. */
static inline int audit(struct orr_ledger *out, const char *text)
{
    char path[] = "/tmp/orrery-formulas-XXXXXX";
    close(mkstemp(path));
    write_text(path, text);
    assert_int_equal(orr_ledger_open(out), 0);
    int code = orr_audit_formulas(out, shan, path);
    unlink(path);
    return code;
}

/* The first column of the first row; "" where there is none. Of a text, where it is not NULL. */
static inline const char *answer_of(const struct orr_ledger *a, const char *sql, const char *of)
{
    RELEASED_BY(end_query) sqlite3_stmt *row;
    assert_done(orr_ledger_query(&row, a, sql, of ? "s" : "", of));
    const int more = orr_ledger_next(row, a);
    assert_done(more < 0);
    return filled("%s", more > 0 ? orr_ledger_text(row, 0) : "");
}

static inline void assert_answer(const struct orr_ledger *a, const char *expected, const char *sql,
                                 const char *of)
{
    assert_string_equal(answer_of(a, sql, of), expected);
}

/* The text with the one place of `from` replaced. */
static inline const char *replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("the table does not hold '%s'", from);
    return filled("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static inline int load_paper(void **state)
{
    char path[1024];
    size_t size;
    if (orr_paper_load(&shan, "shan") ||
        orr_paths_home(path, sizeof path, "variants/shan/formulas.csv") ||
        orr_text_read(&printed, &size, path, path)) {
        fprintf(stderr, "%s\n", orr_error_text());
        return -1;
    }
    return 0;
}

static inline int leave_paper(void **state)
{
    free(printed);
    orr_paper_free(shan);
    return 0;
}

#endif
