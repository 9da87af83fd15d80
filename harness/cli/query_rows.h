/* The rows of a query as JSON objects. */
#ifndef ORR_CLI_QUERY_ROWS_H
#define ORR_CLI_QUERY_ROWS_H

#include <jansson.h>

#include "ledger/ledger.h"

/* Appends an object a row, its members named by the columns; NULL is null, and the text of a column
 * that `json` names, several with blanks between, is read as JSON. Finalises the statement. */
int orr_cli_query_rows(json_t *rows, const struct orr_ledger *ledger, sqlite3_stmt *statement,
                       const char *json);

#endif
