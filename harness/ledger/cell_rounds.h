/* The rounds of a cell: its records by several processes, made one by rounds.sql. */
#ifndef ORR_CELL_ROUNDS_H
#define ORR_CELL_ROUNDS_H

#include <jansson.h>

#include "measure/stats_levels.h"

/* The round of a record, from 1; that of journals which have none is 1. */
int orr_cell_rounds_of(const json_t *record);
/* Puts the record (its reference is not taken) into `rounds`, an array in the order of rounds, in
 * the place of an earlier record of the same round. A measured record replaces an extrapolated
 * one. */
void orr_cell_rounds_put(json_t *rounds, json_t *record);
/* A new record like those of `rounds`, which are of one cell: members as members.csv says that they
 * are made of rounds, of its samples the steps of all. Where a round is not ok, that round's
 * record. NULL where SQL fails. */
json_t *orr_cell_rounds_merge(const json_t *rounds);

#endif
