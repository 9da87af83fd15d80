/* SPDX-License-Identifier: MIT */
/* Two sides of invented cells of fujiwara/table2, compared. */
#ifndef COMPARE_FOR_TESTS_H
#define COMPARE_FOR_TESTS_H

#include "compare/compare.h"
#include "ledger_for_tests.h"

/* What is left out: optimised on cuda:0, data set random-3d of 1000 bodies and seed 1, eps = 0.1,
 * ok, a second, three processes 0.1 % apart, in each nine samples within half a percent on either
 * side, no hash of the data set, an id made of all of these. Others use `others` of 2 cores beside
 * its first `busy` processes, or all, or are so many on the GPU. */
struct made {
    const char *variant, *device, *parameters, *outcome, *sha256, *id, *extra;
    int n, seed, samples, processes, busy, on_gpu;
    double seconds, apart, others;
};

static inline const char *or_else(const char *text, const char *other)
{
    return text ? text : other;
}

static inline void put_samples(FILE *to, const struct made *m, double seconds)
{
    int count = m->samples ? m->samples : 9;
    fputs(",'samples':{'step_s':[", to);
    for (int k = 0; k < count; k++)
        fprintf(to, "%s%.17g", k ? "," : "",
                seconds * (count > 1 ? 0.995 + 0.01 * k / (count - 1) : 1));
    fputs("]}", to);
}

/* By how much of its time a process errs. The first is in the middle of all. */
static inline double error_of(const struct made *m, int process)
{
    return (m->apart > 0 ? m->apart : 0.001) * ((process + 1) / 2) * (process % 2 ? 1 : -1);
}

static inline void put_others(FILE *to, const struct made *m, int process)
{
    bool busy = !m->busy || process < m->busy;
    double cores = m->others > 0 && busy ? m->others : 0.01;
    int count = busy ? m->on_gpu : 0;
    fprintf(to, ",'surroundings':{'seconds':1,'cpus':2,'others_cores':%g,'gpu_processes':[0,%d]}",
            cores, count);
    if (cores > 0.1)
        fprintf(to, ",'beside':'others used %.2g of 2 cores'", cores);
    else if (count)
        fprintf(to, ",'beside':'%d other process on the GPU, 1 MiB'", count);
}

/* The record of one process. */
static inline void put_process(FILE *to, const struct made *m, int process)
{
    const char *variant = or_else(m->variant, "optimised"), *device = or_else(m->device, "cuda:0");
    const char *parameters = or_else(m->parameters, "'eps':0.1");
    int n = m->n ? m->n : 1000, made_seed = m->seed ? m->seed : 1;
    double seconds = (m->seconds > 0 ? m->seconds : 1) * (1 + error_of(m, process));
    const char *id = filled("%s %s %zu %d %d", variant, device, strlen(parameters), n, made_seed);
    fprintf(to,
            "{'record':'cell','round':%d,'id':'%s','experiment':'fujiwara/table2',"
            "'variant':'fujiwara/%s','device':'%s','dataset':{'name':'random-3d','n':%d,'seed':%d",
            process + 1, or_else(m->id, id), variant, device, n, made_seed);
    if (m->sha256)
        fprintf(to, ",'sha256':'%s'", m->sha256);
    fprintf(to, "},'parameters':{%s},'outcome':'%s','seconds':%.17g", parameters,
            or_else(m->outcome, "ok"), seconds);
    put_samples(to, m, seconds);
    if (m->others > 0 || m->on_gpu)
        put_others(to, m, process);
    fprintf(to, "%s}\n", or_else(m->extra, ""));
}

/* A journal of the machine; `path` ends with XXXXXX. */
static inline void write_journal(char *path, const char *machine, const char *commit,
                                 const struct made *cells, size_t count)
{
    int fd = mkstemp(path);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(to);
    fprintf(to,
            "{'record':'run','run':'r','started':'2026-01-01T00:00:00Z','machine':{'name':'%s'},"
            "'orrery':{'version':'1','commit':'%s'},'devices':[{'id':'cuda:0','name':'Card',"
            "'driver':'driver of %s'}]}\n",
            machine, commit, commit);
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < (cells[k].processes ? cells[k].processes : 3); p++)
            put_process(to, &cells[k], p);
    assert_int_equal(fclose(to), 0);
    quote_records(path);
}

struct trial {
    char paths[2][64], words[2][128];
    struct orr_comparison comparison;
};

/* Compares two journals of one machine; the devices "" or "cuda:0". What orr_compare_make or a
 * step before it returns. */
static inline int compare_by_rule(struct trial *t, const struct made *a, size_t a_count,
                                  const char *a_device, const struct made *b, size_t b_count,
                                  const char *b_device, const struct orr_cell_globs *globs,
                                  const struct orr_compare_rule *rule)
{
    static const struct orr_cell_globs all = {{NULL, 0}, {NULL, 0}};
    const char *const devices[] = {a_device, b_device};
    *t = (struct trial){.paths = {"/tmp/orrery-compare-XXXXXX", "/tmp/orrery-compare-XXXXXX"}};
    char *words[] = {t->words[0], t->words[1]};
    write_journal(t->paths[0], "unit", "before", a, a_count);
    write_journal(t->paths[1], "unit", "after", b, b_count);
    for (int k = 0; k < 2; k++)
        snprintf(t->words[k], sizeof t->words[k], "%s%s%s", t->paths[k], *devices[k] ? "@" : "",
                 devices[k]);
    int code = orr_compare_load(&t->comparison, words, 2, "fujiwara/table2");
    return code ? code : orr_compare_make(&t->comparison, globs ? globs : &all, rule);
}

static inline int compare_made(struct trial *t, const struct made *a, size_t a_count,
                               const char *a_device, const struct made *b, size_t b_count,
                               const char *b_device, const struct orr_cell_globs *globs)
{
    static const struct orr_compare_rule rule = {ORR_COMPARE_MARGIN, ORR_COMPARE_MARGIN};
    return compare_by_rule(t, a, a_count, a_device, b, b_count, b_device, globs, &rule);
}

static inline void end_trial(struct trial *t)
{
    orr_compare_release(&t->comparison);
    for (int k = 0; k < 2; k++)
        unlink(t->paths[k]);
}

/* The number that a query on the tables of compare.sql gives. */
static inline double asked(const struct trial *t, const char *sql)
{
    double number = NAN;
    assert_done(orr_ledger_numbers(&number, 1, &t->comparison.selection.ledger, sql, "") < 0);
    return number;
}

/* How many pairs a finding has. */
static inline int found(const struct trial *t, const char *finding)
{
    return (int)asked(t, filled("SELECT count(*) FROM pair WHERE finding = '%s'", finding));
}

/* What was found of the only cell, and that is all. */
static inline void assert_found(struct trial *t, int code, const char *finding)
{
    assert_done(code);
    assert_int_equal(asked(t, "SELECT count(*) FROM pair"), 1);
    assert_int_equal(found(t, finding), 1);
    end_trial(t);
}

#endif
