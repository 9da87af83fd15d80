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
struct audited {
    struct orr_ledger ledger;
};

/* Audits the text; its code. */
static inline int audit(struct audited *out, const char *text)
{
    char path[] = "/tmp/orrery-formulas-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs(text, file);
    fclose(file);
    assert_int_equal(orr_ledger_open(&out->ledger), 0);
    int code = orr_audit_formulas(&out->ledger, shan, path);
    unlink(path);
    return code;
}

static inline void leave(struct audited *a)
{
    orr_ledger_close(&a->ledger);
}

/* The first column of the first row, to be freed; "" where there is none. Of one or two texts. */
static inline char *answer_of(const struct audited *a, const char *sql, const char *first,
                              const char *second)
{
    RELEASED_BY(end_query) sqlite3_stmt *row;
    assert_done(orr_ledger_query(&row, &a->ledger, sql,
                                 second  ? "ss"
                                 : first ? "s"
                                         : "",
                                 first, second));
    const int more = orr_ledger_next(row, &a->ledger);
    assert_done(more < 0);
    char *text = strdup(more > 0 ? orr_ledger_text(row, 0) : "");
    return text;
}

static inline void assert_answer(const struct audited *a, const char *expected, const char *sql,
                                 const char *first, const char *second)
{
    RELEASED_BY(free_text) char *answer = answer_of(a, sql, first, second);
    assert_string_equal(answer, expected);
}

/* The text with the one place of `from` replaced; frees `text`. */
static inline char *replace(char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("the table does not hold '%s'", from);
    size_t before = (size_t)(at - text), size = strlen(text) - strlen(from) + strlen(to) + 1;
    char *made = malloc(size);
    snprintf(made, size, "%.*s%s%s", (int)before, text, to, text + before + strlen(from));
    free(text);
    return made;
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
