#include "ledger/campaign.h"

#include <string.h>

#include "sql/ledger/campaign.h"

const char *const orr_campaign_names[ORR_CAMPAIGN_KINDS] = {"input", "mixed", "plans", "shards",
                                                            "twice"};

static enum orr_campaign_kind kind_of(const char *name)
{
    int kind = 0;
    while (kind < ORR_CAMPAIGN_KINDS - 1 && strcmp(orr_campaign_names[kind], name) != 0)
        kind++;
    return (enum orr_campaign_kind)kind;
}

int orr_campaign_each(const struct orr_ledger *ledger, bool all,
                      int (*each)(enum orr_campaign_kind kind, const char *text, void *context),
                      void *context)
{
    sqlite3_stmt *row;
    int more, code = orr_ledger_query(&row, ledger, sql_ledger_campaign, "i", (long long)all);
    if (code)
        return code;
    while (!code && (more = orr_ledger_next(row, ledger)) != 0)
        code = more < 0 ? more
                        : each(kind_of(orr_ledger_text(row, 0)), orr_ledger_text(row, 1), context);
    sqlite3_finalize(row);
    return code;
}
