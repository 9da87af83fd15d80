/* SPDX-License-Identifier: MIT */
/* What is derived from formulas, against whole numbers worked out here; mistakes in the file of
 * formulas are named. */
#include "audit_for_tests.h"

#include "datasets/boxes.h"

/* --- what is derived, against whole numbers worked out here --- */

TEST(changes_have_the_values_of_their_counts)
{
    AUDITED a;
    assert_int_equal(audit(&a, printed), 0);
    for (int k = 0; k < 300; k++) {
        int level = (int)random_below(8);
        long long P = 1 + random_below(600), N = (P << 2 * level) + random_below(100);
        long long B = (long long)orr_boxes_neighbours(level);
        const long long pairs = N * (P - 1) + B * P * P;
        const long long expected[4][2] = {{-pairs / 2, -pairs / 2},
                                          {-pairs, -pairs},
                                          {(8 * N - N * (P - 1) - B * P * P + B * P) / 2,
                                           (8 * N + N * (P - 1) + B * P * P + B * P) / 2},
                                          {2 * N - B * P / 2, 6 * N + B * P / 2}};
        static const char *const items[] = {"computation", "register", "shared memory",
                                            "global memory"};
        for (size_t e = 0; e < 4; e++) {
            double values[2];
            assert_int_equal(
                orr_ledger_numbers(values, 2, &a,
                                   "SELECT formula_value(follows, ?1, ?2, ?3),"
                                   " formula_value(coalesce(follows_read_write, follows), ?1, ?2,"
                                   " ?3) FROM audit_formula WHERE says = 'change' AND item = ?4",
                                   "iiis", N, P, (long long)level, items[e]),
                1);
            for (size_t reading = 0; reading < 2; reading++)
                assert_true(fabs(values[reading] - (double)expected[e][reading]) <= 0.5);
        }
    }
}

TEST(falls_begin_where_they_are_seen_to)
{
    AUDITED audited;
    assert_int_equal(audit(&audited, printed), 0);
    for (int k = 0; k < 400; k++) {
        long long a = random_below(60) - 30, b = random_below(900) - 450,
                  c = random_below(4000) - 2000;
        long long from = random_below(5);
        if (k < 100) /* a double root, on a whole number or between two */
            b = 1 + random_below(20), a = k % 2 ? 1 : -4, c = a * b * b / (k % 2 ? 1 : 4),
            b = k % 2 ? -2 * a * b : -a * b;
        double fall[3];
        const char *text = filled("(0%+lldP^2%+lldP%+lld)%s", a, b, c, k % 3 ? "" : "P");
        assert_int_equal(orr_ledger_run(&audited, "DELETE FROM audit_change", ""), 0);
        if (orr_ledger_run(&audited,
                           "INSERT INTO audit_change VALUES (1, 0, 0, NULL, formula(?), ?)", "si",
                           text, from))
            fail_msg("%s: %s", text, orr_error_text());
        assert_int_equal(orr_ledger_numbers(fall, 3, &audited,
                                            "SELECT ahead, steady, length(words) FROM audit_fall",
                                            ""),
                         1);
        int end = a ? (a > 0 ? 1 : -1) : b ? (b > 0 ? 1 : -1) : (c > 0) - (c < 0);
        assert_true(fall[0] == end);
        long long last = from - 1; /* the last value whose sign is another */
        for (long long P = from; P < 5000 && end; P++) {
            long long value = (a * P * P + b * P + c) * (k % 3 ? 1 : P);
            if ((value > 0) - (value < 0) != end)
                last = P;
        }
        if (end && fall[1] != (double)last + 1)
            fail_msg("%s from %lld on: steady from %.0f, not %lld", text, from, fall[1], last + 1);
        assert_true(fall[2] > 0);
    }
}

TEST(break_evens_are_the_roots)
{
    AUDITED a;
    assert_int_equal(audit(&a, printed), 0);
    for (int k = 0; k < 300; k++) {
        const int one = 1 + (int)random_below(2000), other = 1 + (int)random_below(2000),
                  scale = 1 + (int)random_below(50);
        double root;
        const char *text =
            filled("-(%dP - %d)(P - %d)P^%d", scale, one, other, (int)random_below(2));
        assert_int_equal(orr_ledger_run(&a, "DELETE FROM audit_change", ""), 0);
        assert_done(orr_ledger_run(&a,
                                   "INSERT INTO audit_change VALUES (1, 0, 0, NULL,"
                                   " formula(?), 0)",
                                   "s", text));
        assert_int_equal(orr_ledger_numbers(&root, 1, &a, "SELECT break_even FROM audit_fall", ""),
                         1);
        const double last = fmax((double)one / scale, other);
        assert_true(fabs(root / last - 1) < 1e-9);
    }
}

TEST(what_is_not_solved_says_so)
{
    static const char *const changes[] = {"P^3 - 1", "N - P", "P^4 - P^3 + P^2", "BP"};
    AUDITED a;
    assert_int_equal(audit(&a, printed), 0);
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        assert_int_equal(orr_ledger_run(&a, "DELETE FROM audit_change", ""), 0);
        assert_done(orr_ledger_run(&a, "INSERT INTO audit_change VALUES (1, 0, 0, NULL, ?, 1)", "s",
                                   changes[k]));
        assert_answer(&a, "has several symbols, or a degree above 2",
                      "SELECT words FROM audit_fall WHERE steady IS NULL", NULL);
    }
}

/* --- the file --- */

static void assert_malformed(const char *line, const char *expected)
{
    const char *text =
        filled("experiment,says,variant,over,item,kinds,formula,printed,note\n%s\n", line);
    AUDITED a;
    assert_int_equal(audit(&a, text), ORR_EINPUT);
    if (!strstr(orr_error_text(), ":2: "))
        fail_msg("no line in '%s'", orr_error_text());
    assert_says(expected);
}

TEST(mistakes_in_the_file_are_named)
{
    assert_malformed("shan/table1,count,bpb,,Father box,GR,3N(P-1,,",
                     "formula: '3N(P-1' is no formula");
    assert_malformed("shan/table1,count,bpb,,Father box,GR,N/P,,",
                     "column 3: expected a number other than 0");
    assert_malformed("shan/table1,counts,bpb,,Father box,GR,3N,,", "did you mean 'count'?");
    assert_malformed("shan/table1,count,bpb-n3,,Father box,GR,3N,,", "did you mean 'bpb-n3l'?");
    assert_malformed("shan/table9,count,bpb,,Father box,GR,3N,,", "unknown experiment 'table9'");
    assert_malformed("feng/table1,count,bpb,,Father box,GR,3N,,", "not of the paper 'shan'");
    assert_malformed("shan/table1,count,bpb,,Father box,XX,3N,,", "unknown kind of access 'XX'");
    assert_malformed("shan/table1,count,bpb,,Father box,GR+GW,3N,,", "a count is of one kind");
    assert_malformed("shan/table1,count,bpb,,,GR,3N,,", "'item' is empty");
    assert_malformed("shan/table1,atomic,bpb,,Father box,SR,3N,,", "a part of SW or GW");
    assert_malformed("shan/table2,change,bpb-n3l,bp,register,RW,3N,,", "unknown variant 'bp'");
    assert_malformed("shan/table2,change,bpb-n3l,bpb,register,,3N,,", "as in SR+SW");
    assert_malformed("shan/table2,from,,,P,,N,,", "from is followed by a number");
    assert_malformed("shan/table2,where,,,Q,,16384P,,", "the symbol 'Q' is none of N, B and P");
    assert_malformed("shan/table1,count,bpb,,Father box,GR,3N", "7 fields instead of 9");
    AUDITED a;
    assert_fails(audit(&a, "experiment,variant\n"), ORR_EINPUT,
                 "the first line must be experiment,says");
    orr_ledger_close(&a);
    assert_fails(audit(&a, ""), ORR_EINPUT, "the first line must be");
    orr_ledger_close(&a);
    const char *twice = replace(
        printed, "shan/table1,count,bpb,,Father box,GR,3N,,\n",
        "shan/table1,count,bpb,,Father box,GR,3N,,\nshan/table1,count,bpb,,Father box,GR,4N,,\n");
    assert_fails(audit(&a, twice), ORR_EINPUT, ":3: line 2 has this count already");
}

TEST(a_pair_that_nobody_counts_is_an_error)
{
    AUDITED a;
    const char *text = replace(printed, "PAIR2_BOTH", "PAIR9");
    assert_fails(audit(&a, text), ORR_EINPUT, "no pair 'PAIR9'");
}

RUN_TESTS(load_paper, leave_paper)
