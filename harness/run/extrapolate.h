/* Cells too long to run: their time is scaled from a measured cell of the same variant by the
 * number of interactions.
 */
#ifndef ORR_EXTRAPOLATE_H
#define ORR_EXTRAPOLATE_H

#include <jansson.h>

#include "plan/cell.h"

/* The record of `cell` from the record of the cell it is extrapolated from (NULL: that one never
 * finished). NULL on no memory. */
json_t *orr_cell_record_extrapolate(const struct orr_cell *cell, json_t *source);

#endif
