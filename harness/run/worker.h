/* The worker: a separate process that opens devices and runs variants (channel.h). */
#ifndef ORR_WORKER_H
#define ORR_WORKER_H

#include "run/channel.h"
#include "run/worker_cache.h"
#include "run/cell_run.h"

/* Serves requests on standard input, a socket, until told to quit, the other side is gone or a
 * device is lost. Returns an exit code. */
int orr_worker_serve(void);

/* One request each. The answer, or NULL with the error recorded. */
json_t *orr_worker_cell(struct orr_worker_cache *cache, json_t *request,
                        struct orr_channel *channel);
json_t *orr_worker_eval(struct orr_worker_cache *cache, json_t *request);
json_t *orr_worker_frames(struct orr_worker_cache *cache, json_t *request,
                          struct orr_channel *channel);
/* A device info as the journal has it, and back. */
json_t *orr_worker_device_to_json(const struct orr_device_info *info);
void orr_worker_device_from_json(struct orr_device_info *out, json_t *object);
/* ORR_EUSAGE when the data set has more dimensions than the variant takes. */
int orr_worker_check_dimensions(const struct orr_variant *variant,
                                const struct orr_cached_set *set);
/* ORR_EINPUT when two bodies coincide and nothing softens their force; an eps whose square vanishes
 * in single precision softens nothing. */
int orr_worker_check_softening(struct orr_cached_set *set, double eps);

/* A member that is text; "" without it. */
const char *orr_worker_request_text(json_t *request, const char *name);
/* `settings` {name: value}. ORR_EUSAGE when there are too many. */
int orr_worker_request_settings(struct orr_setting out[ORR_MAX_SETTINGS], int *count,
                                json_t *request);
/* `variant` and `device` ("": the best that the variant runs on) go into the run, which has its
 * cache. */
int orr_worker_request_variant(struct orr_cell_run *run, json_t *request);

#endif
