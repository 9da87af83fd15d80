/* Software-defined events of PAPI (libsde, loaded at run time): what a variant says of its work and
 * what its counting build counts, as counters "sde:::orrery::NAME" of this process that any reader
 * of PAPI sees. They only grow. */
#ifndef ORR_SDE_H
#define ORR_SDE_H

#include <jansson.h>

#include "measure/counter_source.h"

/* Before PAPI starts (papi.h does it). 0, or ORR_EUNSUPPORTED with the reason. */
int orr_sde_load(void);
/* 0 when events made here can be read through PAPI; else ORR_EUNSUPPORTED with reason and remedy.
 */
int orr_sde_try(void);
/* Counts what is in `counted` {name: number}: each event grows by its number
 * while a set of PAPI's counts them. What was read back is {source, groups, values}, values by
 * `counted`'s names, or {source, groups, reason}. NULL on no memory. */
json_t *orr_sde_count(const json_t *counted);

/* The source "sde", whose numbers the referee counts. */
extern const struct orr_counter_source orr_sde_source;

#endif
