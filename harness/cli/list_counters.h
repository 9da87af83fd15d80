/* orrery list counters: rows of what can be counted. */
#ifndef ORR_CLI_LIST_COUNTERS_H
#define ORR_CLI_LIST_COUNTERS_H

#include <jansson.h>

/* Rows {name, source, group, metric, what} of every source. With a chip those of CUPTI that it has,
 * and `passes` that each group takes alone; ORR_EUSAGE when libcupti knows no such chip. `note`:
 * why what the list lacks is missing, or "". */
int orr_list_counters(json_t *rows, const char *chip, char *note, size_t size);

#endif
