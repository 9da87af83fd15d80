/* JSON arrays of objects as aligned text, for `list` and `describe`. */
#ifndef ORR_CLI_TEXT_TABLE_H
#define ORR_CLI_TEXT_TABLE_H

#include <jansson.h>
#include <stdio.h>

/* One member of each object; the last column is not padded. Arrays are joined with commas, numbers
 * and texts printed. */
struct orr_text_column {
    const char *member, *heading;
};

/* `columns` ends with a NULL member. Every line begins with `indent` blanks. */
void orr_text_table_print(FILE *to, json_t *rows, const struct orr_text_column *columns,
                          int indent);
/* One value as text into `out`; "" for null. */
char *orr_text_table_value(char *out, size_t size, const json_t *value);
/* The whole value on stdout, indented; takes the reference. Returns an exit code. */
int orr_text_table_json(json_t *value);

#endif
