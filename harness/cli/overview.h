/* What is shown of a whole paper or of some of its experiments, on all devices at once: `orrery
 * plot|table roofline ...`, `orrery plot|table generations ...`. */
#ifndef ORR_CLI_OVERVIEW_H
#define ORR_CLI_OVERVIEW_H

#include "cli/table_io.h"

struct orr_format;
struct orr_overview;
/* The one that the first word names, with the words behind it; NULL where there is none. */
const struct orr_overview *orr_overview_find(struct orr_words *behind,
                                             const struct orr_words *words);
/* Whether several --machine are taken. */
bool orr_overview_takes_several(const struct orr_overview *overview);
/* ORR_EUSAGE: it knows no --quantity. */
int orr_overview_no_quantity(const struct orr_overview *overview);
/* The papers and experiments `what`, or every paper without any. */
int orr_overview_plot(const struct orr_overview *overview, const struct orr_result_source *source,
                      const struct orr_words *what, const char *path);
int orr_overview_table(const struct orr_overview *overview, const struct orr_result_source *source,
                       const struct orr_words *what, const struct orr_format *format,
                       const char *path);

#endif
