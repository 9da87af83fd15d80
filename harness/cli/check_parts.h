/* What `orrery check` holds records and cells against, besides their own members. */
#ifndef ORR_CHECK_PARTS_H
#define ORR_CHECK_PARTS_H

#include <jansson.h>
#include <stddef.h>

#include "present/selection.h"

/* Adds a line to `list`. */
void orr_check_say(json_t *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Is the record's id that of what it names, and of no other record in its journal? `known`, an
 * object that is empty before each journal, keeps what was seen. */
void orr_check_id(json_t *faults, json_t *known, const json_t *record, const char *path,
                  size_t line);
/* Holds the `ok` cells of all journals to what their run applied: its ceiling, devices and dates,
 * and the pairs and bounds that follow from n and paper.yaml. */
int orr_check_cells(json_t *faults, const struct orr_selection *selection);

#endif
