/* A document from a file of queries alone, which asks for no experiment. */
#ifndef ORR_LEDGER_TABLE_H
#define ORR_LEDGER_TABLE_H

#include "ledger/ledger.h"
#include "present/document.h"

/* Adds the tables of the layout in `text`, the file `file` (present/queries.h). Temporary tables
 * stay. */
int orr_ledger_table(struct orr_document *out, const struct orr_ledger *ledger, const char *file,
                     const char *text, const char *layout);

#endif
