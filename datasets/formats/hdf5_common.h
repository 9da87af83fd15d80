/* What reading and writing HDF5 share. Only where the build has the library (ORR_HAVE_HDF5). */
#ifndef ORR_HDF5_COMMON_H
#define ORR_HDF5_COMMON_H

#include <hdf5.h>

#include "datasets/formats/codec.h"

enum { ORR_HDF5_SLAB = 1 << 16 }; /* rows moved at a time */

/* Before any other call: the library neither prints its error stack nor tidies up at exit, where
 * after a full disk it would try the same writes again and complain on stderr. */
void orr_hdf5_quiet(void);
/* The innermost reason on the library's error stack, in words ("No space left on device" where
 * there was an errno). */
const char *orr_hdf5_reason(void);

int orr_hdf5_read(struct orr_bodies *out, const char *path);
int orr_hdf5_write(const struct orr_bodies *bodies, struct orr_output *to);

#endif
