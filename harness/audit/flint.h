/* SPDX-License-Identifier: MIT */
/* FLINT as the program sees it: a table that build/liborrery_flint.so exports as `orr_flint`. Only
 * an audit loads it, so that nothing else waits for FLINT to start. */
#ifndef ORR_AUDIT_FLINT_H
#define ORR_AUDIT_FLINT_H

#include <stddef.h>

/* Formulas are texts that FLINT reads: "3*N*(P-1)/2", exact polynomials in B, N and P. Results are
 * to be freed; NULL: FLINT does not read a text. */
struct orr_flint {
    size_t size;
    /* Prints in the order and with the brackets that audit.h describes. */
    char *(*print)(const char *formula);
    /* "1/2" where f = 1/2 x g, "" where no number does that. */
    char *(*ratio)(const char *f, const char *g);
};

#endif
