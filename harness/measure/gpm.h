/* The witness of a GPU's counters that asks for no permission: NVML's performance monitoring, means
 * over a window of steps. */
#ifndef ORR_GPM_H
#define ORR_GPM_H

#include "measure/counter_source.h"

/* Shorter windows give what was before them: values are renewed every few hundred milliseconds. */
#define ORR_GPM_WINDOW_S 0.5

struct orr_gpm;

/* 0, or ORR_EUNSUPPORTED with the reason: what a window of this device would find. */
int orr_gpm_try(const struct orr_device_info *info);
/* A window begins; *out NULL on no memory. Why there is nothing to sample, the end says. */
void orr_gpm_begin(struct orr_gpm **out, const struct orr_device_info *info);
/* Ends it and frees: {source, groups, values, raw} or {source, groups, reason}; `values` are shares
 * of 1 and bytes a second, `raw` NVML's own numbers and the window's seconds. NULL for NULL and on
 * no memory. */
json_t *orr_gpm_end(struct orr_gpm *gpm);

/* Calls `each` for every value: its name, its group, NVML's name and what it is. */
int orr_gpm_list(int (*each)(const char *const words[4], void *context), void *context);

/* The source "gpm": the window of the cell's energy is its own, so it counts no step. */
extern const struct orr_counter_source orr_gpm_source;

#endif
