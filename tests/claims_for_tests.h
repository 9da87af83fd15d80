/* SPDX-License-Identifier: MIT */
/* Claims judged over a journal of invented cells. */
#ifndef CLAIMS_FOR_TESTS_H
#define CLAIMS_FOR_TESTS_H

#include "claims/claims.h"
#include "datasets/boxes.h"
#include "ledger_for_tests.h"
#include "random_for_tests.h"

/* The paper whose claims are judged. */
static struct orr_paper *paper;

struct invented {
    struct orr_ledger ledger;
    FILE *file;
    char path[64];
    int cells, rounds; /* of each cell */
    double apart;      /* processes of a cell, relative */
};

/* start() makes it anew. */
static struct invented in;

/* Of the cells invented next: three processes are as few as tell a difference. */
static int wanted_rounds = 3;

/* For the set-up and the tear-down of a group of tests. */
static inline int begin_claims(const char *key)
{
    orr_error_clear();
    return orr_paper_load(&paper, key);
}

static inline int end_claims(void **state)
{
    orr_ledger_close(&in.ledger);
    orr_paper_free(paper);
    return 0;
}

static inline double between(double low, double high)
{
    return low + (high - low) * uniform();
}

static inline void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* The machine whose judgements are asked for; NULL: there is one. */
static const char *judged_machine;

/* A journal of a machine; `members` of the run's record, with a leading comma. */
static inline void begin_journal(const char *machine, const char *members)
{
    snprintf(in.path, sizeof in.path, "/tmp/orrery-claims-XXXXXX");
    int fd = mkstemp(in.path);
    assert_true(fd >= 0 && (in.file = fdopen(fd, "w")));
    fprintf(in.file,
            "{'record':'run','run':'r','started':'2026-01-01T00:00:00Z','machine':{"
            "'name':'%s'}%s}\n",
            machine, members);
}

static inline void start_with(const char *machine, const char *members)
{
    orr_ledger_close(&in.ledger);
    in = (struct invented){.rounds = wanted_rounds, .apart = 0.0005};
    judged_machine = NULL;
    assert_int_equal(orr_ledger_open(&in.ledger), 0);
    begin_journal(machine, members);
}

static inline void start(const char *machine)
{
    start_with(machine, "");
}

/* A cell that took `seconds`, in three samples around it in each process; processes differ by half
 * a thousandth, unless `apart` is changed. `dataset` and `parameters` are members, as of an object,
 * with ' for "; `extra` is more members of the cell with a leading comma. */
static inline void put_cell(const char *experiment, const char *variant, const char *device,
                            const char *dataset, const char *parameters, double seconds,
                            const char *extra)
{
    for (int round = 1; round <= in.rounds; round++) {
        double own = seconds * (1 + in.apart * (round - 0.5 * (in.rounds + 1)));
        fprintf(in.file,
                "{'record':'cell','id':'c%d','round':%d,'experiment':'%s','variant':'%s',"
                "'device':'%s','dataset':{%s},'parameters':{%s},'outcome':'ok','seconds':%.17g,"
                "'samples':{'step_s':[%.17g,%.17g,%.17g]}%s}\n",
                in.cells, round, experiment, variant, device, dataset, parameters, own, own * 0.999,
                own, own * 1.001, extra);
    }
    in.cells++;
}

/* The same of a paper's experiment and variant, with an interval as wide as the samples. */
static inline void put_of(const char *of, const char *experiment, const char *variant,
                          const char *device, const char *dataset, const char *parameters,
                          double seconds, const char *extra)
{
    put_cell(filled("%s/%s", of, experiment), filled("%s/%s", of, variant), device, dataset,
             parameters, seconds,
             filled(",'interval':[%.17g,%.17g]%s", seconds * 0.999, seconds * 1.001, extra));
}

/* A cell of `per_box` bodies in each of 4^7 boxes; `parameters` are more members with a leading
 * comma too. */
static inline void add(const char *experiment, const char *variant, const char *device, int per_box,
                       double seconds, const char *parameters, const char *extra)
{
    const char *dataset =
        filled("'name':'uniform-boxes','n':%d,'level':7,'per_box':%d", per_box * 16384, per_box);
    const char *settings = filled("'level':7%s", parameters);
    put_cell(experiment, variant, device, dataset, settings, seconds, extra);
}

/* Counts of shan's programs as Table I describes them, worked out here; `off` more writes than that
 * in the neighbour boxes, and `more` members of the father box. */
static inline const char *counts_of_table_1(bool third_law, long long P, int off, const char *more)
{
    const long long N = P << 14, B = (long long)orr_boxes_neighbours(7), own = N * (P - 1),
                    near = B * P * P;
    if (third_law)
        return filled(
            ",'kernels':[{'name':'shan_n3l'}],'counts':{'Father box':{'GR':%lld,'SR':%lld,"
            "'SW':%lld,'RW':%lld,'CP':%lld,'AS':%lld,'AG':%lld},'Neighbor box':{'GR':%lld,"
            "'SR':%lld,'SW':%lld,'RW':%lld,'CP':%lld,'AS':%lld,'AG':%lld},'Return d_acc':"
            "{'RR':%lld,'AG':%lld}}",
            3 * N, 3 * own / 2 + 2 * N, 5 * N, own, own / 2, own, 2 * N, 3 * B * P / 2,
            3 * near / 2 + B * P, 5 * B * P / 2 + off, near, near / 2, near, B * P, 2 * N, 2 * N);
    return filled(",'kernels':[{'name':'shan_bpb'}],'counts':{'Father box':{'GR':%lld,'SR':%lld,"
                  "'SW':%lld,'RW':%lld,'CP':%lld%s},'Neighbor box':{'GR':%lld,"
                  "'SR':%lld,'SW':%lld,'RW':%lld,'CP':%lld},'Return d_acc':{'GW':%lld,'RR':%lld}}",
                  3 * N, 3 * own, 3 * N, 2 * own, own, more, 3 * B * P, 3 * near, 3 * B * P + off,
                  2 * near, near, 2 * N, 2 * N);
}

static inline void load(void)
{
    assert_int_equal(fclose(in.file), 0);
    quote_records(in.path);
    assert_int_equal(orr_ledger_add(&in.ledger, in.path), 0);
    unlink(in.path);
}

static inline void load_and_judge(void)
{
    load();
    assert_done(orr_claims_judge(&in.ledger, paper) != 1);
}

/* `column` of the only judgement of a claim on a device ("" for NULL); "" when there is none. */
static inline const char *told_in(const char *claim, const char *reading, const char *device,
                                  const char *column)
{
    enum { ID = 1, MACHINE = 6, DEVICE, READING };
    const char *text = "";
    sqlite3_stmt *row;
    int rows = 0;
    assert_int_equal(orr_claims_query(&row, &in.ledger, NULL), 0);
    while (orr_ledger_next(row, &in.ledger) > 0) {
        if (strcmp(orr_ledger_text(row, ID), claim) != 0 ||
            strcmp(orr_ledger_text(row, READING), reading) != 0 ||
            strcmp(orr_ledger_text(row, DEVICE), device) != 0 ||
            (judged_machine && strcmp(orr_ledger_text(row, MACHINE), judged_machine)))
            continue;
        for (int k = 0; k < sqlite3_column_count(row); k++)
            if (!strcmp(sqlite3_column_name(row, k), column))
                text = filled("%s", orr_ledger_text(row, k));
        rows++;
    }
    sqlite3_finalize(row);
    assert_true(rows <= 1);
    return text;
}

static inline const char *told(const char *claim, const char *device, const char *column)
{
    return told_in(claim, "as printed", device, column);
}

static inline void assert_told_in(const char *claim, const char *reading, const char *device,
                                  const char *column, const char *part)
{
    const char *text = told_in(claim, reading, device, column);
    if (!strstr(text, part))
        fail_msg("%s of %s: expected '%s' in '%s'", column, claim, part, text);
}

static inline void assert_told(const char *claim, const char *device, const char *column,
                               const char *part)
{
    assert_told_in(claim, "as printed", device, column, part);
}

static inline void assert_judged(const char *claim, const char *device, const char *verdict)
{
    if (strcmp(told(claim, device, "verdict"), verdict) != 0) {
        print_message("%s, %s\n", told(claim, device, "verdict"), told(claim, device, "measured"));
        fail_msg("%s: expected %s: %s", claim, verdict, told(claim, device, "why"));
    }
}

/* The same of each of the claims "A1\0A2\0". */
static inline void assert_all_judged(const char *claims, const char *device, const char *verdict)
{
    for (const char *claim = claims; *claim; claim += strlen(claim) + 1)
        assert_judged(claim, device, verdict);
}

/* The main of the tests of a paper's claims. */
#define RUN_CLAIMS_OF(key)          \
    static int set_up(void **state) \
    {                               \
        return begin_claims(key);   \
    }                               \
    RUN_TESTS(set_up, end_claims)

/* What a verdict of a reading on the device is explained with. */
static inline void says_in(const char *claim, const char *reading, const char *text)
{
    assert_told_in(claim, reading, "cuda:0", "why", text);
}

static inline void says_why(const char *claim, const char *text)
{
    assert_told(claim, "cuda:0", "why", text);
}

/* What a query finds in the ledger. */
static inline void finds(const char *sql, double expected)
{
    assert_number(&in.ledger, sql, expected);
}

static inline void reads(const char *sql, const char *expected)
{
    assert_text(&in.ledger, sql, expected);
}

#endif
