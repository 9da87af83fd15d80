/* SPDX-License-Identifier: MIT */
/* What limits programs by their counts, and what the papers' own audits find in them, over invented
 * journals. */
#include "claims_for_tests.h"
#include "ledger_for_tests.h"

#include "audit/audit.h"

/* A cell on cuda:0 with the counts of one procedure, "GR":1,... */
static void put(const char *experiment, const char *variant, long long n, const char *parameters,
                const char *extra, const char *counts)
{
    put_of(paper->key, experiment, strchr(variant, '/') + 1, "cuda:0",
           filled("'name':'d','n':%lld", n), parameters, 0.5,
           filled(",'counts':{%s}%s", counts, extra));
}

/* Rates a second: of pairs, and of words of global memory and of shared memory read by all lanes.
 */
static void put_rates(double pairs, double global, double shared)
{
    fprintf(in.file,
            "{'record':'access_ceilings','device':'cuda:0','device_name':'D','round':1,"
            "'rates':[{'kind':'3d','degree':1,'unit':'pair','rate':%g,'check':'ok'},{'kind':'add',"
            "'degree':1,'unit':'operation','rate':1e12,'check':'ok'},{'kind':'global-load',"
            "'degree':1,'unit':'word','rate':%g,'check':'ok'},{'kind':'global-store','degree':1,"
            "'unit':'word','rate':%g,'check':'ok'},{'kind':'shared-load-broadcast','degree':1,"
            "'unit':'word','rate':%g,'check':'ok'}]}\n",
            pairs, global, global, shared);
}

static void audit_of(void)
{
    load();
    assert_int_equal(orr_ledger_add_paper(&in.ledger, paper), 0);
    for (int twice = 0; twice < 2; twice++) /* filling again changes nothing */
        assert_done(orr_audit_fill(&in.ledger, paper));
}

#define LIMIT(columns, where) \
    "SELECT " columns " FROM audit_limit l JOIN audit_cell c USING (cell_key) WHERE " where
#define FINDING(columns, item) "SELECT " columns " FROM audit_finding WHERE item LIKE '" item "%'"

/* --- fujiwara --- */

/* n^2 pairs of which n are of a body with itself; a word of x[j] for every `each` of them. */
static void put_loop(const char *variant, long long n, int i, int j, long long each)
{
    put("loads", variant, n, filled("'unroll_i':%d,'unroll_j':%d,'steps':0", i, j),
        ",'bytes_min':1000",
        filled("'interactions':{'CP':%lld,'CX':%lld,'GR':%lld,'PJ':%lld}", n * (n - 1), n,
               4 * n * n / each, n * n / i / j));
}

/* Of the paper's two cards. */
#define FASTER "l.device LIKE '%4870%'"

TEST(loads_and_passes)
{
    for (int fewer = 0; fewer < 2; fewer++) {
        assert_int_equal(begin_claims("fujiwara"), 0);
        start("m");
        put_loop("fujiwara/no-unrolling", 1024, 1, 1, 1);
        put_loop("fujiwara/simple-unrolling", 1024, 4, 1, 4);
        put_loop("fujiwara/double-unrolling", 1024, 4, 4, fewer ? 16 : 4);
        audit_of();
        reads(FINDING("agrees", "loads of x[j]"), fewer ? "1" : "0");
        reads(FINDING("agrees", "passes of the inner loop"), "1");
        /* 20 operations and 4 bytes of each of 4 words: 1200e9 and 115.2e9 a second */
        assert_text(
            &in.ledger,
            LIMIT("limits || printf(' %.4f', misses)", FASTER " AND variant = 'no-unrolling'"),
            "caches 0.1200");
        reads(LIMIT("printf('%.6g %.6g', compute_s * 1200e9, access_s * 115.2e9)",
                    FASTER " AND variant = 'no-unrolling'"),
              "2.09715e+07 1.67772e+07");
        reads("SELECT count(*) FROM audit_limit WHERE place = 0", "0"); /* nothing measured */
        orr_paper_free(paper);
    }
}

/* --- here --- */

/* 1e9 pairs at 1e9 a second; a quarter of 4e9 words at `words` a second. */
static const char *limit_here(double words)
{
    RELEASED_BY(end_query) sqlite3_stmt *row;

    assert_int_equal(begin_claims("fujiwara"), 0);
    start("m");
    put_rates(1e9, 1e15, words);
    put("loads", "fujiwara/no-unrolling", 100, "'steps':0", "",
        "'interactions':{'CP':1000000000,'GR':4000000000}");
    audit_of();
    row = ask(&in.ledger,
              LIMIT("printf('%.3f %.3f %s', compute_s, access_s, limits)", "l.place = 0"));
    orr_paper_free(paper);
    return filled("%s", orr_ledger_text(row, 0));
}

TEST(the_slower_of_both_limits)
{
    assert_string_equal(limit_here(4e9), "1.000 0.250 computation");
    assert_string_equal(limit_here(5e8), "1.000 2.000 shared memory");
}

/* --- gaburov --- */

static void put_walk(const char *multipole, int tests)
{
    const char *parameters =
        filled("'theta':0.5,'walk':'two','share':'off','multipole':'%s','steps':0", multipole);
    put("walks", "gaburov/octgrav", 1000, parameters, ",'figures':{'groups':10}",
        filled("'walk 1':{'CT':500,'GR':16000,'IR':4000},"
               "'walk 2':{'CT':%d,'GR':16000,'IR':4000,'GW':300},"
               "'nodes':{'CN':1000,'CY':2333,'GR':10},'leaves':{'CP':2000,'CX':4667}",
               tests));
}

TEST(walks)
{
    for (int other = 0; other < 2; other++) {
        assert_int_equal(begin_claims("gaburov"), 0);
        start("m");
        put_walk("quadrupole", 500 + other);
        audit_of();
        reads(FINDING("agrees", "the two walks"), other ? "0" : "1");
        reads(FINDING("agrees || ' ' || derived", "lanes with a body"),
              "1 30 % of the pairs evaluated are asked for");
        /* a pair with a quadrupole has 54 operations, one of bodies 20; idle ones take their time
         */
        reads("SELECT printf('%.0f', flops) FROM audit_work", "313322");
        reads("SELECT interactions || ' ' || idle FROM audit_work", "3000 7000");
        orr_paper_free(paper);
    }
}

/* --- feng --- */

static void put_visits(const char *sort, long long together)
{
    const char *parameters = filled("'theta':0.9,'sort':'%s','throttle':'barrier','steps':0", sort);
    put("visits", "feng/barnes-hut", 1000, parameters, "",
        filled("'ComputeForces':{'TB':1000,'TL':%lld,'CT':%lld,'CN':5,'GR':1},"
               "'BuildQuadTree':{'AG':3000,'AF':500,'PJ':64000}",
               together, together / 32));
}

TEST(divergence)
{
    for (int worse = 0; worse < 2; worse++) {
        assert_int_equal(begin_claims("feng"), 0);
        start("m");
        put_visits("on", worse ? 8000 : 2000);
        put_visits("off", 4000);
        audit_of();
        reads(FINDING("agrees", "divergence of ComputeForces"), worse ? "0" : "1");
        reads(FINDING("derived", "attempts of BuildQuadTree"),
              "barrier: 0.5 attempts a body fail, 3 atomic updates and 64 rounds a body");
        orr_paper_free(paper);
    }
}

RUN_TESTS(NULL, NULL)
