/* Documents of the ledger alone, without an experiment: what accesses cost (ceilings.sql), and one
 * cell in full (cell.sql). */
#ifndef ORR_LEDGER_TABLE_H
#define ORR_LEDGER_TABLE_H

#include <stdbool.h>

#include "ledger/ledger.h"
#include "present/document.h"

/* The newest run of each machine (NULL: of all) and device. ORR_EUSAGE where there is none. Release
 * the document whatever is returned. */
int orr_report_ceilings(struct orr_document *out, const struct orr_ledger *ledger,
                        const char *machine);

/* Whether the text can be the beginning of a cell's id: six hex digits or more. */
bool orr_report_takes_cell(const char *id);
/* The newest record of the cell whose id begins with `id`, on `machine` (NULL: any). ORR_EUSAGE
 * where there is none, and with the candidates where several cells begin so. Release the document
 * whatever is returned. */
int orr_report_cell(struct orr_document *out, const struct orr_ledger *ledger, const char *id,
                    const char *machine);

#endif
