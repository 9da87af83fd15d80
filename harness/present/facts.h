/* Where numbers come from: the facts that let a table stand alone. */
#ifndef ORR_FACTS_H
#define ORR_FACTS_H

#include "ledger/ledger.h"
#include "present/document.h"

/* Adds machine, devices, drivers, toolkits, builds of Orrery, dates and runs of the cells with
 * these keys, each name with `lead` in front. 0 or a negative code. */
int orr_facts_add(struct orr_document *document, const struct orr_ledger *ledger, const char *lead,
                  const long long *keys, size_t count);
/* The distinct compiler flags of their variants, joined by "; ", "" where there is no host code.
 * The caller frees *out, which is NULL or partial on failure. */
int orr_facts_flags(char **out, const struct orr_ledger *ledger, const long long *keys,
                    size_t count);

#endif
