#include "audit/hardware.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "error.h"
#include "kernels/count.h"
#include "ledger/csv.h"
#include "text.h"

enum { WORD_BYTES = 4, METRICS = 4 };
static const double MOST_BYTES = 9e18; /* words are counted in 64 bits */
static const struct {
    const char *name;
    enum orr_access kind;
} metrics[METRICS] = {{"smsp__sass_data_bytes_mem_global_op_ld.sum", ORR_GR},
                      {"smsp__sass_data_bytes_mem_global_op_st.sum", ORR_GW},
                      {"smsp__sass_data_bytes_mem_shared_op_ld.sum", ORR_SR},
                      {"smsp__sass_data_bytes_mem_shared_op_st.sum", ORR_SW}};
/* The columns of a file; -1: it has none such. */
struct columns {
    struct orr_ledger *ledger;
    int found; /* numbers */
    int kernel;
    int name, unit, value; /* one metric a line */
    int of[METRICS];       /* one kernel a line */
    size_t count;
    double scale[METRICS]; /* bytes in the unit of each metric */
};

static int find_column(const struct orr_csv *csv, const char *name)
{
    for (size_t k = 0; k < csv->count; k++)
        if (!strcmp(csv->fields[k], name))
            return (int)k;
    return -1;
}

/* "byte" 1, "Kbyte" 1e3 ...; 0 for what is no unit of bytes. */
static double scale_of(const char *unit)
{
    static const char *const units[] = {"byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte"};
    double scale = 1;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++, scale *= 1000)
        if (!strcmp(unit, units[k]))
            return scale;
    return 0;
}

static int store(struct orr_ledger *ledger, const char *kernel, int metric, const char *text,
                 double scale)
{
    char digits[64], name[128];
    size_t used = 0;
    for (const char *at = text; *at && used < sizeof digits - 1; at++)
        if (*at != ',')
            digits[used++] = *at;
    digits[used] = '\0';
    double value;
    if (!(scale > 0))
        return orr_fail(ORR_EINPUT, "%s is not in bytes", metrics[metric].name);
    if (!orr_text_number(digits, &value) || value < 0 || value * scale > MOST_BYTES)
        return orr_fail(ORR_EINPUT, "'%s' is no number of bytes", text);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(kernel, "("), kernel);
    return orr_ledger_run(ledger,
                          "INSERT INTO audit_hardware VALUES (?, ?, ?)"
                          " ON CONFLICT DO UPDATE SET words = min(words, excluded.words)",
                          "ssi", name, orr_names_access[metrics[metric].kind],
                          (long long)(value * scale / WORD_BYTES + 0.5));
}

/* A line of one metric, or of one kernel with all of them; of the latter kind the first line below
 * the header has the units and no kernel. */
static int take_kernel(struct columns *c, const struct orr_csv *csv)
{
    const char *kernel = csv->fields[c->kernel];
    bool one = c->name >= 0 && c->value >= 0;
    int code = 0;
    for (int k = 0; k < METRICS && !code; k++) {
        int at = !one ? c->of[k] : !strcmp(csv->fields[c->name], metrics[k].name) ? c->value : -1;
        if (at < 0)
            continue;
        if (one ? c->unit >= 0 : !*kernel)
            c->scale[k] = scale_of(csv->fields[one ? c->unit : at]);
        if (!one && !*kernel)
            continue;
        c->found++;
        code = store(c->ledger, kernel, k, csv->fields[at], c->scale[k]);
    }
    return code;
}

static void read_header(struct columns *c, const struct orr_csv *csv)
{
    c->kernel = find_column(csv, "Kernel Name");
    c->name = find_column(csv, "Metric Name");
    c->unit = find_column(csv, "Metric Unit");
    c->value = find_column(csv, "Metric Value");
    c->count = csv->count;
    for (int k = 0; k < METRICS; k++) {
        c->of[k] = find_column(csv, metrics[k].name);
        c->scale[k] = 1;
    }
}

static int check_end(const struct columns *c)
{
    if (c->kernel < 0)
        return orr_fail(ORR_EINPUT, "no column 'Kernel Name': is it the output of `ncu --csv`?");
    return c->found ? 0
                    : orr_fail(ORR_EINPUT, "no kernel has one of the metrics %s,%s,%s,%s",
                               metrics[0].name, metrics[1].name, metrics[2].name, metrics[3].name);
}

static int take_line(const struct orr_csv *csv, void *context)
{
    struct columns *c = context;
    if (!csv->count)
        return check_end(c);
    if (c->kernel < 0) { /* what the profiler says before the table */
        read_header(c, csv);
        return 0;
    }
    int code = orr_csv_check_count(csv, c->count);
    return code ? code : take_kernel(c, csv);
}

int orr_hardware_make_table(const struct orr_ledger *ledger)
{
    return orr_ledger_run(ledger,
                          "CREATE TABLE IF NOT EXISTS audit_hardware(kernel TEXT, kind TEXT,"
                          " words INTEGER, PRIMARY KEY (kernel, kind))",
                          "");
}

int orr_hardware_read(struct orr_ledger *ledger, const char *path)
{
    struct columns c = {.ledger = ledger, .kernel = -1};
    int code = orr_hardware_make_table(ledger);
    return code ? code : orr_csv_each(path, path, take_line, &c);
}

int orr_hardware_check(const struct orr_ledger *ledger, const char *experiment, const char *path)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, ledger,
        "SELECT k.name, count(DISTINCT l.cell_key) FROM latest l JOIN kernel k USING (cell_key)"
        " WHERE l.experiment = ? AND l.device LIKE 'cuda:%' AND k.name IN (SELECT kernel FROM"
        " audit_hardware) GROUP BY k.name ORDER BY 2 DESC",
        "s", experiment);
    int more = code ? code : orr_ledger_next(row, ledger);
    if (!more)
        code = orr_fail(ORR_EUSAGE, "no kernel of %s ran on a CUDA device in the cells of %s", path,
                        experiment);
    else if (more > 0 && orr_ledger_number(row, 1) > 1)
        code = orr_fail(ORR_EUSAGE,
                        "the kernel %s of %s ran in %.0f cells of %s: name the run of one with -r",
                        orr_ledger_text(row, 0), path, orr_ledger_number(row, 1), experiment);
    sqlite3_finalize(row);
    return more < 0 ? more : code;
}
