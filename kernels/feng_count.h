/* SPDX-License-Identifier: MIT */
/* What the counting builds of the feng kernels count (count.h). Local memory is counted for cells
 * that act; stacks and votes in it are not. */
#ifndef FENG_COUNT_H
#define FENG_COUNT_H

/* Procedures, by the report's names of its kernels. */
enum feng_procedure {
    FENG_COUNT_FORCES,
    FENG_COUNT_BUILD,
    FENG_COUNT_SUMMARIZE,
    FENG_COUNT_SORT
};

#endif
