#include "measure/counter_metrics.h"

#include <math.h>
#include <string.h>

#include "error.h"

/* Executed by threads whose predicate is on. */
#define EXECUTED(operation) "smsp__sass_thread_inst_executed_op_" operation "_pred_on.sum"
/* Bytes that threads ask for. */
#define ASKED(access) "smsp__sass_data_bytes_mem_" access ".sum"
#define WORD (1.0 / 4) /* of 4 bytes, as counting builds count */

const struct orr_counter_group orr_counter_metrics_groups[ORR_COUNTER_KINDS][6] = {
    {{"fp32", "single precision"},
     {"fp64", "double precision"},
     {"integer", "integer arithmetic"},
     {"shared", "accesses to shared memory"},
     {"global", "accesses to global memory"},
     {NULL, NULL}},
    {{"special", "the unit of special functions"},
     {"conflicts", "banks of shared memory"},
     {"sectors", "sectors of global memory"},
     {"memory", "bytes by level of the hierarchy"},
     {"issue", "instructions issued and cycles"},
     {NULL, NULL}}};

const struct orr_counter_metric orr_counter_metrics_all[ORR_COUNTER_KINDS][16] = {
    {{"fp32_add", "fp32", "additions of threads, single precision", {EXECUTED("fadd")}, 1, NULL},
     {"fp32_mul", "fp32", "multiplications", {EXECUTED("fmul")}, 1, NULL},
     {"fp32_fma", "fp32", "fused multiply-adds, one operation each", {EXECUTED("ffma")}, 1, NULL},
     {"fp64_add", "fp64", "additions of threads, double precision", {EXECUTED("dadd")}, 1, NULL},
     {"fp64_mul", "fp64", "multiplications", {EXECUTED("dmul")}, 1, NULL},
     {"fp64_fma", "fp64", "fused multiply-adds, one operation each", {EXECUTED("dfma")}, 1, NULL},
     {"integer", "integer", "integer operations of threads", {EXECUTED("integer")}, 1, NULL},
     {"shared_loads",
      "shared",
      "words loaded; one that a warp reads at one address counts once",
      {ASKED("shared_op_ld")},
      WORD,
      NULL},
     {"shared_stores", "shared", "words stored by threads", {ASKED("shared_op_st")}, WORD, NULL},
     {"shared_atomics",
      "shared",
      "words updated, retries among them",
      {ASKED("shared_op_atom")},
      WORD,
      NULL},
     {"shared_atomic_warps",
      "shared",
      "instructions of warps that update, of 32 threads at most",
      {"smsp__sass_inst_executed_op_shared_atom.sum"},
      1,
      NULL},
     {"global_loads", "global", "words loaded by threads", {ASKED("global_op_ld")}, WORD, NULL},
     {"global_stores", "global", "words stored by threads", {ASKED("global_op_st")}, WORD, NULL},
     {"global_atomics",
      "global",
      "words updated, retries among them",
      {ASKED("global_op_atom"), ASKED("global_op_red")},
      WORD,
      NULL},
     {NULL, NULL, NULL, {NULL}, 0, NULL}},
    {{"special",
      "special",
      "rsqrt and other special functions of threads, conversions among them",
      {"smsp__thread_inst_executed_pipe_xu_pred_on.sum"},
      1,
      NULL},
     {"shared_conflicts",
      "conflicts",
      "cycles that bank conflicts add to shared accesses",
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
      1,
      NULL},
     {"global_sectors",
      "sectors",
      "sectors of 32 bytes that global loads and stores touch",
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
       "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
      1,
      NULL},
     {"l1_bytes", "memory", "bytes through L1", {"l1tex__t_bytes.sum"}, 1, NULL},
     {"l2_bytes", "memory", "bytes through L2", {"lts__t_bytes.sum"}, 1, NULL},
     {"dram_bytes", "memory", "bytes read from and written to DRAM", {"dram__bytes.sum"}, 1, NULL},
     {"issued_slots",
      "issue",
      "instructions issued, one a warp",
      {"smsp__inst_issued.sum"},
      1,
      NULL},
     {"active_threads",
      "issue",
      "threads of a warp that take part, of 32",
      {"smsp__thread_inst_executed.sum"},
      1,
      "smsp__inst_executed.sum"},
     {"elapsed_cycles",
      "issue",
      "of a multiprocessor, profiled: no time",
      {"sm__cycles_elapsed.max"},
      1,
      NULL},
     {NULL, NULL, NULL, {NULL}, 0, NULL}}};

const char *const orr_counter_metrics_witness[ORR_COUNTER_KINDS] = {"smsp__sass_inst_executed.sum",
                                                                    "smsp__inst_executed.sum"};

static bool is_wanted(enum orr_counter_kind kind, const char *group, uint32_t wanted)
{
    const struct orr_counter_group *groups = orr_counter_metrics_groups[kind];
    for (int k = 0; groups[k].name; k++)
        if (!strcmp(groups[k].name, group))
            return wanted & UINT32_C(1) << k;
    return false;
}

static int place_of(const struct orr_counter_names *names, const char *name)
{
    for (int k = 0; k < names->count; k++)
        if (!strcmp(names->items[k], name))
            return k;
    return -1;
}

static void add(struct orr_counter_names *names, const char *name)
{
    if (name && place_of(names, name) < 0 && names->count < ORR_COUNTER_MOST)
        names->items[names->count++] = name;
}

void orr_counter_metrics_names(struct orr_counter_names *out, enum orr_counter_kind kind,
                               uint32_t wanted)
{
    out->count = 0;
    add(out, orr_counter_metrics_witness[kind]);
    for (const struct orr_counter_metric *m = orr_counter_metrics_all[kind]; m->name; m++) {
        if (!is_wanted(kind, m->group, wanted))
            continue;
        for (int k = 0; k < ORR_COUNTER_TERMS; k++)
            add(out, m->terms[k]);
        add(out, m->over);
    }
}

static double value_of(const struct orr_counter_names *names, const double *values,
                       const char *name)
{
    int place = place_of(names, name);
    return place < 0 ? NAN : values[place];
}

int orr_counter_metrics_values(json_t *out, enum orr_counter_kind kind,
                               const struct orr_counter_names *names, const double *values)
{
    int bad = 0;
    for (const struct orr_counter_metric *m = orr_counter_metrics_all[kind]; m->name; m++) {
        double sum = 0;
        for (int k = 0; k < ORR_COUNTER_TERMS && m->terms[k]; k++)
            sum += value_of(names, values, m->terms[k]);
        double value = m->scale * sum / (m->over ? value_of(names, values, m->over) : 1);
        if (isfinite(value))
            bad |= json_object_set_new(out, m->name, json_real(value));
    }
    return bad ? orr_fail(ORR_EMEMORY, "no memory for counters") : 0;
}
