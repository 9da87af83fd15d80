/* Published numbers and ratios, as layouts ask for them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/results.h"

int orr_published_find(struct orr_published *out, const struct orr_scope *scope,
                       const char *variant, const struct orr_input *input, const char *quantity,
                       const char *reference)
{
    *out = (struct orr_published){.value = NAN, .half_unit = NAN};
    double level = orr_scope_level(scope), n = input ? input->n : 0;
    if (input && !isnan(level) && input->level != level)
        return 0; /* N is the paper's, but not its boxes */
    char full[160];
    snprintf(full, sizeof full, "%s/%s", scope->paper->key, variant);
    sqlite3_stmt *row;
    int code = orr_ledger_query(
        &row, scope->ledger,
        "SELECT value, half_unit, printed, unit, device, erratum FROM published WHERE experiment = "
        "? AND"
        " variant = ? AND (dataset = ? OR dataset IS NULL) AND (n = ? OR (n IS NULL AND ? = 0))"
        " AND quantity = ? AND reference IS ? ORDER BY dataset IS NULL",
        "sssddss", scope->name, full, input ? input->dataset : "", n, n, quantity, reference);
    if (code)
        return code;
    int found = orr_ledger_next(row, scope->ledger);
    if (found > 0) {
        out->value = orr_ledger_number(row, 0);
        out->half_unit = orr_ledger_number(row, 1);
        snprintf(out->printed, sizeof out->printed, "%s", orr_ledger_text(row, 2));
        snprintf(out->unit, sizeof out->unit, "%s", orr_ledger_text(row, 3));
        snprintf(out->device, sizeof out->device, "%s", orr_ledger_text(row, 4));
        out->erratum = strdup(orr_ledger_text(row, 5));
        if (!out->erratum)
            found = orr_fail(ORR_EMEMORY, "no memory for a published number");
    }
    sqlite3_finalize(row);
    return found;
}

void orr_published_release(struct orr_published *published)
{
    free(published->erratum);
    published->erratum = NULL;
}

int orr_ratio_between(struct orr_ratio *out, const struct orr_scope *scope,
                      const struct orr_result *result, const struct orr_scope *other,
                      const struct orr_result *baseline)
{
    *out = (struct orr_ratio){NAN, NAN, NAN, false};
    if (!result || !baseline || !result->ok || !baseline->ok || result->steps != baseline->steps ||
        !orr_input_same(&result->input, &baseline->input))
        return 0;
    out->value = baseline->seconds / result->seconds;
    out->extrapolated = result->extrapolated || baseline->extrapolated;
    double ends[2];
    int code =
        orr_ledger_ratio_interval(ends, scope->ledger, result->key, other->ledger, baseline->key);
    if (code)
        return code;
    out->low = ends[0];
    out->high = ends[1];
    return 0;
}
