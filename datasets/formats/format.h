/* SPDX-License-Identifier: MIT */
/* Snapshots that users bring or take away: Gadget HDF5, Tipsy in both byte orders, CSV. Every write
 * goes to a temporary name beside the target and is renamed when whole, so a full disk or a kill
 * never leaves half a file. */
#ifndef ORR_FORMAT_H
#define ORR_FORMAT_H

#include <stddef.h>

#include "datasets/bodies.h"

/* Reads a snapshot; the format is known by its content, else by its ending. `out` may hold anything
 * before and is owned by the caller when 0 is returned, zeroed otherwise. At least one body, every
 * value finite, no negative mass. Values stay as the file has them: call orr_bodies_round before
 * handing them to a variant. eps and dt are 0 where the file names none. One message with file and
 * place for every malformed input. */
int orr_snapshot_read(struct orr_bodies *out, const char *path);

/* Writes a snapshot. `format` is the name of one, or NULL to go by the ending (.hdf5 .h5 .tipsy
 * .csv). ORR_EUSAGE on an unknown format or ending, ORR_EIO with path and reason when it cannot be
 * written. What the file has no place for is added to the notes of the bodies. */
int orr_snapshot_write(struct orr_bodies *bodies, const char *path, const char *format);

/* What results are, in words: an attribute `sum` in HDF5. Of a part of all pairs the words also end
 * a CSV file, behind a #. */
struct orr_forces_words {
    const char *sum;
    int is_part;
};
/* Writes accelerations (`dimensions` arrays) of `bodies` and the potential (NULL when there is
 * none) as CSV or HDF5 by the ending: one row a body in their order, columns ax,ay[,az][,phi], and
 * where that is by type also type[,ParticleIDs]; in HDF5 one data set a column, so named. */
int orr_forces_write(const float *const acc[3], const float *phi, const struct orr_bodies *bodies,
                     int dimensions, const struct orr_forces_words *words, const char *path);
/* ORR_EUSAGE when orr_forces_write would not know the ending of `path`: to be asked before a long
 * computation. */
int orr_forces_check_path(const char *path);

#endif
