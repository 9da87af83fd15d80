/* What an aggregate keeps of its rows until the last one. */
#include <stdlib.h>
#include <string.h>

#include "claims/claims_parts.h"

void *orr_claims_keep_row(sqlite3_context *context, size_t size)
{
    struct orr_claims_rows *rows = sqlite3_aggregate_context(context, sizeof *rows);
    char *more = rows ? realloc(rows->items, (rows->count + 1) * size) : NULL;
    if (!more) {
        if (rows)
            rows->full = true;
        return NULL;
    }
    rows->items = more;
    return memset(more + rows->count++ * size, 0, size);
}

const struct orr_claims_rows *orr_claims_kept_rows(sqlite3_context *context, size_t wanted)
{
    const struct orr_claims_rows *rows = sqlite3_aggregate_context(context, 0);
    if (rows && rows->full)
        sqlite3_result_error_nomem(context);
    return rows && !rows->full && rows->count >= wanted ? rows : NULL;
}

static int by_x(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void orr_claims_sort_rows(const struct orr_claims_rows *rows, size_t size)
{
    if (rows)
        qsort(rows->items, rows->count, size, by_x);
}

void orr_claims_release_rows(sqlite3_context *context)
{
    struct orr_claims_rows *rows = sqlite3_aggregate_context(context, 0);
    if (rows)
        free(rows->items);
}
