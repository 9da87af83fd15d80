/* What the compiled kernels use, beside the registers and ALU words that the paper prints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"
#include "present/show.h"

enum { MAX_DEVICES = 16 };

struct resources {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_scope *scope;
};

static void add_columns(struct orr_grid *grid)
{
    orr_grid_column(grid, "machine", "machine", ORR_PROGRAMS, false);
    orr_grid_column(grid, "variant", "variant", ORR_ALL, false);
    orr_grid_column(grid, "device", "device", ORR_ALL, false);
    orr_grid_column(grid, "device_name", "device name", ORR_ALL, false);
    orr_grid_column(grid, "outcome", "outcome", ORR_PROGRAMS, false);
    orr_grid_column(grid, "kernel", "kernel", ORR_ALL, false);
    orr_grid_column(grid, "defines", "defines", ORR_PROGRAMS, false);
    orr_grid_column(grid, "published_registers", "published registers", ORR_ALL, true);
    orr_grid_column(grid, "published_alu_words", "published ALU words", ORR_ALL, true);
    orr_grid_column(grid, "registers", "registers", ORR_ALL, true);
    orr_grid_column(grid, "spill_bytes", "spill bytes", ORR_ALL, true);
    orr_grid_column(grid, "local_bytes", "local bytes", ORR_ALL, true);
    orr_grid_column(grid, "max_group", "largest group", ORR_ALL, true);
}

static int put_published(const struct resources *r, const char *variant, const char *quantity,
                         const char *key)
{
    struct orr_published published;
    int code = orr_published_find(&published, r->scope, variant, NULL, quantity, NULL);
    if (code > 0) {
        orr_grid_text(r->grid, key, "%s", published.printed);
        orr_grid_number(r->grid, key, published.value);
        orr_grid_note(r->grid, key, orr_document_note(r->document, published.erratum));
    }
    orr_published_release(&published);
    return code < 0 ? code : 0;
}

static int put_row(const struct resources *r, const char *variant)
{
    orr_grid_row(r->grid);
    orr_grid_text(r->grid, "machine", "%s", r->scope->machine);
    orr_grid_text(r->grid, "variant", "%s", variant);
    int code = put_published(r, variant, "registers", "published_registers");
    return code ? code : put_published(r, variant, "alu_words", "published_alu_words");
}

static int put_kernel(const struct resources *r, const struct orr_result *result, sqlite3_stmt *row)
{
    static const char *const keys[] = {"registers", "spill_bytes", "local_bytes", "max_group"};
    int code = put_row(r, result->variant);
    orr_grid_text(r->grid, "device", "%s", result->device);
    orr_grid_text(r->grid, "device_name", "%s", result->device_name);
    orr_grid_text(r->grid, "outcome", "%s", result->outcome);
    orr_grid_text(r->grid, "kernel", "%s", orr_ledger_text(row, 0));
    orr_grid_text(r->grid, "defines", "%s", orr_ledger_text(row, 1));
    for (int k = 0; k < 4; k++) {
        double value = orr_ledger_number(row, 2 + k);
        if (value < 0 || isnan(value))
            orr_grid_text(r->grid, keys[k], "not reported by this device");
        else
            orr_grid_number(r->grid, keys[k], value);
    }
    return code;
}

static int put_failure(const struct resources *r, const struct orr_result *result)
{
    int code = put_row(r, result->variant);
    orr_grid_text(r->grid, "device", "%s", result->device);
    orr_grid_text(r->grid, "device_name", "%s", result->device_name);
    orr_grid_text(r->grid, "outcome", "%s", result->outcome);
    orr_grid_text(r->grid, "kernel", "%s", result->ok ? "no kernel: host code" : result->outcome);
    return code;
}

static int put_result(const struct resources *r, const struct orr_result *result)
{
    sqlite3_stmt *row;
    bool any = false;
    int code =
        orr_ledger_query(&row, r->scope->ledger,
                         "SELECT name, defines, registers, spill_bytes, local_bytes, max_group"
                         " FROM kernel WHERE cell_key = ? ORDER BY kernel_key",
                         "i", result->key);
    if (code)
        return code;
    int more = 0;
    while (!code && (more = orr_ledger_next(row, r->scope->ledger)) > 0) {
        code = put_kernel(r, result, row);
        any = true;
    }
    sqlite3_finalize(row);
    if (more < 0)
        return more;
    return code || any ? code : put_failure(r, result);
}

static int table(struct orr_document *out, const struct orr_scope *scope,
                 const struct orr_results *results)
{
    struct resources r = {out, NULL, scope};
    r.grid = orr_document_grid(out, true, "Registers and memory of each compiled kernel");
    add_columns(r.grid);
    int code = 0;
    for (unsigned v = 0; v < scope->paper->variants_count && !code; v++) {
        const struct orr_paper_variant *variant = &scope->paper->variants[v];
        bool any = false;
        for (size_t k = 0; k < results->count && !code; k++)
            if (!strcmp(results->items[k].variant, variant->name)) {
                code = put_result(&r, &results->items[k]);
                any = true;
            }
        if (!any && !code && orr_layout_takes(scope, variant))
            code = put_row(&r, variant->name);
    }
    return code;
}

/* --- the figure: bars of registers, one group a variant --- */

static FILE *start_bars(struct orr_plot *plot, int style, const char *label)
{
    return orr_plot_series(plot, "place,program,value", style, "%s", label);
}

static int plot_published(struct orr_plot *plot, const struct orr_scope *scope,
                          const char *quantity, int style, const char *label)
{
    FILE *file = start_bars(plot, style, label);
    if (!file)
        return ORR_EIO;
    int code = 0, place = 0;
    for (unsigned v = 0; v < scope->paper->variants_count && code >= 0; v++) {
        const struct orr_paper_variant *variant = &scope->paper->variants[v];
        struct orr_published published;
        if (!orr_layout_takes(scope, variant))
            continue;
        code = orr_published_find(&published, scope, variant->name, NULL, quantity, NULL);
        fprintf(file, "%d,%s,", ++place, orr_layout_label(scope, variant->name));
        orr_plot_value(file, published.value, '\n');
        orr_published_release(&published);
    }
    fclose(file);
    return code < 0 ? code : 0;
}

/* Of the kernels of a variant the one with most registers counts: it limits how many threads are
 * resident. */
static double most_registers(const struct orr_scope *scope, const char *variant, const char *device,
                             int *code)
{
    char full[160];
    double value;
    snprintf(full, sizeof full, "%s/%s", scope->paper->key, variant);
    *code = orr_ledger_numbers(
        &value, 1, scope->ledger,
        "SELECT max(k.registers) FROM latest l JOIN kernel k USING (cell_key) WHERE l.experiment ="
        " ? AND l.machine = ? AND l.variant = ? AND l.device = ? AND k.registers >= 0",
        "ssss", scope->cells, scope->machine, full, device);
    *code = *code < 0 ? *code : 0;
    return value;
}

static int plot_device(struct orr_plot *plot, const struct orr_scope *scope, const char *device,
                       int style)
{
    char label[96];
    snprintf(label, sizeof label, "registers, %s", device);
    FILE *file = start_bars(plot, style, label);
    if (!file)
        return ORR_EIO;
    int code = 0, place = 0;
    for (unsigned v = 0; v < scope->paper->variants_count && !code; v++) {
        const struct orr_paper_variant *variant = &scope->paper->variants[v];
        if (!orr_layout_takes(scope, variant))
            continue;
        fprintf(file, "%d,%s,", ++place, orr_layout_label(scope, variant->name));
        orr_plot_value(file, most_registers(scope, variant->name, device, &code), '\n');
    }
    fclose(file);
    return code;
}

static int plot(struct orr_plot *out, const struct orr_scope *scope,
                const struct orr_results *results)
{
    int code = plot_published(out, scope, "registers", 1, "registers, published");
    if (!code)
        code = plot_published(out, scope, "alu_words", 2, "ALU words, published");
    (void)results;
    sqlite3_stmt *row;
    int more = 0, style = 3;
    if (!code)
        code = orr_ledger_query(
            &row, scope->ledger,
            "SELECT DISTINCT l.device FROM latest l JOIN kernel k USING (cell_key) WHERE"
            " l.experiment = ? AND l.machine = ? AND k.registers >= 0 ORDER BY 1",
            "ss", scope->cells, scope->machine);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, scope->ledger)) > 0)
        code = plot_device(out, scope, orr_ledger_text(row, 0), style++);
    sqlite3_finalize(row);
    return code ? code : more;
}

const struct orr_layout orr_layout_resources = {"resources", "resources", table, plot};
