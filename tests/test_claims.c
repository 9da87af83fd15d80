/* SPDX-License-Identifier: MIT */
/* Claims: the rules, what stands where nothing was measured, and what claims.sql may do. */
#include "claims_for_tests.h"
#include "home_for_tests.h"

static const struct orr_paper trial = {.key = (char *)"trial"};

/* --- claims.sql of a paper of its own --- */

static void write_claims(const char *sql)
{
    const char *path = filled("%s/variants/trial/claims.sql", test_home);
    if (sql)
        write_text(path, sql);
    else
        unlink(path);
}

static int judge_trial(const char *sql)
{
    write_claims(sql);
    return orr_claims_judge(&in.ledger, &trial);
}

/* What was judged so far. */
static void forget(void)
{
    assert_done(orr_ledger_run(&in.ledger, "DELETE FROM judgement", "") ||
                orr_ledger_run(&in.ledger, "DELETE FROM judgement_part", ""));
}

/* A ledger of one machine, in which nothing was measured. */
static void start_empty(void)
{
    start("m");
    load();
}

static const char one_claim[] =
    "INSERT INTO claim VALUES ('T1', 'Section 1', 'it is so', 'It is so!', '1',"
    " 'orrery run trial/e --preset paper');"
    " INSERT INTO wanted VALUES ('T1', 'as printed', 'it', '', 1, 'so');\n";

/* A part that holds, and a note. */
#define TELLS                                                                                  \
    "INSERT INTO part VALUES ('T1', 'm', 'd', 'as printed', 'it', '', NULL, NULL, NULL, NULL," \
    " 1, NULL, '[]');\n"                                                                       \
    "INSERT INTO note VALUES ('T1', 'm', 'd', 'as printed', "

/* What the note on the only judgement says; it is forgotten. */
static const char *told_once(void)
{
    const char *text = told("T1", "d", "why"), *note = strstr(text, "It holds. Also: ");
    forget();
    if (!note)
        return "";
    note += strlen("It holds. Also: ");
    return filled("%.*s", (int)strlen(note) - 1, note); /* without the full stop */
}

/* One judgement whose note is the value of an expression. */
static const char *value_of(const char *expression)
{
    if (judge_trial(filled("%s" TELLS "(%s));", one_claim, expression)) != 1)
        fail_msg("%s", orr_error_text());
    return told_once();
}

/* --- the rules --- */

/* The part at P = k + 1, and what is wanted there, behind other SQL. */
static const char *with_part(const char *sql, int k, const char *sides, const char *holds,
                             const char *reason)
{
    sql = filled("%sINSERT INTO wanted VALUES ('T1', 'mechanism', 'it', 'P = %d', %d, 'big');", sql,
                 k + 1, k);
    return *sides ? filled("%sINSERT INTO part VALUES ('T1', 'm', 'd', 'mechanism', 'it', 'P = %d',"
                           " %d.5, %s, 's', %s, %s, '[]');",
                           sql, k + 1, k, sides, holds, reason)
                  : sql;
}

/* A claim of so many parts at P = 1, 2, ...; a letter each says what became of it: y(es), n(o),
 * o(pen: not told apart), u(nclear for want of processes), c(annot), - not measured. */
static const char *score_of(const char *parts)
{
    const char *sql = "INSERT INTO claim VALUES ('T1', '', 'so', NULL, '', '');";
    for (int k = 0; parts[k]; k++)
        sql = with_part(sql, k,
                        parts[k] == '-'   ? ""
                        : parts[k] == 'u' ? "NULL, NULL"
                                          : "1, 2",
                        parts[k] == 'y'   ? "1"
                        : parts[k] == 'n' ? "0"
                                          : "NULL",
                        parts[k] == 'c' ? "'no eyes'" : "NULL");
    if (judge_trial(sql) != 1)
        fail_msg("%s", orr_error_text());
    return told_in("T1", "mechanism", "d", "score");
}

/* What is measured of the parts at P = 1, 2, ..., where each has a number. */
static const char *measured_of(const char *parts)
{
    static const char *const numbers[] = {"0.500", "1.50", "2.50"};
    const char *values = "", *sizes = "";
    for (int k = 0; parts[k]; k++)
        if (parts[k] != '-') {
            values = filled("%s%s%s", values, *values ? ", " : "", numbers[k]);
            sizes = filled("%s%s%d", sizes, *sizes ? ", " : "", k + 1);
        }
    return filled("it %s s at P = %s", values, sizes);
}

TEST(parts_make_a_verdict)
{
#define BROKEN(value, at) "Broken: it is " value " s at P = " at " (expected big)."
    static const struct {
        const char *parts, *score, *why;
    } cases[] = {
        {"yyy", "reproduced", "All 3 parts hold."},
        {"yyn", "partly (2 of 3)", "2 of 3 parts hold. " BROKEN("2.50", "3")},
        {"nn", "not reproduced", "0 of 2 parts hold. " BROKEN("0.500, 1.50", "1, 2")},
        {"yuu", "unclear", "1 of 3 parts hold. Unclear: it at P = 2, 3."},
        {"nu", "unclear", "0 of 2 parts hold. " BROKEN("0.500", "1") " Unclear: it at P = 2."},
        {"ynu", "partly (1 of 2), 1 not told apart",
         "1 of 3 parts hold. " BROKEN("1.50", "2") " Unclear: it at P = 3."},
        {"yyo", "reproduced, 1 not told apart", "2 of 3 parts hold. Not told apart: it at P = 3."},
        /* The parts that are told by chance decide nothing. */
        {"yoo", "unclear", "1 of 3 parts hold. Not told apart: it at P = 2, 3."},
        {"noo", "unclear",
         "0 of 3 parts hold. " BROKEN("0.500", "1") " Not told apart: it at P = 2, 3."},
        {"no", "not reproduced, 1 not told apart",
         "0 of 2 parts hold. " BROKEN("0.500", "1") " Not told apart: it at P = 2."},
        {"yno", "partly (1 of 2), 1 not told apart",
         "1 of 3 parts hold. " BROKEN("1.50", "2") " Not told apart: it at P = 3."},
        {"oo", "unclear", "0 of 2 parts hold. Not told apart: it at P = 1, 2."},
        {"you", "unclear", "1 of 3 parts hold. Unclear: it at P = 3. Not told apart: it at P = 2."},
        {"y-n", "incomplete (2 of 3 measured)",
         "1 of 3 parts hold. " BROKEN("2.50", "3") " Not measured: it at P = 2."},
        {"yc", "reproduced", "It holds. Cannot be judged here: it at P = 2: no eyes."},
        {"c", "not measurable here", "Cannot be judged here: it at P = 1: no eyes."}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        start_empty();
        assert_string_equal(score_of(cases[k].parts), cases[k].score);
        if (!strchr(cases[k].parts, 'u'))
            assert_string_equal(told_in("T1", "mechanism", "d", "measured"),
                                measured_of(cases[k].parts));
        assert_string_equal(told_in("T1", "mechanism", "d", "why"), cases[k].why);
    }
}

/* Parts of one quantity that cannot be told, each for a reason of its own. */
TEST(reasons_that_differ_are_all_said)
{
    static const char *const reasons[] = {"'no eyes'", "'no ears'", "'no eyes'"};
    const char *sql = "INSERT INTO claim VALUES ('T1', '', 'so', NULL, '', '');";
    start_empty();
    for (int k = 0; k < 3; k++)
        sql = with_part(sql, k, "1, 2", "NULL", reasons[k]);
    assert_int_equal(judge_trial(sql), 1);
    assert_string_equal(told_in("T1", "mechanism", "d", "why"),
                        "Cannot be judged here: it at P = 1, 3: no eyes; it at P = 2: no ears.");
}

/* Cells behind a verdict that were measured with co-runners; one of two parts counts once. */
TEST(others_beside_cells_are_said)
{
    start("m");
    for (int k = 0; k < 3; k++)
        add("trial/e", "trial/v", "d", 8 << k, 1, "",
            k == 0   ? ""
            : k == 1 ? ",'beside':'others used 0.5 of 2 cores','surroundings':"
                       "{'others_cores':0.5}"
                     : ",'beside':'others used 1.9 of 2 cores','surroundings':"
                       "{'others_cores':1.9}");
    load();
    write_claims(
        "INSERT INTO claim VALUES ('T1', '', 'so', NULL, '', '');"
        "INSERT INTO wanted VALUES ('T1', 'mechanism', 'it', 'a', 1, 'so'),"
        " ('T1', 'mechanism', 'it', 'b', 2, 'so'), ('T1', 'as printed', 'it', '', 1, 'so');"
        "INSERT INTO part SELECT 'T1', 'm', 'd', 'mechanism', 'it', 'a', 1, 1, 1, 's', 1, NULL,"
        " json_group_array(cell_key) FROM cell;"
        "INSERT INTO part SELECT 'T1', 'm', 'd', 'mechanism', 'it', 'b', 1, 1, 1, 's', 1, NULL,"
        " json_array(max(cell_key)) FROM cell;"
        "INSERT INTO part SELECT 'T1', 'm', 'd', 'as printed', 'it', '', 1, 1, 1, 's', 1, NULL,"
        " json_array(min(cell_key)) FROM cell;");
    assert_int_equal(orr_claims_judge(&in.ledger, &trial), 1);
    assert_string_equal(told_in("T1", "mechanism", "d", "why"),
                        "All 2 parts hold. 2 of 3 cells behind this were measured with co-runners, "
                        "the busiest: others used 1.9 of 2 cores.");
    assert_string_equal(told_in("T1", "as printed", "d", "why"), "It holds.");
}

/* A newer run with cold caches changes no verdict. */
TEST(cold_caches_are_no_setting_of_a_paper)
{
    start("m");
    add("trial/e", "trial/v", "d", 8, 1, "", "");
    add("trial/e", "trial/w", "d", 8, 2, "", "");
    add("trial/e", "trial/v", "d", 8, 30, ",'caches':'cold'", "");
    load();
    assert_string_equal(value_of("SELECT printf('%d, %d', (SELECT count(*) FROM latest),"
                                 " (SELECT count(*) FROM compared))"),
                        "2, 2");
    assert_string_equal(value_of("SELECT max(ratio) FROM compared"), "2.0");
}

/* What is told of each step of a series, or of its rise: values 10^1, 10^2 ... in the order of
 * `order`, x = 2^k, of so many processes that differ by 1 %; in any order of rows. */
static const char *series(const char *view, const char *order, int processes)
{
    const char *rows = "";
    size_t count = strlen(order), first = (size_t)random_below((long long)count);
    for (size_t k = 0; k < count * (size_t)processes; k++) {
        size_t at = (first + k) % count;
        rows = filled("%s%sSELECT %d AS x, %zu AS process, 1.0%zue%c AS value", rows,
                      k ? " UNION ALL " : "", 1 << at, k / count, k / count, order[at]);
    }
    const char *sql = filled(
        "INSERT INTO claim VALUES ('T1', '', 'it', NULL, '1', 'orrery run trial/e');"
        "CREATE TEMP VIEW s AS SELECT x, timing(process, value) AS t FROM (%s) GROUP BY x;"
        "INSERT INTO sequence SELECT 'T1', 'm', 'd', 's', x, t, '[]' FROM s;"
        "INSERT INTO wanted SELECT 'T1', 'as printed', 'it', printf('%%d', x), x, 'so' FROM s;"
        "INSERT INTO part SELECT 'T1', 'm', 'd', 'as printed', 'it', printf('%%d', x), timing,"
        " NULL, NULL, NULL, 'above 1.02', NULL, '[]' FROM %s;",
        rows, view);
    if (judge_trial(sql) != 1)
        fail_msg("%s", orr_error_text());
    RELEASED_BY(end_query)
    sqlite3_stmt *row =
        ask(&in.ledger, "SELECT group_concat(at || ' ' || coalesce(holds, 'open'), ', ') FROM "
                        "(SELECT * FROM judgement_part WHERE is_measured ORDER BY place)");
    const char *text = filled("%s", orr_ledger_text(row, 0));
    forget();
    return text;
}

TEST(series_have_steps_and_a_rise)
{
    start_empty();
    assert_string_equal(series("step", "1234", 3), "2 1, 4 1, 8 1");
    assert_string_equal(series("step", "1324", 3), "2 1, 4 0, 8 1");
    assert_string_equal(series("step", "1224", 3), "2 1, 4 open, 8 1"); /* within 1 % or so */
    assert_string_equal(series("step", "1", 3), "");
    assert_string_equal(series("step", "123", 2), "2 open, 4 open");
    assert_string_equal(series("rise", "1324", 3), "8 1");
    assert_string_equal(series("rise", "2341", 3), "8 0");
    assert_string_equal(series("rise", "2342", 3), "8 open");
    assert_string_equal(series("rise", "1", 3), "");
    assert_string_equal(series("rise", "12", 1), "2 open");
}

TEST(texts_stand_in_order)
{
    start("m");
    assert_string_equal(
        value_of(
            "SELECT listing(x, t) FROM (SELECT 10 AS x, 'b' AS t UNION ALL SELECT 9, 'a' UNION ALL"
            " SELECT 11, NULL)"),
        "a, b");
    assert_string_equal(value_of("shown(30821.4) || ' ' || shown(1.0352) || ' ' || shown(0.04512)"),
                        "30821 1.04 0.0451");
    load();
}

/* The ends of the ratio of two cells, as compared has them. */
static double end_of(const char *end)
{
    return atof(value_of(
        filled("SELECT printf('%%.4f', %s) FROM compared WHERE variant = 'trial/fast'", end)));
}

static void assert_ends(const char *fast, const char *slow, double low, double high)
{
    start("m");
    add("trial/e", "trial/fast", "d", 8, 1, "", fast);
    add("trial/e", "trial/slow", "d", 8, 2, "", slow);
    load();
    assert_float_equal(end_of("low"), low, 0.006);
    assert_float_equal(end_of("high"), high, 0.006);
}

TEST(amounts_have_the_ends_of_the_ratio)
{
    assert_ends("", "", 2 * 0.999, 2 * 1.001);
    wanted_rounds = 1;
    assert_ends("", "", 2 * 0.998, 2 * 1.002);
    assert_ends("", ",'samples':{'step_s':[2]}", 2, 2);
    assert_ends("", ",'samples':{},'extrapolated_from':'c9'", 2, 2);
    assert_ends(",'extrapolated_from':'c8'", ",'extrapolated_from':'c9'", 0, 0); /* not judged */
    assert_ends(",'extrapolated_from':'c8'", "", 0, 0);
    assert_ends(",'outcome':'wrong'", "", 0, 0);
    wanted_rounds = 3;
}

/* --- what was not measured --- */

TEST(without_results_a_claim_names_its_command)
{
    start_empty();
    assert_int_equal(judge_trial(one_claim), 1);
    assert_string_equal(told("T1", "", "score"), "incomplete (0 of 1 measured)");
    assert_string_equal(told("T1", "", "why"), "needs `orrery run trial/e --preset paper`");
}

/* Tables show a claim's short sentence, and its own where it has none; one that they would cut is
 * refused. */
TEST(a_claim_has_a_short_sentence)
{
    start_empty();
    assert_int_equal(judge_trial(one_claim), 1);
    assert_string_equal(told("T1", "", "short"), told("T1", "", "text"));
    assert_int_equal(
        judge_trial(filled("%sINSERT INTO short VALUES ('T1', 'In short');", one_claim)), 1);
    assert_string_equal(told("T1", "", "short"), "In short");
    assert_fails(
        judge_trial(filled("%sINSERT INTO short VALUES ('T1', '%55s');", one_claim, "long")),
        ORR_EINPUT, "at most 54 characters");
}

TEST(each_device_without_a_verdict_is_named)
{
    wanted_rounds = 1;
    start("m");
    wanted_rounds = 3;
    add("trial/e", "trial/v", "cuda:0", 8, 1, "", "");
    add("trial/e", "trial/v", "cuda:1", 8, 1, "", ",'outcome':'crashed','reason':'signal 11'");
    add("trial/e", "trial/v", "host", 8, 1, "", "");
    add("other/e", "other/v", "opencl:0.0", 8, 1, "", "");
    load();
    assert_int_equal(judge_trial(filled("%sINSERT INTO part VALUES ('T1', 'm', 'cuda:0', 'as "
                                        "printed', 'it', '', 2, 1, 3, NULL, 1, NULL, '[]');",
                                        one_claim)),
                     1);
    assert_string_equal(told("T1", "cuda:0", "verdict"), ORR_REPRODUCED);
    assert_string_equal(told("T1", "cuda:1", "why"),
                        "needs `orrery run trial/e --preset paper --device cuda:1`; 1 of"
                        " its cells did not end well, such as trial/v: crashed: signal 11");
    assert_string_equal(told("T1", "host", "why"), "");
    assert_string_equal(told("T1", "opencl:0.0", "why"), "");
}

/* A card by OpenCL beside itself by CUDA, and a processor that has only OpenCL. */
TEST(a_second_interface_to_a_card_is_not_named)
{
    static const char *const devices[] = {"cuda:0", "opencl:0.0", "opencl:1.0"};
    start_with("m", ",'devices':[{'id':'cuda:0','backend':'cuda','name':'card'},"
                    "{'id':'opencl:0.0','backend':'opencl','name':'card'},"
                    "{'id':'opencl:1.0','backend':'opencl','name':'processor'}]");
    for (int k = 0; k < 3; k++)
        add("trial/e", "trial/v", devices[k], 8, 1, "", "");
    load();
    assert_int_equal(judge_trial(one_claim), 1);
    assert_string_equal(told("T1", "cuda:0", "score"), "incomplete (0 of 1 measured)");
    assert_string_equal(told("T1", "opencl:0.0", "score"), "");
    assert_string_equal(told("T1", "opencl:1.0", "score"), "incomplete (0 of 1 measured)");
}

/* A claim that is measured in part says what measures the rest, whatever became of the others. */
TEST(the_rest_of_an_incomplete_claim_has_its_command)
{
    start("m");
    add("trial/e", "trial/v", "d", 8, 1, "", "");
    load();
    const char *sql =
        filled("%s INSERT INTO wanted VALUES ('T1', 'as printed', 'it', 'P = 2', 2, 'so');" TELLS
               "'ours');",
               one_claim);
    assert_int_equal(judge_trial(sql), 1);
    assert_string_equal(told("T1", "d", "score"), "incomplete (1 of 2 measured)");
    assert_string_equal(told("T1", "d", "why"),
                        "Not measured: it at P = 2. Also: ours. The rest takes `orrery run"
                        " trial/e --preset paper --device d`");
}

TEST(a_reason_stands_as_it_is)
{
    start("m");
    add("trial/e", "trial/v", "host", 8, 1, "", "");
    load();
    assert_int_equal(judge_trial("INSERT INTO claim(id, text, published, needs) VALUES ('T1', "
                                 "'a', 'b', 'no device can');"),
                     1);
    assert_string_equal(told("T1", "host", "why"), "no device can");
}

TEST(a_paper_may_have_no_claims)
{
    start_empty();
    assert_int_equal(judge_trial(NULL), 0);
    assert_string_equal(told("T1", "", "verdict"), "");
}

/* --- what a paper does not print --- */

/* T1 has a part for each of two programs, which holds where it took less than 2 s with k = 1; of
 * claims T1 and T2 the first hangs on k. */
static const char on_k[] =
    "INSERT INTO claim VALUES ('T1', '', 'fast', NULL, '', ''), ('T2', '', 'same', NULL, '', '');"
    "INSERT INTO wanted SELECT id, 'as printed', column1, '', 1, 'fast' FROM claim,"
    " (VALUES ('trial/v'), ('trial/w'));"
    "INSERT INTO part SELECT c.id, machine, l.device, 'as printed', variant, '', seconds, NULL, "
    "NULL,"
    " NULL, '[null, 2]', NULL, json_array(cell_key) FROM claim c, latest l"
    " WHERE json_extract(parameters, '$.k') = 1 AND outcome = 'ok';\n";

static int judge_over(const char *values, const char *where, const char *claim)
{
    char *claims[] = {(char *)claim};
    struct orr_guess guess = {.name = (char *)"k",
                              .setting = (char *)"k",
                              .values = (char *)values,
                              .where = (char *)where,
                              .claims = claims,
                              .claims_count = 1};
    const struct orr_paper guessing = {.key = (char *)"trial", .guess = &guess, .guess_count = 1};
    write_claims(on_k);
    assert_int_equal(orr_ledger_add_paper(&in.ledger, &guessing), 0);
    return orr_claims_judge(&in.ledger, &guessing);
}

/* Both programs with k = 1 and k = 2, which take so long. */
static void put_choices(double v1, double w1, double v2, double w2)
{
    start("m");
    add("trial/e", "trial/v", "d", 8, v1, ",'k':1,'j':1", "");
    add("trial/e", "trial/w", "d", 8, w1, ",'k':1,'j':1", "");
    if (v2 > 0)
        add("trial/e", "trial/v", "d", 8, v2, ",'k':2,'j':1", "");
    if (w2 > 0)
        add("trial/e", "trial/w", "d", 8, w2, ",'k':2,'j':1", "");
    load();
}

/* By what was not printed a claim has one verdict or a range; one alternative that is measured in
 * part has no verdict that counts, and one that is not at all is named once. */
TEST(alternatives_give_a_verdict_or_a_range)
{
    static const struct {
        double v1, w1, v2, w2;
        const char *score, *why;
    } cases[] = {
        {1, 1, 1.5, 1.5, "reproduced",
         "Over k, which the paper does not print: k=1: 2 of 2 parts; k=2: 2 of 2 parts; k=3: not "
         "measured. All 2 parts hold."},
        {1, 3, 3, 1, "partly (1 of 2)",
         "Over k, which the paper does not print: k=1: 1 of 2 parts; k=2: 1 of 2 parts; k=3: not "
         "measured"},
        {3, 3, 1, 1, "reproduced to not reproduced",
         "By k, which the paper does not print: k=1: 0 of 2 parts; k=2: 2 of 2 parts; k=3: not "
         "measured"},
        {1, 1, 1, 3, "reproduced to partly", "By k, which the paper does not print: "},
        {1, 1, 3, 0, "reproduced", "k=2: 1 of 2 parts measured; k=3: not measured. All 2 parts"},
        {1, 1, 0, 0, "reproduced",
         "The paper does not print k (here k=1 alone). All 2 parts hold."}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        put_choices(cases[k].v1, cases[k].w1, cases[k].v2, cases[k].w2);
        assert_int_equal(judge_over("1,2,3", NULL, "T1"), 1);
        assert_string_equal(told("T1", "d", "score"), cases[k].score);
        assert_told("T1", "d", "why", cases[k].why);
        assert_null(strstr(told("T2", "d", "why"), "print"));
        if (k == 2) /* with what was taken */
            assert_string_equal(told("T1", "d", "verdict"), "not reproduced");
        finds("SELECT count(*) FROM judgement", 2); /* none of a trial is left */
        finds("SELECT count(*) FROM judgement_part", 4);
        finds("SELECT total(json_extract(parameters, '$.k') = 1) FROM latest", 2);
    }
}

TEST(alternatives_of_some_cells_only)
{
    put_choices(1, 1, 3, 3);
    assert_int_equal(judge_over("1,2", "j=7", "T1"), 1);
    assert_string_equal(told("T1", "d", "score"), "reproduced");
    put_choices(1, 1, 3, 3);
    assert_int_equal(judge_over("1,2", "j=1", "T1"), 1);
    assert_string_equal(told("T1", "d", "score"), "reproduced to not reproduced");
}

TEST(a_guess_names_claims_that_there_are)
{
    put_choices(1, 1, 3, 3);
    assert_fails(judge_over("1,2", NULL, "T3"), ORR_EINPUT,
                 "variants/trial/paper.yaml:1: trial has no claim 'T3'");
}

/* --- which differences are called: from three processes a side on, and beyond the margin --- */

/* A claim for each size: fast takes less time than slow. */
static const char faster[] =
    "INSERT INTO claim SELECT DISTINCT 'T' || per_box, '', 'faster', NULL, '', 'orrery run trial/e"
    " --preset quick' FROM latest;\n"
    "INSERT INTO wanted SELECT id, 'as printed', 'ratio', '', 1, 'above 1.02' FROM claim;\n"
    "CREATE TEMP VIEW pair AS SELECT * FROM compared WHERE variant = 'trial/fast';\n"
    "INSERT INTO part SELECT 'T' || per_box, machine, device, 'as printed', 'ratio', '', "
    "timing,\n"
    " NULL, NULL, NULL, 'above 1.02', NULL, cells FROM pair;\n"
    /* announced behind the part, which waits for it */
    "INSERT INTO comparison SELECT 'T' || per_box, machine, device, timing FROM pair;\n";

static void load_and_judge_trial(const char *sql)
{
    write_claims(sql);
    load();
    assert_done(orr_claims_judge(&in.ledger, &trial) != 1);
}

static const char few[] =
    "Unclear: ratio. 1 of 1 comparisons are unclear for want of three processes a side: "
    "`orrery run trial/e --preset quick --device cuda:0 --repeats 3`";

/* Three processes call a difference, fewer none. */
TEST(three_processes_call_a_difference)
{
    static const struct {
        int processes;
        double ratio;
        const char *extra, *verdict, *why;
    } cases[] = {{5, 1.1, "", ORR_REPRODUCED, "It holds."},
                 {3, 1.1, "", ORR_REPRODUCED, "It holds."},
                 {5, 1, "", ORR_NOT_REPRODUCED, "Broken: ratio is "},
                 {5, 0.9, "", ORR_NOT_REPRODUCED, "Broken: ratio is "},
                 /* certain, and within the margin */
                 {5, 1.015, "", ORR_NOT_REPRODUCED, "Broken: ratio is "},
                 {1, 100, "", ORR_UNCLEAR, few},
                 {2, 100, "", ORR_UNCLEAR, few},
                 {1, 100, ",'samples':{'step_s':[100]}", ORR_UNCLEAR, few}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        wanted_rounds = cases[k].processes;
        start("m");
        add("trial/e", "trial/fast", "cuda:0", 8, 1, "", "");
        add("trial/e", "trial/slow", "cuda:0", 8, cases[k].ratio, "", cases[k].extra);
        load_and_judge_trial(faster);
        assert_judged("T8", "cuda:0", cases[k].verdict);
        assert_told("T8", "cuda:0", "why", cases[k].why);
    }
}

/* What others took of the machine may be all of a difference of 1.3, and is not all of one of 2. */
TEST(a_difference_beside_others_is_wider)
{
    static const char beside[] = ",'beside':'others used 0.7 of 2 cores','surroundings':{'cpus':2,"
                                 "'others_cores':0.7}";
    static const struct {
        double ratio;
        const char *verdict;
    } cases[] = {
        {2, ORR_REPRODUCED}, {1.3, ORR_UNCLEAR}, {0.8, ORR_UNCLEAR}, {0.5, ORR_NOT_REPRODUCED}};
    wanted_rounds = 3;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        start("m");
        add("trial/e", "trial/fast", "cuda:0", 8, 1, "", "");
        add("trial/e", "trial/slow", "cuda:0", 8, cases[k].ratio, "", beside);
        load_and_judge_trial(faster);
        assert_judged("T8", "cuda:0", cases[k].verdict);
        if (!strcmp(cases[k].verdict, ORR_UNCLEAR))
            assert_told("T8", "cuda:0", "why",
                        "Not told apart: ratio. 1 of 2 cells behind this was");
    }
}

/* An extrapolated baseline is known as well as its source. */
TEST(extrapolated_baselines_have_the_processes_of_their_source)
{
    for (int processes = 1; processes <= 3; processes += 2) {
        wanted_rounds = processes;
        start("m");
        add("trial/e", "trial/slow", "cuda:0", 4, 1, "", "");
        in.rounds = 1;
        add("trial/e", "trial/slow", "cuda:0", 8, 4, "", ",'samples':{},'extrapolated_from':'c0'");
        in.rounds = processes;
        add("trial/e", "trial/fast", "cuda:0", 8, 2, "", "");
        load_and_judge_trial(faster);
        assert_judged("T8", "cuda:0", processes < 3 ? ORR_UNCLEAR : ORR_REPRODUCED);
        assert_string_equal(told("T8", "cuda:0", "measured"), "ratio 2.00");
    }
}

/* Of many at most so many false ones: what a claim alone would call is chance among forty. */
TEST(one_difference_of_forty_is_chance)
{
    for (int claims = 1; claims <= 40; claims += 39) {
        start("m");
        in.apart = 0.022;
        for (int k = 0; k < claims; k++) {
            add("trial/e", "trial/fast", "cuda:0", 8 + k, 1, "", "");
            add("trial/e", "trial/slow", "cuda:0", 8 + k, k ? 1 : 1.08, "", "");
        }
        load_and_judge_trial(faster);
        assert_judged("T8", "cuda:0", claims == 1 ? ORR_REPRODUCED : ORR_UNCLEAR);
    }
}

/* --- mistakes and mischief --- */

static void assert_refused(const char *sql, const char *says)
{
    if (judge_trial(sql) != ORR_EINPUT)
        fail_msg("not refused: %s", sql);
    assert_says(says);
    assert_int_equal(judge_trial(one_claim), 1); /* nothing is left behind */
    forget();
}

/* Nobody calls a difference that was not announced. */
TEST(differences_are_announced)
{
    start("m");
    add("trial/e", "trial/fast", "d", 8, 1, "", "");
    add("trial/e", "trial/slow", "d", 8, 2, "", "");
    load();
    assert_refused(
        filled("%s\nINSERT INTO part SELECT 'T1', machine, device, 'as printed', 'it', '',\n"
               "timing, NULL, NULL, NULL, 'above 1.02', NULL, cells FROM compared"
               " WHERE variant = 'trial/fast';",
               one_claim),
        "claims.sql: T1 compares it at '', which stands neither in comparison nor in sequence");
}

TEST(mistakes_have_a_line)
{
    static const struct {
        const char *sql, *says;
    } mistakes[] = {
        {"-- one\n\nINSERT INTO claim\n  SELECT 'T2', '', 'x', NULL, y, 'z';\n",
         "variants/trial/claims.sql:5: no such column: y"},
        {"/* two\nlines */ INSERT INTO claim VALUES ('T2', '', 'x', '', 'y', 'z');\nSELEC 1;\n",
         "claims.sql:4: near \"SELEC\": syntax error"},
        {"INSERT INTO claim VALUES ('T2', 'x', 'y');", "claims.sql:2: table claim has 6 columns"},
        {"\n-- again\nINSERT INTO claim VALUES ('T1', '', 'x', '',\n'y', 'z');",
         "claims.sql:4: UNIQUE constraint failed: claim.id"},
        {"CREATE TEMP VIEW v AS SELECT 1;\nINSERT INTO claim VALUES ('T2', '', 'x', '', 'y', 'un",
         "claims.sql:3"},
        /* Parts belong to a claim. */
        {"INSERT INTO wanted VALUES ('T1', 'as meant', 'it', '', 1, 'so');",
         "claims.sql:2: CHECK constraint failed: readings are as printed, where"},
        {"INSERT INTO wanted VALUES ('T9', 'as printed', 'it', '', 1, 'so');",
         "claims.sql: a verdict on 'T9', which is none of its claims"},
        {"INSERT INTO part VALUES ('T1', 'm', 'd', 'as printed', 'it', 'P = 8', 1, 1, 1, '', 1, '',"
         " '[]');",
         "claims.sql: T1 has a part 'it' at 'P = 8', as printed, that is not wanted"},
        {"INSERT INTO part VALUES ('T1', 'm', 'd', 'as printed', 'it', '', 1, 1, 1, '', 2, '',"
         " '[]');",
         "claims.sql:2: CHECK constraint failed: a part holds: 1, 0, NULL, above 1.02"},
        {"INSERT INTO part VALUES ('T1', 'm', 'd', 'as printed', 'it', '', 1, 1, 1, '', 1, '',"
         " '7');",
         "claims.sql:2: CHECK constraint failed: cells are an array"},
    };
    start_empty();
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++)
        assert_refused(filled("%s%s", one_claim, mistakes[k].sql), mistakes[k].says);
}

TEST(joins_without_end_are_ended)
{
    start_empty();
    orr_ledger_limit(&in.ledger, 0.05, NULL);
    const char *sql =
        filled("%s\n\nWITH d(x) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9))\n"
               "INSERT INTO note SELECT 'T1', 'm', 'd', 'as printed', count(*)\n"
               "FROM d a, d b, d c, d e, d f, d g, d h, d i, d j, d k, d l, d m, d n, d o;",
               one_claim);
    assert_refused(sql, "claims.sql:4: not done after 0.05 s; --timeout gives it more");
}

TEST(the_ledger_is_protected)
{
    static const char *const mischief[] = {
        "DELETE FROM cell;",
        "UPDATE cell SET seconds = 1;",
        "INSERT INTO published SELECT * FROM published;",
        "DROP TABLE cell;",
        "DROP VIEW latest;",
        "ALTER TABLE cell RENAME TO mine;",
        "CREATE TABLE mine(x);",
        "CREATE TEMP INDEX mine ON claim(text);",
        "CREATE TEMP TABLE mine AS SELECT 1 AS x; INSERT INTO mine VALUES (2);",
        "CREATE TEMP TABLE part AS SELECT 1 AS x;",
        "CREATE VIEW mine AS SELECT 1;",
        "CREATE TEMP TRIGGER mine AFTER INSERT ON claim BEGIN DELETE FROM main.cell; END;",
        "CREATE INDEX mine ON cell(n);",
        "ATTACH DATABASE '/tmp/orrery-claims-mine.db' AS mine;",
        "DETACH DATABASE main;",
        "PRAGMA writable_schema = 1;",
        "VACUUM INTO '/tmp/orrery-claims-mine.db';",
        "BEGIN;",
        "COMMIT;",
        "SAVEPOINT mine;",
        "REINDEX;",
        "ANALYZE;",
        "INSERT INTO sqlite_temp_master VALUES ('view', 'mine', 'mine', 0, 'CREATE VIEW mine AS "
        "SELECT 1');",
        "DELETE FROM judgement;",
        "DROP TABLE claim;",
        "SELECT load_extension('mine');",
        "WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x FROM endless) SELECT count(*) "
        "FROM endless;",
    };
    start("m");
    add("trial/e", "trial/v", "cuda:0", 8, 1, "", "");
    load();
    for (size_t k = 0; k < sizeof mischief / sizeof *mischief; k++) {
        assert_refused(filled("%s\n%s", one_claim, mischief[k]), "claims.sql:3: ");
        finds("SELECT sum(seconds) FROM latest", 1);
    }
    assert_int_equal(access("/tmp/orrery-claims-mine.db", F_OK), -1);
}

static int set_up(void **state)
{
    make_test_home();
    write_paper("trial", "paper: trial\n");
    return 0;
}

static int tear_down(void **state)
{
    write_claims(NULL);
    remove_paper("trial");
    remove_test_home();
    return 0;
}

RUN_TESTS(set_up, tear_down)
