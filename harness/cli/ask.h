/* What `eval` and `render` ask of a worker that runs a variant, and what becomes of its answer. */
#ifndef ORR_CLI_ASK_H
#define ORR_CLI_ASK_H

#include "cli/worker_session.h"
#include "cli/options.h"

/* A request with `ask`, `variant`, `device` (NULL: the best that fits), `settings` from NAME=VALUE
 * words, and `bound`, the loosest of the paper's experiments that the variant takes part in. *out
 * is NULL on failure. ORR_EUSAGE. */
int orr_ask_make(json_t **out, const char *ask, const char *variant, const char *device,
                 const struct orr_words *set);
/* What orr_child_ask gave: 0 with the answer's own members left in it, 0 also after a signal; or
 * the recorded error. */
int orr_ask_hear(struct orr_attend *attend, enum orr_heard heard, json_t *answer, double timeout_s);

#endif
