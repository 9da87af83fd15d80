/* What `eval` and `render` send along with the name of a variant. */
#ifndef ORR_WORKER_REQUEST_H
#define ORR_WORKER_REQUEST_H

#include "run/cell_run.h"

/* A member that is text; "" without it. */
const char *orr_worker_request_text(json_t *request, const char *name);
/* `settings` {name: value}. ORR_EUSAGE when there are too many. */
int orr_worker_request_settings(struct orr_setting out[ORR_MAX_SETTINGS], int *count,
                                json_t *request);
/* `variant`, `device` ("": the best that the variant runs on) and `bound` {median, p99, max} go
 * into the run, which has its cache. */
int orr_worker_request_variant(struct orr_cell_run *run, json_t *request);

#endif
