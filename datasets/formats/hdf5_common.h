/* SPDX-License-Identifier: MIT */
/* What reading and writing HDF5 share. Only where the build has the library (ORR_HAVE_HDF5). */
#ifndef ORR_HDF5_COMMON_H
#define ORR_HDF5_COMMON_H

#include <hdf5.h>

#include "datasets/formats/codec.h"

enum { ORR_HDF5_SLAB = 1 << 16 }; /* rows moved at a time */

/* An object of the library that is closed at the end of its scope. */
#define ORR_HID __attribute__((cleanup(orr_hdf5_release))) hid_t
static inline void orr_hdf5_release(const hid_t *id)
{
    if (*id > 0)
        H5Idec_ref(*id);
}

/* Before any other call: the library neither prints its error stack nor tidies up at exit, where
 * after a full disk it would try the same writes again and complain on stderr. */
void orr_hdf5_quiet(void);
/* The innermost reason on the library's error stack, in words ("No space left on device" where
 * there was an errno). */
const char *orr_hdf5_reason(void);
/* Before a snapshot is read, while nothing is open. A lock says that no other program writes the
 * file now; where there is none (NFS, Lustre), the library is begun anew without. It must know that
 * for all of the process: sources of virtual data sets that it cannot lock it reads as zeros. */
void orr_hdf5_begin_reading(const char *path);
/* Negative with ORR_EINPUT recorded. */
hid_t orr_hdf5_open(const char *path);
/* Access to a file that no other program knows of, which needs no lock. */
hid_t orr_hdf5_own_access(void);

int orr_hdf5_read(struct orr_bodies *out, const char *path);
int orr_hdf5_write(struct orr_bodies *bodies, struct orr_output *to);

/* Reads 1 to `most` values of an attribute as `type`. How many, 0 when it is not there, or
 * ORR_EINPUT. */
int orr_hdf5_attribute(hid_t file, const char *path, const char *group, const char *name,
                       hid_t type, hssize_t most, void *out);

/* What snapshots say of themselves. NAN: nothing. */
enum orr_hdf5_fact {
    ORR_FACT_TIME,
    ORR_FACT_REDSHIFT,
    ORR_FACT_SCALE_FACTOR,
    ORR_FACT_COMOVING, /* 1: lengths are comoving; 0: the run was not cosmological */
    ORR_FACT_OMEGA,    /* of matter */
    ORR_FACT_HUBBLE,
    ORR_FACT_PERIODIC, /* 0: the box is a domain, which does not repeat */
    ORR_FACT_BOX,      /* longest edge */
    ORR_FACT_LENGTH,   /* units, in cm, g, s and cm/s */
    ORR_FACT_MASS,
    ORR_FACT_TIME_UNIT,
    ORR_FACT_VELOCITY, /* from the two others where no place has it */
    ORR_FACT_GRAVITY,  /* in these units */
    ORR_FACTS
};
extern const char *const orr_hdf5_facts[ORR_FACTS]; /* their names in messages */
void orr_hdf5_read_facts(hid_t file, double facts[ORR_FACTS]);
/* G and the scale factor that follow from the facts; 0 where none does. */
double orr_hdf5_gravity(const double facts[ORR_FACTS]);
double orr_hdf5_expansion(const double facts[ORR_FACTS]);
/* The softening length that the file names for a particle type, as a Plummer sphere's and comoving
 * where the snapshot is at `expansion`, not 0; NAN: it names none. */
double orr_hdf5_softening(hid_t file, int type, double expansion);

/* Opens a data set that is there as a whole, for what is missing of it the library would read zeros
 * without a word: the sources of a virtual one, chunks that were never written, external files.
 * Negative with ORR_EINPUT recorded, naming `path` and `name`, otherwise. */
hid_t orr_hdf5_open_whole(hid_t file, const char *path, const char *name);
/* After a failed read: names the filter of `set` that the library lacks, or the library's reason.
 * ORR_EINPUT. */
int orr_hdf5_read_failed(hid_t set);

#endif
