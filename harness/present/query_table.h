/* Sections of queries as tables of a document. */
#ifndef ORR_QUERY_TABLE_H
#define ORR_QUERY_TABLE_H

#include "present/document.h"
#include "present/queries.h"

/* Makes the grids of a layout or part, and its remarks, up to its figure. `columns`: of all
 * queries. */
int orr_query_table(struct orr_document *out, const struct orr_queries *queries,
                    const struct orr_section *first, const struct orr_ledger *ledger);

#endif
