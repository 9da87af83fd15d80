/* Runs work that may crash or hang (foreign constructors, device drivers) in a forked child. */
#ifndef ORR_FORKED_PROBE_H
#define ORR_FORKED_PROBE_H

#include <jansson.h>

/* Runs work(&result, context) in a child whose output is thrown away, and hands its JSON over. The
 * child's own error comes back as it is; a crash is ORR_EINTERNAL "crashed: Segmentation fault",
 * more than `seconds` ORR_ETIMEOUT. A signal that waits because it is blocked here ends it with
 * ORR_EINTERRUPTED. Nothing that the child started is left. The caller adds the context. */
int orr_forked_probe(json_t **out, int (*work)(json_t **out, void *context), void *context,
                     double seconds);
/* Seconds that a plugin or driver may take to load: ORRERY_LOAD_SECONDS, or else `otherwise`. */
double orr_forked_probe_limit(double otherwise);

#endif
