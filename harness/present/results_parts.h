/* What the files of the results share; nobody else includes it. */
#ifndef ORR_RESULTS_PARTS_H
#define ORR_RESULTS_PARTS_H

#include "present/results.h"

/* Parses the parameters; fills in `order` and `faithful`, by which results are sorted. */
void orr_results_place(struct orr_results *results, const struct orr_scope *scope);
void orr_results_sort(struct orr_results *results, const struct orr_scope *scope);

#endif
