/* What `orrery run ceilings` measured: ceilings.sql. */
#ifndef ORR_CEILINGS_TABLE_H
#define ORR_CEILINGS_TABLE_H

#include "ledger/ledger.h"
#include "present/document.h"

/* The newest run of each machine (NULL: of all) and device. ORR_EUSAGE where there is none. Release
 * the document whatever is returned. */
int orr_ceilings_table(struct orr_document *out, const struct orr_ledger *ledger,
                       const char *machine);

#endif
