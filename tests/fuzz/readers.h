/* SPDX-License-Identifier: MIT */
/* Every reader of foreign bytes. tests/fuzz/corpus has a folder for each: inputs that lead the
 * fuzzer deep, and those that once did harm. */
#ifndef ORR_FUZZ_READERS_H
#define ORR_FUZZ_READERS_H

#include "read_hdf5.h"
#include "read_shown.h"

static const struct reader readers[] = {
    {"snapshot", read_snapshot},
#ifdef ORR_HAVE_HDF5
    {"hdf5", read_hdf5},
#endif
    {"journal", read_journal},
    {"published", read_published},
    {"formulas", read_formulas},
    {"manifest", read_manifest},
    {"paper", read_paper},
    {"values", read_values},
    {"polynomial", read_polynomial},
    {"messages", read_messages},
    {"claims", read_claims},
    {"tables", read_tables},
    {"points", read_points},
    {"shown", read_shown},
};
enum { READERS = sizeof readers / sizeof *readers };

static inline const struct reader *find_reader(const char *name)
{
    for (size_t k = 0; k < READERS; k++)
        if (name && !strcmp(readers[k].name, name))
            return &readers[k];
    return NULL;
}

/* A failure has one line that says why, and success has none. */
static inline void read_once(const struct reader *reader, const uint8_t *bytes, size_t size)
{
    orr_error_clear();
    reader->read(bytes, size);
    promise(!orr_error_code() == !*orr_error_text());
    promise(!strchr(orr_error_text(), '\n'));
}

#endif
