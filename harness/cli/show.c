#include "cli/show.h"

#include <stdio.h>

#include "error.h"

int orr_cli_select(struct orr_selection *out, const struct orr_source *source, const char *what)
{
    struct orr_wish wish = {source->from.items, source->from.count, source->reference, source->machine};
    int code = orr_selection_make(out, &wish, what);
    if (code)
        return code;
    if (out->ledger.damaged)
        fprintf(stderr, "orrery: warning: %zu damaged line%s in the journals skipped\n", out->ledger.damaged,
                out->ledger.damaged == 1 ? "" : "s");
    if (!out->ledger.journals)
        fprintf(stderr, "orrery: warning: no journals here; `orrery run` makes them, -r names others, --reference takes"
                        " those that come with Orrery\n");
    return 0;
}
