/* The audit of Shan & Lei's Tables I and II: every erratum is found in the tables as printed and
 * gone from corrected ones, and every tampering is caught. */
#include "audit_for_tests.h"

#include "names.h"

static const struct orr_finding *find(const struct audited *a, const char *item)
{
    for (size_t k = 0; k < a->findings.count; k++)
        if (!strcmp(a->findings.items[k].item, item))
            return &a->findings.items[k];
    return NULL;
}

static void assert_finding(const struct audited *a, const char *item, bool agrees,
                           const char *derived, const char *why)
{
    const struct orr_finding *finding = find(a, item);
    if (!finding)
        fail_msg("nothing is said of '%s'", item);
    if (finding->agrees != agrees || !strstr(finding->derived, derived) ||
        !strstr(finding->why, why))
        fail_msg("%s: %s, '%s', '%s'", item, finding->agrees ? "agrees" : "does not",
                 finding->derived, finding->why);
}

/* Without the lines that begin with `start`. */
static char *drop(char *text, const char *start)
{
    char *at;
    bool any = false;
    while ((at = strstr(text, start))) {
        char *end = strchr(at, '\n');
        memmove(at, end + 1, strlen(end + 1) + 1);
        any = true;
    }
    assert_true(any);
    return text;
}

static void every_erratum_is_found(void **state)
{
    (void)state;
    struct audited a;
    assert_int_equal(audit(&a, printed), 0);
    assert_finding(&a, "shared memory", false, "-N(P - 9)/2 - BP(P - 1)/2",
                   "repeats the entry 'register'");
    assert_finding(&a, "shared memory at level 7", false, "reduced by P(72962P - 138498)",
                   "follows neither");
    assert_finding(&a, "shared memory for P >= 1", false,
                   "falls from P = 2 on, break-even P = 1.898; at P = 1 it rises by 65536", "");
    assert_finding(&a, "shared memory for P >= 1, atomic updates read and written", false,
                   "increased by P(72962P + 122114): rises for every P >= 1", "a read and a write");
    assert_finding(&a, "CP of bpb", false, "Father box N(P - 1), Neighbor box BP^2", "not printed");
    assert_finding(&a, "flops of a pair in bpb-n3l", false, "19",
                   "14 serve one body, 5 more the other");
    /* The right expression is the one that was worked out apart from this program. */
    struct orr_polynomial right, own;
    assert_int_equal(orr_polynomial_parse(&right, "-(N(P-1)/2 - 4N + BP^2/2 - BP/2)"), 0);
    assert_int_equal(orr_polynomial_parse(&own, find(&a, "shared memory")->derived), 0);
    assert_true(orr_polynomial_equal(&right, &own));
    leave(&a);
}

static void what_is_right_is_called_right(void **state)
{
    (void)state;
    static const char *const items[] = {"computation",
                                        "register",
                                        "global memory",
                                        "N at level 7",
                                        "B at level 7",
                                        "computation at level 7",
                                        "register at level 7",
                                        "global memory at level 7",
                                        "computation for P >= 1",
                                        "register for P >= 1",
                                        "global memory for P >= 1",
                                        "flops of a pair in bpb"};
    struct audited a;
    assert_int_equal(audit(&a, printed), 0);
    for (size_t k = 0; k < sizeof items / sizeof *items; k++)
        assert_finding(&a, items[k], true, "", "");
    assert_finding(&a, "computation at level 7", true, "reduced by P(72962P - 8192)", "");
    assert_finding(&a, "register at level 7", true, "reduced by P(145924P - 16384)", "");
    assert_finding(&a, "global memory at level 7", true, "reduced by 32002P", "");
    leave(&a);
}

static size_t count_wrong(const struct audited *a)
{
    size_t count = 0;
    for (size_t k = 0; k < a->findings.count; k++)
        count += !a->findings.items[k].agrees;
    return count;
}

static void nothing_is_found_in_corrected_tables(void **state)
{
    (void)state;
    char *text = strdup(printed);
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
    struct audited a;
    assert_int_equal(audit(&a, text), 0);
    assert_int_equal(count_wrong(&a), 0);
    assert_null(find(&a, "CP of bpb"));
    assert_finding(&a, "shared memory for P >= 2", true, "falls for every P >= 2", "");
    leave(&a);
    free(text);
}

static void a_number_may_follow_from_a_wrong_symbol(void **state)
{
    (void)state;
    char *text = replace(strdup(printed), "-P(146462P-89346)", "-P(145924P-16384)");
    struct audited a;
    assert_int_equal(audit(&a, text), 0);
    assert_finding(&a, "shared memory at level 7", false, "P(72962P - 138498)",
                   "follows from the printed symbols");
    leave(&a);
    free(text);
}

/* --- tampering --- */

static const struct {
    const char *item;
    unsigned kinds;
} entries[] = {{"computation", 1u << ORR_CP},
               {"register", 1u << ORR_RR | 1u << ORR_RW},
               {"shared memory", 1u << ORR_SR | 1u << ORR_SW},
               {"global memory", 1u << ORR_GR | 1u << ORR_GW}};

/* The line of a formula with something added to it. */
static char *tamper(const struct orr_formula *row, const char *addition)
{
    char *text = strdup(printed), from[256], to[320];
    snprintf(from, sizeof from, "%s,count,%s,,%s,%s,%s", row->experiment, row->variant, row->item,
             orr_names_access[orr_formula_kind(row)], row->printed);
    snprintf(to, sizeof to, "%s+%s", from, addition);
    return replace(text, from, to);
}

static void assert_derived_differs_by(const struct audited *a, const struct audited *b,
                                      const char *item, const struct orr_polynomial *expected)
{
    struct orr_polynomial before, after;
    assert_int_equal(orr_polynomial_parse(&before, find(a, item)->derived), 0);
    assert_int_equal(orr_polynomial_parse(&after, find(b, item)->derived), 0);
    assert_int_equal(orr_polynomial_add(&after, &after, -1, &before), 0);
    assert_true(orr_polynomial_equal(&after, expected));
}

static void tampered_counts_are_caught(void **state)
{
    (void)state;
    static const char *const symbols[] = {"N", "BP", "NP", "BP^2", "P", "B"};
    struct audited a, b;
    assert_int_equal(audit(&a, printed), 0);
    for (size_t k = 0; k < a.formulas.count; k++) {
        const struct orr_formula *row = &a.formulas.rows[k];
        char addition[48];
        if (row->says != ORR_SAYS_COUNT || row->inferred || orr_formula_kind(row) == ORR_RW)
            continue; /* RW says what the missing CP is: that one changes with it */
        snprintf(addition, sizeof addition, "%lld%s/2", 1 + random_below(1000),
                 symbols[random_below(6)]);
        char *text = tamper(row, addition);
        assert_int_equal(audit(&b, text), 0);
        struct orr_polynomial more;
        assert_int_equal(orr_polynomial_parse(&more, addition), 0);
        if (!strcmp(row->variant, "bpb"))
            assert_int_equal(orr_polynomial_add(&more, &(struct orr_polynomial){0}, -1, &more), 0);
        for (size_t e = 0; e < 4; e++) {
            struct orr_polynomial none = {0};
            bool hit = entries[e].kinds & row->kinds;
            if (hit && row->kinds != 1u << ORR_CP) {
                assert_false(find(&b, entries[e].item)->agrees);
                assert_derived_differs_by(&a, &b, entries[e].item, &more);
            } else if (!hit && e != 0) {
                assert_int_equal(find(&b, entries[e].item)->agrees,
                                 find(&a, entries[e].item)->agrees);
                assert_derived_differs_by(&a, &b, entries[e].item, &none);
            }
        }
        leave(&b);
        free(text);
    }
    leave(&a);
}

static void tampered_changes_are_caught(void **state)
{
    (void)state;
    struct audited a, b;
    assert_int_equal(audit(&a, printed), 0);
    for (size_t k = 0; k < a.formulas.count; k++) {
        const struct orr_formula *row = &a.formulas.rows[k];
        if ((row->says != ORR_SAYS_CHANGE && row->says != ORR_SAYS_NUMBER) ||
            !strcmp(row->item, "shared memory"))
            continue;
        char formula[128], to[320], start[128], item[64];
        orr_polynomial_print(formula, sizeof formula, &row->value);
        snprintf(start, sizeof start, "shan/table2,%s,bpb-n3l,bpb,%s,",
                 row->says == ORR_SAYS_CHANGE ? "change" : "number", row->item);
        char *text = strdup(printed), *at = strstr(text, start), kinds[16];
        assert_non_null(at);
        assert_int_equal(sscanf(at + strlen(start), "%15[^,]", kinds), 1);
        snprintf(to, sizeof to, "%s%s,%s+%lldP,,\n", start, kinds, formula, 1 + random_below(1000));
        char *line = strndup(at, strcspn(at, "\n") + 1);
        text = replace(text, line, to);
        assert_int_equal(audit(&b, text), 0);
        snprintf(item, sizeof item, "%s%s", row->item,
                 row->says == ORR_SAYS_CHANGE ? "" : " at level 7");
        assert_finding(&b, item, false, find(&a, item)->derived, "");
        leave(&b);
        free(line);
        free(text);
    }
    leave(&a);
}

static void a_count_that_nothing_gives_is_said(void **state)
{
    (void)state;
    char *text = drop(strdup(printed), "shan/table1,count,bpb,,Neighbor box,RW");
    struct audited a;
    assert_int_equal(audit(&a, text), 0);
    assert_null(find(&a, "CP of bpb"));
    assert_finding(&a, "computation", false, "", "are not printed, and nothing gives them");
    assert_false(find(&a, "computation at level 7")->agrees);
    leave(&a);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_erratum_is_found),
        TEST(what_is_right_is_called_right),
        TEST(nothing_is_found_in_corrected_tables),
        TEST(a_number_may_follow_from_a_wrong_symbol),
        TEST(tampered_counts_are_caught),
        TEST(tampered_changes_are_caught),
        TEST(a_count_that_nothing_gives_is_said),
    };
    print_seed();
    return cmocka_run_group_tests(tests, load_paper, leave_paper);
}
