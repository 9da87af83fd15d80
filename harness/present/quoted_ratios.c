/* Factors that the paper quotes in its text ("double-unrolling is faster than simple-unrolling by a
 * factor of 1.08, 1.35 ..."), beside the factors of its own table and the measured ones with their
 * intervals. Driven by the published rows with a quantity "ratio/<variant>", "ratio_min/<variant>"
 * and "ratio_max/<variant>"; a largest factor without a smallest one ("the highest speedup reaches
 * 326") is compared with the largest of all inputs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"
#include "present/show.h"

enum { MAX_DEVICES = 16 };

struct quoted {
    struct orr_document *document;
    struct orr_grid *grid;
    const struct orr_scope *scope;
    const struct orr_results *results;
    char variant[64], reference[64];
};

/* What the text prints for one N: a number or a range. */
static int put_printed(const struct quoted *q, const struct orr_input *input)
{
    struct orr_published one, low, high;
    int code = orr_published_find(&one, q->scope, q->variant, input, "ratio", q->reference);
    if (code > 0) {
        orr_grid_text(q->grid, "printed", "%s", one.printed);
        orr_grid_note(q->grid, "printed", orr_document_note(q->document, one.erratum));
    }
    orr_published_release(&one);
    if (code)
        return code < 0 ? code : 0;
    code = orr_published_find(&low, q->scope, q->variant, NULL, "ratio_min", q->reference);
    int other = orr_published_find(&high, q->scope, q->variant, NULL, "ratio_max", q->reference);
    if (code > 0 && other > 0)
        orr_grid_text(q->grid, "printed", "%s to %s", low.printed, high.printed);
    orr_published_release(&low);
    orr_published_release(&high);
    return code < 0 ? code : other < 0 ? other : 0;
}

/* The quotient of the table's entries; each may be off by half a unit in its last digit. */
static int table_ratio(struct orr_ratio *out, const struct quoted *q, const struct orr_input *input)
{
    struct orr_published a, b;
    *out = (struct orr_ratio){NAN, NAN, NAN, false};
    int code = orr_published_find(&a, q->scope, q->variant, input, "seconds", NULL);
    int other = orr_published_find(&b, q->scope, q->reference, input, "seconds", NULL);
    if (code > 0 && other > 0)
        *out =
            (struct orr_ratio){b.value / a.value, (b.value - b.half_unit) / (a.value + a.half_unit),
                               (b.value + b.half_unit) / (a.value - a.half_unit), false};
    orr_published_release(&a);
    orr_published_release(&b);
    return code < 0 ? code : other < 0 ? other : 0;
}

static int measured_ratio(struct orr_ratio *out, const struct quoted *q,
                          const struct orr_input *input, const char *device)
{
    const struct orr_result *result =
        orr_results_newest(q->results, q->variant, input, device, NULL);
    const struct orr_result *reference =
        orr_results_newest(q->results, q->reference, input, device, NULL);
    if (!reference) /* a reference on the host for a device */
        reference = orr_results_newest(q->results, q->reference, input, "", NULL);
    return orr_ratio_of(out, q->scope, result, reference);
}

static void start_row(const struct quoted *q, const char *device)
{
    orr_grid_row(q->grid);
    orr_grid_text(q->grid, "factor", "%s over %s", q->variant, q->reference);
    if (*device)
        orr_grid_text(q->grid, "device", "%s", device);
}

static int put_row(const struct quoted *q, const struct orr_input *input, const char *device)
{
    char text[96];
    struct orr_ratio measured, table;
    int code = measured_ratio(&measured, q, input, device);
    if (!code)
        code = table_ratio(&table, q, input);
    if (code)
        return code;
    start_row(q, device);
    orr_grid_text(q->grid, "n", "%.0f", input->n);
    orr_grid_text(q->grid, "measured", "%s", orr_show_ratio(text, sizeof text, &measured));
    if (!isnan(table.value))
        orr_grid_text(q->grid, "table", "%s", orr_show_ratio(text, sizeof text, &table));
    return put_printed(q, input);
}

/* The largest ratio, with the input that has it. */
static void put_largest(const struct quoted *q, const char *key, const struct orr_ratio *largest,
                        const struct orr_input *at)
{
    char text[96], input[64];
    if (at)
        orr_grid_text(q->grid, key, "%s at %s", orr_show_ratio(text, sizeof text, largest),
                      orr_show_input(input, sizeof input, q->results, at));
}

static void keep_larger(struct orr_ratio *largest, const struct orr_input **at,
                        const struct orr_ratio *ratio, const struct orr_input *input)
{
    if (!isnan(ratio->value) && (!*at || ratio->value > largest->value))
        *largest = *ratio, *at = input;
}

static int put_highest(const struct quoted *q, const struct orr_published *printed,
                       const char *device)
{
    struct orr_ratio measured = {0}, table = {0}, ratio;
    const struct orr_input *measured_at = NULL, *table_at = NULL;
    int code = 0;
    for (size_t k = 0; k < q->results->input_count && !code; k++) {
        const struct orr_input *input = &q->results->inputs[k];
        code = measured_ratio(&ratio, q, input, device);
        keep_larger(&measured, &measured_at, &ratio, input);
        if (!code)
            code = table_ratio(&ratio, q, input);
        keep_larger(&table, &table_at, &ratio, input);
    }
    start_row(q, device);
    orr_grid_text(q->grid, "n", "highest");
    orr_grid_text(q->grid, "printed", "%s", printed->printed);
    orr_grid_note(q->grid, "printed", orr_document_note(q->document, printed->erratum));
    put_largest(q, "table", &table, table_at);
    put_largest(q, "measured", &measured, measured_at);
    return code;
}

/* 1 when the paper quotes a largest factor alone, 0, or a negative code. */
static int find_highest(struct orr_published *out, const struct quoted *q)
{
    struct orr_published low;
    int code = orr_published_find(&low, q->scope, q->variant, NULL, "ratio_min", q->reference);
    orr_published_release(&low);
    *out = (struct orr_published){0};
    return code ? (code < 0 ? code : 0)
                : orr_published_find(out, q->scope, q->variant, NULL, "ratio_max", q->reference);
}

static int put_factor(const struct quoted *q)
{
    const char *devices[MAX_DEVICES] = {""};
    size_t count = orr_layout_devices(devices, MAX_DEVICES, q->results, q->variant);
    struct orr_published highest;
    int alone = find_highest(&highest, q), code = alone < 0 ? alone : 0;
    for (size_t d = 0; d < (count ? count : 1) && !code && alone > 0; d++)
        code = put_highest(q, &highest, count ? devices[d] : "");
    orr_published_release(&highest);
    for (size_t k = 0; k < q->results->input_count && !alone; k++)
        for (size_t d = 0; d < (count ? count : 1) && !code; d++)
            if (q->results->inputs[k].published)
                code = put_row(q, &q->results->inputs[k], count ? devices[d] : "");
    return code;
}

static void add_grid(struct quoted *q)
{
    q->grid = orr_document_grid(q->document, false, "Factors quoted in the text");
    orr_grid_column(q->grid, "factor", "factor", ORR_PEOPLE, false);
    orr_grid_column(q->grid, "n", "N", ORR_PEOPLE, true);
    orr_grid_column(q->grid, "printed", "published, text", ORR_PEOPLE, true);
    orr_grid_column(q->grid, "table", "from the published table", ORR_PEOPLE, true);
    orr_grid_column(q->grid, "measured", "measured", ORR_PEOPLE, true);
    orr_grid_column(q->grid, "device", "device", ORR_PEOPLE, false);
}

int orr_quoted_ratios_add(struct orr_document *document, const struct orr_scope *scope,
                          const struct orr_results *results)
{
    struct quoted q = {.document = document, .scope = scope, .results = results};
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(
                  &row, scope->ledger,
                  "SELECT substr(variant, instr(variant, '/') + 1), reference FROM published WHERE"
                  " experiment = ? AND quantity LIKE 'ratio%' GROUP BY variant, reference ORDER BY"
                  " min(rowid)",
                  "s", scope->name);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, scope->ledger)) > 0) {
        if (!q.grid)
            add_grid(&q);
        snprintf(q.variant, sizeof q.variant, "%s", orr_ledger_text(row, 0));
        snprintf(q.reference, sizeof q.reference, "%s", orr_ledger_text(row, 1));
        code = put_factor(&q);
    }
    sqlite3_finalize(row);
    return code ? code : more;
}
