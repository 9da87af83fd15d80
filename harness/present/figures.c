#include "present/figures.h"

int orr_figure_of(double *out, const struct orr_scope *scope, const struct orr_result *result,
                  const char *name)
{
    int code = orr_ledger_numbers(out, 1, scope->ledger,
                                  "SELECT value FROM figure WHERE cell_key = ? AND name = ?", "is",
                                  result->key, name);
    return code < 0 ? code : 0;
}
