/* SPDX-License-Identifier: MIT */
/* What a format gives to format.c. */
#ifndef ORR_CODEC_H
#define ORR_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/bodies.h"
#include "datasets/formats/format.h"
#include "datasets/formats/output.h"

/* The start of a file, from which its format is known. */
struct orr_head {
    unsigned char bytes[4096];
    size_t used;
    uint64_t size; /* of the whole file */
};

struct orr_codec {
    const char *name;
    const char *endings[3]; /* ".hdf5", ".h5"; the format is chosen by these when writing */
    bool (*recognise)(
        const struct orr_head *head); /* NULL: another format reads what this one writes */
    /* `out` is zeroed before and may be left half made on failure; messages name the path. Values
     * are checked after. */
    int (*read)(struct orr_bodies *out, const char *path);
    int (*write)(struct orr_bodies *bodies, struct orr_output *to); /* notes what it leaves out */
    const char *loses; /* of bodies from HDF5; NULL: the writer says it */
};

extern const struct orr_codec orr_codec_hdf5, orr_codec_tipsy, orr_codec_tipsy_native,
    orr_codec_csv;

/* Columns of floats, for orr_forces_write: `count` arrays of n with their names. */
struct orr_table {
    int count;
    const char *names[4];
    const float *values[4];
    size_t n;
    const unsigned char *types; /* beside them, n each; NULL: neither */
    const uint64_t *ids;
    bool signed_ids;
    const struct orr_forces_words *words; /* NULL: none */
};
/* ORR_EUNSUPPORTED, naming `path`, in a build without HDF5. */
int orr_hdf5_check(const char *path);
int orr_hdf5_write_table(const struct orr_table *table, struct orr_output *to);
int orr_csv_write_table(const struct orr_table *table, struct orr_output *to);

#endif
