/* Factors that the paper quotes in its text ("double-unrolling is faster than simple-unrolling by a factor
 * of 1.08, 1.35 ..."), beside the factors of its own table and the measured ones with their intervals. Driven by the
 * published rows with a quantity "ratio/<variant>", "ratio_min/<variant>" and "ratio_max/<variant>". */
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
static int put_table_ratio(const struct quoted *q, const struct orr_input *input)
{
    struct orr_published a, b;
    int code = orr_published_find(&a, q->scope, q->variant, input, "seconds", NULL);
    int other = orr_published_find(&b, q->scope, q->reference, input, "seconds", NULL);
    if (code > 0 && other > 0) {
        struct orr_ratio ratio = {b.value / a.value, (b.value - b.half_unit) / (a.value + a.half_unit),
                                  (b.value + b.half_unit) / (a.value - a.half_unit), false};
        char text[96];
        orr_grid_text(q->grid, "table", "%s", orr_show_ratio(text, sizeof text, &ratio));
    }
    orr_published_release(&a);
    orr_published_release(&b);
    return code < 0 ? code : other < 0 ? other : 0;
}

static int put_row(const struct quoted *q, const struct orr_input *input, const char *device)
{
    char text[96];
    const struct orr_result *result = orr_results_newest(q->results, q->variant, input, device, NULL);
    const struct orr_result *reference = orr_results_newest(q->results, q->reference, input, device, NULL);
    if (!reference) /* a reference on the host for a device */
        reference = orr_results_newest(q->results, q->reference, input, "", NULL);
    struct orr_ratio ratio;
    int code = orr_ratio_of(&ratio, q->scope, result, reference);
    if (code)
        return code;
    orr_grid_row(q->grid);
    orr_grid_text(q->grid, "n", "%.0f", input->n);
    orr_grid_text(q->grid, "factor", "%s over %s", q->variant, q->reference);
    if (*device)
        orr_grid_text(q->grid, "device", "%s", device);
    orr_grid_text(q->grid, "measured", "%s", orr_show_ratio(text, sizeof text, &ratio));
    code = put_printed(q, input);
    return code ? code : put_table_ratio(q, input);
}

static int put_factor(const struct quoted *q)
{
    const char *devices[MAX_DEVICES] = {""};
    size_t count = orr_layout_devices(devices, MAX_DEVICES, q->results, q->variant);
    int code = 0;
    for (size_t k = 0; k < q->results->input_count; k++)
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
    int more, code = orr_ledger_query(&row, scope->ledger,
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
