#include "report/ceilings_table.h"

#include "error.h"
#include "present/scope.h"
#include "report/ledger_table.h"
#include "sql/report/ceilings.h"

int orr_ceilings_table(struct orr_document *out, const struct orr_ledger *ledger,
                       const char *machine)
{
    *out = (struct orr_document){0};
    orr_document_name(out, "ceilings", "What each access costs");
    int code = orr_scope_drop(ledger);
    if (!code)
        code =
            orr_ledger_once(ledger, "CREATE TEMP TABLE asked AS SELECT ? AS machine", "s", machine);
    if (!code)
        code =
            orr_ledger_table(out, ledger, "report/ceilings.sql", sql_report_ceilings, "ceilings");
    int dropped = orr_scope_drop(ledger);
    if (!code)
        code = dropped;
    if (!code && !orr_document_data(out)->row_count)
        code = orr_fail(ORR_EUSAGE, "nothing here says what accesses cost; `orrery run ceilings` "
                                    "measures it, -r names other journals");
    return code;
}
