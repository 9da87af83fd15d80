#include "report/ledger_table.h"

#include "present/column_format.h"
#include "present/queries.h"
#include "present/scope.h"

int orr_ledger_table(struct orr_document *out, const struct orr_ledger *ledger, const char *file,
                     const char *text, const char *layout)
{
    struct orr_queries queries = {0};
    int code = orr_queries_add(&queries, file, text);
    const struct orr_section *first = orr_queries_find(&queries, ORR_SECTION_LAYOUT, layout);
    if (!code)
        code = orr_column_format_offer(ledger);
    if (!code)
        code = orr_scope_set_up(&queries, first, ledger);
    if (!code)
        code = orr_query_table(out, &queries, first, ledger);
    orr_queries_release(&queries);
    return code;
}
