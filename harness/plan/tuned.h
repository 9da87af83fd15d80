/* Settings that `orrery tune` found: <results>/<machine>/tuned.json, one entry for each variant,
 * device and input, the last one that was found. `orrery run --tuned` uses them. */
#ifndef ORR_TUNED_H
#define ORR_TUNED_H

#include <jansson.h>

#include "device/device.h"
#include "plan/cell.h"
#include "variant.h"

/* The members of a journal's record `tuned` that an entry keeps, and `run`, its name. */

/* <folder>/tuned.json */
void orr_tuned_path(char *out, size_t size, const char *folder);
/* The entries, a new reference; none where there is no file. ORR_EINPUT for one that is malformed.
 */
int orr_tuned_read(json_t **out, const char *path);
/* Puts the record into the file, in the place of an entry of the same work. 1; 0 where a search
 * that its budget ended found no gain, and an entry of the same build has one: that stands.
 * ORR_EIO. */
int orr_tuned_keep(const char *path, const json_t *record, const char *run);

/* Where a cell is to be run. */
struct orr_tuned_place {
    const struct orr_variant *variant;
    const struct orr_device_info *device;
    const char *plugin_sha256;
};
/* Gives the cell the settings of the entry that fits: found by the same build of the variant on the
 * same device and driver, for the same data set and parameters (softening and time steps may
 * differ) at n of half to twice the cell's, the nearest. One whose own settings differ from those
 * found keeps all of them. `cell->tuning` says so; the object is appended to the array `keep`,
 * which owns it. Where the tuner found nothing better than the default the cell stays as it is. 1;
 * 0 where no entry fits; negative on failure. */
int orr_tuned_apply(struct orr_cell *cell, const json_t *entries,
                    const struct orr_tuned_place *place, json_t *keep);

#endif
