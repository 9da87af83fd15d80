/* From the papers' own cards to the devices measured here: each speedup taken apart into factors
 * that multiply to it, by what is published of the cards and measured of the devices, and whether
 * the order of the programs is kept (generations.sql; docs/METHOD.md, "Generations"). */
#ifndef ORR_GENERATIONS_H
#define ORR_GENERATIONS_H

#include "present/layout.h"

extern const struct orr_layout_overview orr_generations;

#endif
