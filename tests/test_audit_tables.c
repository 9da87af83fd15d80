/* SPDX-License-Identifier: MIT */
/* The audit of Shan & Lei's Tables I and II: what it finds in the tables as printed, which
 * tests/golden/tables/shan-table2.csv has, is gone from corrected ones, and every tampering is
 * caught. */
#include "audit_for_tests.h"

/* Of the finding of that item, whether the value is above 0. */
static bool has(const struct orr_ledger *a, const char *value, const char *item)
{
    const char *sql = filled("SELECT %s FROM audit_finding WHERE item = ?", value);
    double found;
    assert_int_equal(orr_ledger_numbers(&found, 1, a, sql, "s", item), 1);
    return found > 0;
}

static const char derived_of[] = "SELECT derived FROM audit_finding WHERE item = ?";

static void assert_finding(const struct orr_ledger *a, const char *item, bool right,
                           const char *derived, const char *why)
{
    const char *told = answer_of(a, derived_of, item),
               *reason = answer_of(a, "SELECT why FROM audit_finding WHERE item = ?", item);
    if (!has(a, "count(*)", item))
        fail_msg("nothing is said of '%s'", item);
    if (has(a, "agrees", item) != right || !strstr(told, derived) || !strstr(reason, why))
        fail_msg("%s: %s, '%s', '%s'", item, has(a, "agrees", item) ? "agrees" : "does not", told,
                 reason);
}

/* Without the lines that begin with `start`. */
static const char *drop(const char *text, const char *start)
{
    const char *at = strstr(text, start);
    assert_non_null(at);
    for (; at; at = strstr(text, start))
        text = filled("%.*s%s", (int)(at - text), text, strchr(at, '\n') + 1);
    return text;
}

TEST(nothing_is_found_in_corrected_tables)
{
    const char *text = printed;
    text = replace(text, "shared memory,SR+SW,-N(P-1)-BP^2",
                   "shared memory,SR+SW,-N(P-1)/2+4N-BP^2/2+BP/2");
    text = replace(text, "-P(146462P-89346)", "-P(72962P-138498)");
    text = replace(text, "from,,,P,,1,P >= 1", "from,,,P,,2,P >= 2");
    text = replace(text, "shan/table1,count,bpb,,Return d_acc,GW",
                   "shan/table1,count,bpb,,Father box,CP,N(P-1),,\nshan/table1,count,bpb,,Neighbor "
                   "box,CP,BP^2,,\n"
                   "shan/table1,count,bpb,,Return d_acc,GW");
    text = replace(text, "PAIR2_BOTH,CP,15", "PAIR2_BOTH,CP,19");
    text = drop(text, "shan/table1,atomic");
    AUDITED a;
    assert_int_equal(audit(&a, text), 0);
    assert_answer(&a, "0", "SELECT sum(NOT agrees) FROM audit_finding", NULL);
    assert_false(has(&a, "count(*)", "CP of bpb"));
    assert_finding(&a, "shared memory for P >= 2", true, "falls for every P >= 2", "");
}

TEST(a_number_may_follow_from_a_wrong_symbol)
{
    const char *text = replace(printed, "-P(146462P-89346)", "-P(145924P-16384)");
    AUDITED a;
    assert_int_equal(audit(&a, text), 0);
    assert_finding(&a, "shared memory at level 7", false, "P(72962P - 138498)",
                   "follows from the printed symbols");
}

/* --- tampering --- */

static const struct {
    const char *item, *kinds;
} entries[] = {{"computation", "CP"},
               {"register", "RR+RW"},
               {"shared memory", "SR+SW"},
               {"global memory", "GR+GW"}};

static void assert_derived_differs_by(const struct orr_ledger *a, const struct orr_ledger *b,
                                      const char *item, const char *expected)
{
    const char *before = answer_of(a, derived_of, item), *after = answer_of(b, derived_of, item),
               *difference = answer_of(b, "SELECT formula(?)", filled("(%s)-(%s)", after, before));
    assert_answer(b, difference, "SELECT formula(?)", expected);
}

/* The line of a count with something added to it. */
static void tamper_with(const struct orr_ledger *a, sqlite3_stmt *row)
{
    static const char *const symbols[] = {"N", "BP", "NP", "BP^2", "P", "B"};
    const char *line = orr_ledger_text(row, 0), *kind = orr_ledger_text(row, 1);
    const bool before = !strcmp(orr_ledger_text(row, 2), "bpb");
    AUDITED b;
    const char *addition = filled("%lld%s/2", 1 + random_below(1000), symbols[random_below(6)]);
    const char *difference = filled("%s(%s)", before ? "-" : "", addition);
    const char *to = filled("%s+%s", line, addition);
    const char *text = replace(printed, line, to);
    assert_int_equal(audit(&b, text), 0);
    for (size_t e = 0; e < 4; e++) {
        bool hit = strstr(entries[e].kinds, kind);
        if (hit && strcmp(kind, "CP") != 0) {
            assert_false(has(&b, "agrees", entries[e].item));
            assert_derived_differs_by(a, &b, entries[e].item, difference);
        } else if (!hit && e != 0) {
            assert_int_equal(has(&b, "agrees", entries[e].item), has(a, "agrees", entries[e].item));
            assert_derived_differs_by(a, &b, entries[e].item, "0");
        }
    }
}

/* RW says what the missing CP is: that one changes with it. */
TEST(tampered_counts_are_caught)
{
    AUDITED a;
    RELEASED_BY(end_query) sqlite3_stmt *row;
    int count = 0;
    assert_int_equal(audit(&a, printed), 0);
    assert_int_equal(
        orr_ledger_query(&row, &a,
                         "SELECT printf('%s,count,%s,,%s,%s,%s', experiment, variant,"
                         " item, kinds, printed), kinds, variant FROM audit_formula"
                         " WHERE says = 'count' AND inferred IS NULL AND kinds <> 'RW'",
                         ""),
        0);
    for (; orr_ledger_next(row, &a) > 0; count++)
        tamper_with(&a, row);
    assert_true(count > 15);
}

TEST(tampered_changes_are_caught)
{
    AUDITED a;
    RELEASED_BY(end_query) sqlite3_stmt *row;
    int count = 0;
    assert_int_equal(audit(&a, printed), 0);
    assert_done(orr_ledger_query(&row, &a,
                                 "SELECT printf('%s,%s,%s,%s,%s,%s,', experiment, says,"
                                 " variant, over, item, kinds), formula, item || iif(says ="
                                 " 'change', '', ' at level 7') FROM audit_formula WHERE says"
                                 " IN ('change', 'number') AND item <> 'shared memory'",
                                 ""));
    for (; orr_ledger_next(row, &a) > 0; count++) {
        const char *start = orr_ledger_text(row, 0), *item = orr_ledger_text(row, 2);
        const char *at = strstr(printed, start);
        const char *to =
            filled("%s%s+%lldP,,\n", start, orr_ledger_text(row, 1), 1 + random_below(1000));
        assert_non_null(at);
        const char *line = filled("%.*s", (int)strcspn(at, "\n") + 1, at),
                   *derived = answer_of(&a, derived_of, item), *text = replace(printed, line, to);
        AUDITED b;
        assert_int_equal(audit(&b, text), 0);
        assert_finding(&b, item, false, derived, "");
    }
    assert_int_equal(count, 6);
}

TEST(a_count_that_nothing_gives_is_said)
{
    const char *text = drop(printed, "shan/table1,count,bpb,,Neighbor box,RW");
    AUDITED a;
    assert_int_equal(audit(&a, text), 0);
    assert_false(has(&a, "count(*)", "CP of bpb"));
    assert_finding(&a, "computation", false, "", "are not printed, and nothing gives them");
    assert_false(has(&a, "agrees", "computation at level 7"));
}

RUN_TESTS(load_paper, leave_paper)
