/* Runs work that may crash or hang (foreign constructors, device drivers) in a forked child. */
#ifndef ORR_FORKED_PROBE_H
#define ORR_FORKED_PROBE_H

#include <jansson.h>

/* Runs work(&result, context) in a child whose output is thrown away, and hands its JSON over. The
 * child's own error comes back as it is; a crash, or more than `seconds`, is ORR_EINTERNAL
 * "crashed: Segmentation fault". The caller adds the context. */
int orr_forked_probe(json_t **out, int (*work)(json_t **out, void *context), void *context,
                     unsigned seconds);

#endif
