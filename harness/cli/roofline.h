/* `orrery plot roofline ...` and `orrery table roofline ...`. */
#ifndef ORR_CLI_ROOFLINE_H
#define ORR_CLI_ROOFLINE_H

#include "cli/table_io.h"

struct orr_format;
/* The papers and experiments `what`, or every paper without any. */
int orr_cli_roofline_plot(const struct orr_result_source *source, const struct orr_words *what,
                          const char *path);
int orr_cli_roofline_table(const struct orr_result_source *source, const struct orr_words *what,
                           const struct orr_format *format, const char *path);
/* The words behind "roofline"; false where the first one is another. */
bool orr_cli_is_roofline(struct orr_words *out, const struct orr_words *words);

#endif
