#include "ledger/ledger_parts.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "sql/ledger/schema.h"

/* Members of the journal (docs/ARCHITECTURE.md) as columns. Adding a member is one line here. */
static const struct orr_field run_fields[] = {
    {"path", "TEXT", ""},
    {"machine", "TEXT", ""},
    {"operand", "TEXT", ""},
    {"run", "TEXT", "run"},
    {"started", "TEXT", "started"},
    {"preset", "TEXT", "request/preset"},
    {"request", "JSON", "request"},
    {"version", "TEXT", "orrery/version"},
    {"commit_id", "TEXT", "orrery/commit"},
    {"compiler", "TEXT", "orrery/compiler"},
    {"flags", "TEXT", "orrery/flags"},
    {"cpu", "TEXT", "machine/cpu"},
    {"cores", "INTEGER", "machine/cores"},
    {"threads", "INTEGER", "machine/threads"},
    {"memory_bytes", "INTEGER", "machine/memory_bytes"},
    {"kernel", "TEXT", "machine/kernel"},
    {"os", "TEXT", "machine/os"},
    {"simd", "TEXT", "machine/simd"},
};

static const struct orr_field device_fields[] = {
    {"run_key", "INTEGER", ""},
    {"device", "TEXT", "id"},
    {"backend", "TEXT", "backend"},
    {"device_name", "TEXT", "name"},
    {"vendor", "TEXT", "vendor"},
    {"driver", "TEXT", "driver"},
    {"toolkit", "TEXT", "toolkit"},
    {"capability", "TEXT", "capability"},
    {"compute_units", "INTEGER", "compute_units"},
    {"clock_mhz", "INTEGER", "clock_mhz"},
    {"memory_bytes", "INTEGER", "memory_bytes"},
};

static const struct orr_field ceiling_fields[] = {
    {"run_key", "INTEGER", ""},
    {"device", "TEXT", "device"},
    {"device_name", "TEXT", "device_name"},
    {"interactions_per_second", "REAL", "interactions_per_second"},
    {"fma_per_second", "REAL", "fma_per_second"},
};

static const struct orr_field cell_fields[] = {
    {"run_key", "INTEGER", ""},
    {"id", "TEXT", "id"},
    {"experiment", "TEXT", "experiment"},
    {"variant", "TEXT", "variant"},
    {"device", "TEXT", "device"},
    {"device_name", "TEXT", "device_name"},
    {"dataset", "TEXT", "dataset/name"},
    {"n", "INTEGER", "dataset/n"},
    {"seed", "INTEGER", "dataset/seed"},
    {"dataset_sha256", "TEXT", "dataset/sha256"},
    {"parameters", "JSON", "parameters"},
    {"steps", "INTEGER", "parameters/steps"},
    {"level", "INTEGER", "parameters/level"},
    {"per_box", "INTEGER", "dataset/per_box"},
    {"outcome", "TEXT", "outcome"},
    {"reason", "TEXT", "reason"},
    {"started", "TEXT", "started"},
    {"wall_s", "REAL", "wall_s"},
    {"plugin_sha256", "TEXT", "plugin_sha256"},
    {"build_flags", "TEXT", "build_flags"},
    {"note", "TEXT", "note"},
    {"seconds", "REAL", "seconds"},
    {"seconds_low", "REAL", "interval/0"},
    {"seconds_high", "REAL", "interval/1"},
    {"kernel_seconds", "REAL", "kernel_seconds"},
    {"end_to_end_seconds", "REAL", "end_to_end_seconds"},
    {"stop", "TEXT", "stop"},
    {"warmups", "INTEGER", "warmups"},
    {"noise_floor", "REAL", "noise_floor"},
    {"interactions", "REAL", "interactions"},
    {"interactions_per_second", "REAL", "interactions_per_second"},
    {"bodies_per_second", "REAL", "bodies_per_second"},
    {"flops_convention", "REAL", "flops_convention"},
    {"flops_true", "REAL", "flops_true"},
    {"bytes_min", "REAL", "bytes_min"},
    {"error_median", "REAL", "error/median"},
    {"error_p99", "REAL", "error/p99"},
    {"error_max", "REAL", "error/max"},
    {"error_by_mean_median", "REAL", "error/by_mean/median"},
    {"error_by_mean_p99", "REAL", "error/by_mean/p99"},
    {"error_by_mean_max", "REAL", "error/by_mean/max"},
    {"error_by_terms_median", "REAL", "error/by_terms/median"},
    {"error_by_terms_p99", "REAL", "error/by_terms/p99"},
    {"error_by_terms_max", "REAL", "error/by_terms/max"},
    {"error_phi_max", "REAL", "error/phi_max"},
    {"error_targets", "INTEGER", "error/targets"},
    {"bound_median", "REAL", "error/bound/median"},
    {"bound_p99", "REAL", "error/bound/p99"},
    {"bound_max", "REAL", "error/bound/max"},
    {"energy_start", "REAL", "conservation/energy_start"},
    {"energy_end", "REAL", "conservation/energy_end"},
    {"energy_drift", "REAL", "conservation/energy_drift"},
    {"energy_source", "TEXT", "conservation/energy_source"},
    {"momentum_drift", "REAL", "conservation/momentum_drift"},
    {"trajectory_position_sum", "REAL", "trajectory/position_sum"},
    {"trajectory_position_mean", "REAL", "trajectory/position_mean"},
    {"trajectory_speed_sum", "REAL", "trajectory/speed_sum"},
    {"trajectory_speed_mean", "REAL", "trajectory/speed_mean"},
    {"trajectory_velocity_sum", "REAL", "trajectory/velocity_sum"},
    {"trajectory_velocity_mean", "REAL", "trajectory/velocity_mean"},
    {"trajectory_reason", "TEXT", "trajectory/reason"},
    {"clock_mhz_median", "REAL", "sensors/clock_mhz_median"},
    {"power_w_median", "REAL", "sensors/power_w_median"},
    {"temperature_c_max", "REAL", "sensors/temperature_c_max"},
    {"harness_s", "REAL", "harness_s"},
    {"bodies_file", "TEXT", "bodies_file"},
    {"extrapolated_from", "TEXT", "extrapolated_from"},
};

static const struct orr_field kernel_fields[] = {
    {"cell_key", "INTEGER", ""},
    {"name", "TEXT", "name"},
    {"defines", "TEXT", "defines"},
    {"registers", "INTEGER", "registers"},
    {"spill_bytes", "INTEGER", "spill_bytes"},
    {"local_bytes", "INTEGER", "local_bytes"},
    {"max_group", "INTEGER", "max_group"},
    {"build_s", "REAL", "build_s"},
    {"cached", "INTEGER", "cached"},
};

static const struct orr_field stage_fields[] = {
    {"cell_key", "INTEGER", ""},
    {"name", "TEXT", "name"},
    {"seconds", "REAL", "seconds"},
    {"in_step", "INTEGER", "in_step"},
};

#define MAP(kind, name) \
    [kind] = {#name, name##_fields, sizeof name##_fields / sizeof *name##_fields}
const struct orr_record_map orr_ledger_maps[ORR_RECORD_KINDS] = {
    MAP(ORR_RECORD_RUN, run),   MAP(ORR_RECORD_DEVICE, device), MAP(ORR_RECORD_CEILING, ceiling),
    MAP(ORR_RECORD_CELL, cell), MAP(ORR_RECORD_KERNEL, kernel), MAP(ORR_RECORD_STAGE, stage),
};

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
