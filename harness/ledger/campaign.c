#include "ledger/campaign.h"

#include <string.h>

#include "sql/ledger/campaign.h"

int orr_campaign_each(const struct orr_ledger *ledger, bool all,
                      int (*each)(bool is_fault, const char *text, void *context), void *context)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, ledger, sql_ledger_campaign, "i", (long long)all);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, ledger)) != 0)
        code = more < 0 ? more
                        : each(!strcmp(orr_ledger_text(row, 0), "input"), orr_ledger_text(row, 1),
                               context);
    sqlite3_finalize(row);
    return code;
}
