#include "ledger/ledger_parts.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "sql/ledger/schema.h"

/* Members of the journal (docs/ARCHITECTURE.md) as columns. Adding a member is one line here. */
static const struct orr_field run_fields[] = {
    {"path", "TEXT", "", "of the journal file"},
    {"machine", "TEXT", "", "of the hardware, or as --machine named it"},
    {"operand", "TEXT", "", "\"A\" or \"B\" of a comparison, else \"\""},
    {"run", "TEXT", "run", "name: UTC start and four hex digits"},
    {"started", "TEXT", "started", "ISO 8601, UTC"},
    {"ended", "TEXT", "", "over, interrupted; NULL: it goes on, or its process died"},
    {"schema", "INTEGER", "schema", "of the journal; before 2 its lines have no checksums"},
    {"preset", "TEXT", "request/preset", "smoke, quick, paper, beyond; NULL: quick"},
    {"request", "JSON", "request", "JSON: what was asked for, enough to make the same plan again"},
    {"version", "TEXT", "orrery/version", "of Orrery"},
    {"commit_id", "TEXT", "orrery/commit", "of Orrery"},
    {"compiler", "TEXT", "orrery/compiler", "of the program"},
    {"flags", "TEXT", "orrery/flags", "of the program"},
    {"cpu", "TEXT", "machine/cpu", "name"},
    {"cores", "INTEGER", "machine/cores", "of the machine"},
    {"threads", "INTEGER", "machine/threads", "of the machine"},
    {"memory_bytes", "INTEGER", "machine/memory_bytes", "of the machine"},
    {"kernel", "TEXT", "machine/kernel", "operating system kernel"},
    {"os", "TEXT", "machine/os", "operating system"},
    {"simd", "TEXT", "machine/simd", "widest vector instructions"},
    {"environment", "JSON", "environment",
     "JSON: settings of the processor, the GPUs and the process; NULL in older journals"},
    {"locks", "JSON", "locks", "JSON: devices that the run had to itself; NULL in older journals"},
    {"shard", "INTEGER", "shard/number", "which part of its plan, from 1; NULL: all of it"},
    {"shards", "INTEGER", "shard/of", "parts that the plan was split into"},
    {"shard_cells", "INTEGER", "shard/cells", "of this part"},
    {"plan_cells", "INTEGER", "shard/plan_cells", "of the whole plan"},
    {"plan", "TEXT", "shard/plan", "16 hex digits, hash of the ids of its cells"},
};

static const struct orr_field device_fields[] = {
    {"run_key", "INTEGER", "", "the run whose machine has it"},
    {"device", "TEXT", "id", "\"cuda:0\", \"opencl:0.0\", \"host\""},
    {"backend", "TEXT", "backend", "cuda, opencl, host"},
    {"device_name", "TEXT", "name", "\"NVIDIA H200\""},
    {"vendor", "TEXT", "vendor", "\"\" when not known"},
    {"driver", "TEXT", "driver", "with its version"},
    {"toolkit", "TEXT", "toolkit", "compiler of its kernels"},
    {"capability", "TEXT", "capability", "compute capability or vector instructions"},
    {"kind", "INTEGER", "kind", "0 the host, 1 a processor, 2 a GPU, 3 another"},
    {"compute_units", "INTEGER", "compute_units", "multiprocessors or cores"},
    {"clock_mhz", "INTEGER", "clock_mhz", "highest; 0 when not known"},
    {"memory_bytes", "INTEGER", "memory_bytes", "of the device"},
};

static const struct orr_field ceiling_fields[] = {
    {"run_key", "INTEGER", "", "the run that measured it"},
    {"device", "TEXT", "device", "\"cuda:0\""},
    {"device_name", "TEXT", "device_name", "\"NVIDIA H200\""},
    {"interactions_per_second", "REAL", "interactions_per_second",
     "12 fp32 operations and 1 rsqrt held in registers"},
    {"fma_per_second", "REAL", "fma_per_second", "independent fp32 lanes"},
    {"round", "INTEGER", "round", "of the run, from 1; NULL: the first"},
    {"clock_mhz", "REAL", "clock_mhz", "median while it was measured; NULL when not known"},
    {"throttle_reasons", "JSON", "throttle_reasons",
     "JSON: what the device gave as reasons meanwhile"},
};

static const struct orr_field cell_fields[] = {
    {"run_key", "INTEGER", "", "the run that wrote it"},
    {"line", "INTEGER", "#", "of the journal file, from 1; of its first round"},
    {"processes", "INTEGER", "processes", "that measured it, one a round"},
    {"id", "TEXT", "id", "16 hex digits, hash of what identifies the cell"},
    {"experiment", "TEXT", "experiment", "\"paper/name\""},
    {"variant", "TEXT", "variant", "\"paper/name\""},
    {"device", "TEXT", "device", "\"cuda:0\""},
    {"device_name", "TEXT", "device_name", "NULL when it failed before"},
    {"dataset", "TEXT", "dataset/name", "name"},
    {"n", "INTEGER", "dataset/n", "bodies"},
    {"seed", "INTEGER", "dataset/seed", "of the data set"},
    {"dataset_sha256", "TEXT", "dataset/sha256", "of its bytes"},
    {"parameters", "JSON", "parameters", "JSON: every parameter with its value, defaults too"},
    {"steps", "INTEGER", "parameters/steps", "the parameter; NULL of a variant without"},
    {"level", "INTEGER", "parameters/level", "the parameter; boxes: 4^level"},
    {"per_box", "INTEGER", "dataset/per_box", "bodies in each box, of data sets of boxes"},
    {"tuning", "TEXT", "tuning/stage",
     "what stands in no table and no claim: search and final are a tuner's cells, used has "
     "settings "
     "that it found; NULL of all others"},
    {"knobs", "JSON", "tuning/knobs", "JSON: the settings of such a cell that were tuned"},
    {"outcome", "TEXT", "outcome", "ok, wrong, crashed, timed out, unsupported, no memory, failed"},
    {"reason", "TEXT", "reason", "\"\" or one line"},
    {"timeout_s", "REAL", "timeout_s", "limit of a cell that timed out"},
    {"unfinished", "TEXT", "unfinished/ask", "what it was at then: \"step\" ..."},
    {"unfinished_steps", "INTEGER", "unfinished/steps", "that it was asked for"},
    {"unfinished_s", "REAL", "unfinished/seconds", "since when, and these steps did not end"},
    {"started", "TEXT", "started", "ISO 8601, UTC"},
    {"wall_s", "REAL", "wall_s", "the whole cell"},
    {"plugin_sha256", "TEXT", "plugin_sha256", "of the variant as built"},
    {"build_flags", "TEXT", "build_flags", "of the variant"},
    {"note", "TEXT", "note", "of the variant"},
    {"seconds", "REAL", "seconds", "of a step: median over the processes of their medians"},
    {"seconds_low", "REAL", "interval/0", "95 % interval; of 1 or 2 processes within one run"},
    {"seconds_high", "REAL", "interval/1", "95 % interval; of 1 or 2 processes within one run"},
    {"spread_within", "REAL", "spread/within", "relative, of the samples of a process"},
    {"spread_between", "REAL", "spread/between", "relative, of the medians of processes"},
    {"p5", "REAL", "p5", "seconds that 95 % of the samples exceed"},
    {"p95", "REAL", "p95", "seconds that 5 % of the samples exceed"},
    {"two_peaks", "INTEGER", "two_peaks", "1: the samples have two peaks"},
    {"halving", "REAL", "halving", "processes that would halve the interval"},
    {"mode", "TEXT", "mode",
     "steps that seconds are of: back to back, or single; NULL in older journals: single"},
    {"single_seconds", "REAL", "single_seconds",
     "median of single steps, where seconds are of steps back to back; else NULL"},
    {"timed", "TEXT", "timed",
     "what seconds hold: step, upload and step, step and fetch, or upload, step and fetch; NULL in "
     "older journals: step"},
    {"kernel_seconds", "REAL", "kernel_seconds", "median, by kernel_clock"},
    {"kernel_clock", "TEXT", "kernel_clock",
     "kernel timestamps, events or host clock; NULL in older journals: events"},
    {"end_to_end_seconds", "REAL", "end_to_end_seconds",
     "median: input to the device, a step, the result back"},
    {"stop", "TEXT", "stop",
     "why sampling ended: converged, time limit, sample limit, fixed count"},
    {"warmups", "INTEGER", "warmups", "discarded samples, the first step among them"},
    {"interactions", "REAL", "interactions", "of a step"},
    {"pair", "TEXT", "pair",
     "what each is: 3d, 3d-both, 3d-matrix, 2d, 2d-both, of which there are ceilings, 3d-tree, "
     "cells with quadrupoles and bodies, or other; NULL in older journals"},
    {"interactions_per_second", "REAL", "interactions_per_second", "interactions / seconds"},
    {"bodies_per_second", "REAL", "bodies_per_second",
     "n (steps + 1) / seconds, of variants that integrate"},
    {"flops_convention", "REAL", "flops_convention", "of a step, as the paper counts"},
    {"flops_true", "REAL", "flops_true", "of a step, as counted in the kernel"},
    {"bytes_min", "REAL", "bytes_min", "of a step, at least"},
    {"error_median", "REAL", "error/median", "relative error of accelerations"},
    {"error_p99", "REAL", "error/p99", "exceeded by 1 % of the bodies"},
    {"error_max", "REAL", "error/max", "largest"},
    {"error_by_mean_median", "REAL", "error/by_mean/median", "relative to the mean acceleration"},
    {"error_by_mean_p99", "REAL", "error/by_mean/p99", "relative to the mean acceleration"},
    {"error_by_mean_max", "REAL", "error/by_mean/max", "relative to the mean acceleration"},
    {"error_by_terms_median", "REAL", "error/by_terms/median",
     "relative to the sum of the lengths of the terms"},
    {"error_by_terms_p99", "REAL", "error/by_terms/p99",
     "relative to the sum of the lengths of the terms"},
    {"error_by_terms_max", "REAL", "error/by_terms/max",
     "relative to the sum of the lengths of the terms"},
    {"error_phi_max", "REAL", "error/phi_max", "of potentials, relative"},
    {"error_targets", "INTEGER", "error/targets", "bodies verified"},
    {"bound_median", "REAL", "error/bound/median", "largest median error accepted; 0: not checked"},
    {"bound_p99", "REAL", "error/bound/p99", "largest 99th percentile accepted; 0: not checked"},
    {"bound_max", "REAL", "error/bound/max", "largest error accepted; 0: not checked"},
    {"bound_by_terms", "INTEGER", "error/bound/by_terms",
     "1: these bound error_by_terms_*; else the relative errors"},
    {"energy_start", "REAL", "conservation/energy_start", "fp64, before the steps"},
    {"energy_end", "REAL", "conservation/energy_end", "fp64, after them"},
    {"energy_drift", "REAL", "conservation/energy_drift", "relative change"},
    {"energy_source", "TEXT", "conservation/energy_source", "pairs, or potentials of the variant"},
    {"momentum_drift", "REAL", "conservation/momentum_drift", "relative change"},
    {"trajectory_position_sum", "REAL", "trajectory/position_sum",
     "squared distances from fp64 direct sums, all bodies"},
    {"trajectory_position_mean", "REAL", "trajectory/position_mean", "the same, of a body"},
    {"trajectory_speed_sum", "REAL", "trajectory/speed_sum", "squared differences of speeds"},
    {"trajectory_speed_mean", "REAL", "trajectory/speed_mean", "the same, of a body"},
    {"trajectory_velocity_sum", "REAL", "trajectory/velocity_sum",
     "squared differences of velocities"},
    {"trajectory_velocity_mean", "REAL", "trajectory/velocity_mean", "the same, of a body"},
    {"trajectory_reason", "TEXT", "trajectory/reason", "why there is none"},
    {"clock_mhz_median", "REAL", "sensors/clock_mhz_median", "of the device while sampling"},
    {"power_w_median", "REAL", "sensors/power_w_median", "of the device while sampling"},
    {"temperature_c_max", "REAL", "sensors/temperature_c_max", "of the device while sampling"},
    {"memory_clock_mhz_median", "REAL", "sensors/memory_clock_mhz_median",
     "of the device while sampling"},
    {"throttle_reasons", "JSON", "sensors/throttle_reasons",
     "JSON: what the device gave as reasons"},
    {"joules_step", "REAL", "energy/joules_step", "of the device in a step, by its counter"},
    {"joules_interaction", "REAL", "energy/joules_interaction", "joules_step / interactions"},
    {"joules_idle_step", "REAL", "energy/joules_idle_step",
     "of joules_step: what the idle device takes in that time"},
    {"idle_w", "REAL", "energy/idle_w", "power of the idle device with its context"},
    {"joules_error", "REAL", "energy/error",
     "relative difference of the counter from integrated power; NULL without the latter"},
    {"joules_counter", "TEXT", "energy/counter", "nvml, rapl"},
    {"joules_reason", "TEXT", "energy/reason", "why there are none"},
    {"beside", "TEXT", "beside", "what other programs did meanwhile; NULL: nothing that matters"},
    {"others_cores", "REAL", "surroundings/others_cores",
     "cores that other programs used meanwhile, on average"},
    {"others_marked", "INTEGER", "others/marked", "of its processes, those that others disturbed"},
    {"others_cores_median", "REAL", "others/cores", "others_cores of its median process"},
    {"others_cores_unsure", "REAL", "others/unsure_cores",
     "by how much that may be off, as the kernel counts in ticks"},
    {"others_gpu_median", "REAL", "others/gpu_processes",
     "other processes on the GPU, of its median process"},
    {"load", "REAL", "surroundings/load", "average of the last minute, the run's own included"},
    {"counters", "JSON", "counters",
     "JSON: what counted one more step, a source each; NULL: none was asked for"},
    {"ranks", "INTEGER", "ranks", "devices that shared its steps, by a process each"},
    {"exchange_seconds", "REAL", "exchange_seconds",
     "of a step: what ranks take to exchange, waiting for each other left out; median"},
    {"skew", "REAL", "skew",
     "by how much of a step the busiest rank worked longer than the least busy; median"},
    {"transport", "TEXT", "transport", "what connects ranks: NCCL, or MPI through host memory"},
    {"harness_s", "REAL", "harness_s",
     "of wall_s: neither the variant, the context nor compilation"},
    {"bodies_file", "TEXT", "bodies_file", "beside the journal, for pictures"},
    {"extrapolated_from", "TEXT", "extrapolated_from",
     "id of the measured cell whose times were scaled"},
};

static const struct orr_field kernel_fields[] = {
    {"cell_key", "INTEGER", "", "the cell that built it; negative: one that is wrong on purpose"},
    {"name", "TEXT", "name", "of the kernel"},
    {"defines", "TEXT", "defines", "of the build"},
    {"registers", "INTEGER", "registers", "of a thread; -1 when not reported"},
    {"spill_bytes", "INTEGER", "spill_bytes", "of a thread; -1 when not reported"},
    {"local_bytes", "INTEGER", "local_bytes", "of a group; -1 when not reported"},
    {"max_group", "INTEGER", "max_group", "largest group; -1 when not reported"},
    {"resident", "INTEGER", "resident",
     "groups of max_group threads that a multiprocessor holds at once; -1 when not reported"},
    {"build_s", "REAL", "build_s", "seconds of compilation"},
    {"cached", "INTEGER", "cached", "1: taken from the kernel cache"},
};

static const struct orr_field stage_fields[] = {
    {"cell_key", "INTEGER", "", "the cell"},
    {"name", "TEXT", "name", "\"build\", \"download\" ..."},
    {"seconds", "REAL", "seconds", "median"},
    {"in_step", "INTEGER", "in_step", "1: part of the timed step"},
};

static const struct orr_field self_fields[] = {
    {"run_key", "INTEGER", "", "the second run"},
    {"first", "TEXT", "first", "name of the first run"},
    {"finished", "TEXT", "finished", "ISO 8601, UTC"},
    {"devices", "JSON", "devices", "JSON: those of the cells"},
    {"margin", "REAL", "margin", "smaller ratios are no difference"},
    {"comparisons", "INTEGER", "comparisons", "of the same cell in both, with a verdict"},
    {"different", "INTEGER", "different", "of them called faster or slower"},
    {"same", "INTEGER", "same", "of them called same"},
    {"not_told_apart", "INTEGER", "not_told_apart", "of them neither"},
    {"unclear", "INTEGER", "unclear",
     "without a verdict: too few processes, or others beside"
     " one of the two"},
    {"beside", "INTEGER", "beside", "with a verdict, and others beside either cell"},
    {"changed", "INTEGER", "changed", "ok in one of the runs only"},
    {"median_difference", "REAL", "median_difference", "of |ratio - 1|"},
    {"largest_difference", "REAL", "largest_difference", "of |ratio - 1|"},
    {"steps", "JSON", "steps", "JSON: the same by the time of a step"},
};

#define MAP(kind, name, means) \
    [kind] = {#name, means, name##_fields, sizeof name##_fields / sizeof *name##_fields}
const struct orr_record_map orr_ledger_maps[ORR_RECORD_KINDS] = {
    MAP(ORR_RECORD_RUN, run, "One invocation of `orrery run`, one journal."),
    MAP(ORR_RECORD_DEVICE, device, "The devices that a run found on its machine."),
    MAP(ORR_RECORD_CEILING, ceiling, "What a device reaches at most, measured before its cells."),
    MAP(ORR_RECORD_CELL, cell,
        "Every cell of a run: one experiment, variant, data set, parameters "
        "and device, its rounds together. Times are seconds."),
    [ORR_RECORD_WRONG] = {"wrong_on_purpose",
                          "Cells whose results are wrong because they were meant to be: their "
                          "times are an audit's alone, and no cell. Columns as of `cell`.",
                          cell_fields, sizeof cell_fields / sizeof *cell_fields},
    MAP(ORR_RECORD_KERNEL, kernel, "Compiled kernels of a cell."),
    MAP(ORR_RECORD_SELF, self, "Cells measured twice by `orrery compare --self`, and compared."),
    MAP(ORR_RECORD_STAGE, stage, "Stages of a cell on the host, in or outside its step."),
};

const char *const orr_ledger_schema = sql_ledger_schema;

int orr_ledger_sql_failed(const struct orr_ledger *ledger, const char *what)
{
    return orr_fail(ORR_EINTERNAL, "ledger: %s: %s", what, sqlite3_errmsg(ledger->db));
}

int orr_ledger_execute(struct orr_ledger *ledger, const char *sql)
{
    if (sqlite3_exec(ledger->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return orr_ledger_sql_failed(ledger, "SQL");
    return 0;
}

static int create_table(struct orr_ledger *ledger, const struct orr_record_map *map)
{
    char *sql = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&sql, &size);
    if (!text)
        return orr_fail(ORR_EMEMORY, "no memory for the ledger");
    fprintf(text, "CREATE TABLE %s(%s_key INTEGER PRIMARY KEY", map->table, map->table);
    for (size_t k = 0; k < map->count; k++) {
        const char *type = map->fields[k].type;
        fprintf(text, ", %s %s", map->fields[k].column, strcmp(type, "JSON") ? type : "TEXT");
    }
    fputs(");", text);
    fclose(text);
    int code = orr_ledger_execute(ledger, sql);
    free(sql);
    return code;
}

int orr_ledger_make_schema(struct orr_ledger *ledger)
{
    int code = 0;
    for (int kind = 0; !code && kind < ORR_RECORD_KINDS; kind++)
        code = create_table(ledger, &orr_ledger_maps[kind]);
    if (!code)
        code = orr_ledger_execute(ledger, sql_ledger_schema);
    return code;
}
