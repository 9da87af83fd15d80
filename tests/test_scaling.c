/* SPDX-License-Identifier: MIT */
/* The table of several ranks: efficiency, and both models, of invented cells. */
#include <jansson.h>

#include "tests/cases.h"
#include "tests/ledger_for_tests.h"
#include "tests/table_for_tests.h"

/* A step is work / ranks and an exchange of 20 us and what bytes take at 100 GB/s. */
static const double WORK = 8e-3, LATENCY = 2e-5, BANDWIDTH = 1e11;

static void put_cell(FILE *to, int n, int ranks, double seconds, int interactions,
                     const char *extra)
{
    fprintf(to,
            "{'record':'cell','id':'c%d-%d','experiment':'gaburov/scaling','variant':"
            "'gaburov/octgrav-modern','device':'cuda:0','dataset':{'name':'plummer','n':%d},"
            "'parameters':{'theta':0.5,'ranks':%d},'outcome':'ok','seconds':%.9g,"
            "'samples':{'step_s':[%.9g,%.9g,%.9g]},'interactions':%d,'ranks':%d%s}\n",
            n, ranks, n, ranks, seconds, 0.99 * seconds, seconds, 1.01 * seconds, interactions,
            ranks, extra);
}

/* Of a journal that was begun there. */
static const char *table_in(const char *format, FILE *file, const char *path)
{
    assert_int_equal(fclose(file), 0);
    quote_records(path);
    const char *text = table_from("gaburov/scaling", format, path);
    unlink(path);
    return text;
}

/* The table as programs get it, and its rows. `slope`: of seconds over bytes. */
static json_t *table_of(double slope, json_t **rows)
{
    char path[] = "/tmp/orrery-scaling-XXXXXX";
    FILE *file = begin_journal(path);

    for (int n = 1000; n <= 2000; n += 1000)
        for (int ranks = 1; ranks <= 4; ranks *= 2) {
            const double bytes = ranks > 1 ? 1e6 * n / 1000 * ranks : 0;
            const double exchange = ranks > 1 ? LATENCY + slope * bytes : 0;
            put_cell(file, n, ranks, WORK * n / 1000 / ranks + exchange, 1000 * n,
                     ranks == 1 ? ""
                                : filled(",'exchange_seconds':%.9g,'skew':0.01,'transport':'NCCL "
                                         "2.28.3','figures':{'bytes a rank receives':%.9g}",
                                         exchange, bytes));
        }
    json_t *table = json_loads(table_in("json", file, path), 0, NULL);
    *rows = json_object_get(json_is_array(table) ? json_array_get(table, 0) : table, "ranks");
    assert_int_equal(json_array_size(*rows), 8); /* 8 ranks are predicted */
    return table;
}

static double of_row(const json_t *row, const char *name)
{
    const json_t *value = json_object_get(row, name);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* Eight ranks, of what four brought: each gets 7/8 of all where it got 3/4. */
static void check_predicted(const json_t *row)
{
    const double n = of_row(row, "n"), bytes = 1e6 * n / 1000 * 4 * (7. / 8) / (3. / 4),
                 seconds = WORK * n / 1000 / 8 + LATENCY + bytes / BANDWIDTH;

    assert_true(!json_is_number(json_object_get(row, "seconds")));
    assert_true(fabs(of_row(row, "bytes_received") / bytes - 1) < 1e-6);
    assert_true(fabs(of_row(row, "wire_seconds") / seconds - 1) < 1e-3);
    assert_true(fabs(of_row(row, "whole_seconds") / seconds - 1) < 1e-3); /* nothing undivided */
    assert_true(fabs(of_row(row, "wire_efficiency") - WORK * n / 1000 / 8 / seconds) < 1e-3);
}

TEST(both_models_explain_what_they_made)
{
    json_t *rows, *table = table_of(1 / BANDWIDTH, &rows), *row;
    size_t k;

    json_array_foreach (rows, k, row) {
        if (of_row(row, "ranks") < 2)
            continue;
        if (of_row(row, "ranks") > 4) {
            check_predicted(row);
            continue;
        }
        if (of_row(row, "ranks") > 2)
            assert_true(fabs(of_row(row, "measured_over_whole") - 1) < 1e-3);
        assert_true(fabs(of_row(row, "undivided_share")) < 1e-3);
        assert_true(fabs(of_row(row, "measured_over_model") - 1) < 1e-3);
        assert_true(fabs(of_row(row, "measured_over_wire") - 1) < 1e-3);
        assert_true(fabs(of_row(row, "wire_gbs") - 1e-9 * BANDWIDTH) < 0.1);
        assert_true(fabs(of_row(row, "wire_latency") - LATENCY) < 1e-8);
        assert_true(of_row(row, "efficiency") < 1 && of_row(row, "efficiency") > 0.9);
    }
    json_decref(table);
}

/* Longer messages that take less time tell no bandwidth. */
TEST(no_bandwidth_is_made_up)
{
    json_t *rows, *table = table_of(-1e-12, &rows), *row;
    size_t k;

    json_array_foreach (rows, k, row) {
        const json_t *wire = json_object_get(row, "wire_gbs");
        assert_true(!wire || json_is_null(wire));
        if (of_row(row, "ranks") > 1 && of_row(row, "ranks") < 8)
            assert_true(fabs(of_row(row, "measured_over_model") - 1) < 1e-3);
    }
    json_decref(table);
}

/* The table as people get it, of cells of so many processes with three samples each. */
static const char *shown_of(int processes)
{
    char path[] = "/tmp/orrery-scaling-XXXXXX";
    FILE *file = begin_journal(path);

    for (int process = 0; process < processes; process++)
        for (int ranks = 1; ranks <= 2; ranks++) {
            const double seconds = 1e-3 * (1 + 0.01 * process) / ranks;
            put_cell(file, 1000, ranks, seconds, 1000,
                     filled(",'round':%d,'kernel_seconds':%.9g,'figures':{'ranks at work':1}",
                            process + 1, 0.8 * seconds));
        }
    return table_in("md", file, path);
}

TEST(efficiencies_of_one_run_are_called_so)
{
    const char *one = shown_of(1), *three = shown_of(3);
    const char *from = strstr(one, "% ("), *to = from ? strchr(from, ')') : NULL;

    assert_true(to && !strncmp(to, ")†", strlen(")†")));
    HOLDS(one, "on 2 ranks (N = 1000) takes 25 % longer", "1000 bodies are on one of 2 ranks",
          "within one run");
    assert_non_null(strstr(three, "% ("));
    assert_null(strstr(three, "†"));
}

/* Ranks that compute more for the same bodies gain what their time says, no more. */
TEST(work_in_addition_is_no_gain)
{
    char path[] = "/tmp/orrery-scaling-XXXXXX";
    FILE *file = begin_journal(path);

    for (int ranks = 1; ranks <= 2; ranks++)
        put_cell(file, 1000, ranks, ranks == 1 ? 1e-3 : 0.8e-3, 1000 * ranks, "");
    const char *text = table_in("md", file, path);
    HOLDS(text, "1.25", "62.5 %");
    assert_null(strstr(text, "2.50"));
}

RUN_TESTS(NULL, NULL)
