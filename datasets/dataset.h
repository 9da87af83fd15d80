/* SPDX-License-Identifier: MIT */
/* Data sets: named, deterministic inputs. The same name, n and seed give the same bits on every
 * machine. */
#ifndef ORR_DATASET_H
#define ORR_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/bodies.h"

/* Fills `bodies`, already made with n bodies and zeroed; `level` is of boxed sets. Uses only + - *
 * / sqrt. */
typedef void orr_generator(struct orr_bodies *bodies, int level, uint64_t seed);
extern orr_generator orr_dataset_random_3d, orr_dataset_figure_eight_3, orr_dataset_figure_eight_4,
    orr_dataset_cartwheel, orr_dataset_plummer, orr_dataset_milky_way,
    orr_dataset_milky_way_numbers, orr_dataset_merger, orr_dataset_uniform_2d,
    orr_dataset_uniform_boxes;

struct orr_dataset {
    const char *name;
    const char *summary; /* one line: what it is, whose recipe, what is a reconstruction */
    int dimensions;      /* 2 or 3 */
    size_t default_n;    /* published size */
    size_t min_n, max_n; /* inclusive range of n */
    size_t multiple; /* n must be a multiple of this; 1 when any n will do or where boxes decide */
    bool boxed; /* made of 4^level boxes of equally many bodies: n must be a multiple of 4^level */
    int default_level; /* of a boxed one */
    double eps, dt;    /* published softening and time step */
    orr_generator *generate;
};

/* All data sets; *count receives how many. */
const struct orr_dataset *orr_dataset_all(size_t *count);
/* The data set `name`, or NULL. */
const struct orr_dataset *orr_dataset_get(const char *name);
/* The same with ORR_EUSAGE recorded and the nearest name suggested when there is none. */
const struct orr_dataset *orr_dataset_find(const char *name);
/* Levels are the boxes' of a boxed data set, 0 to ORR_MAX_LEVEL, and -1 of every other.
 * Puts the default level in place of -1; ORR_EUSAGE when out of range or the data set has no boxes.
 */
int orr_dataset_level(const struct orr_dataset *set, int *level);
/* Bodies when no number is given: as many in a box as the published size has. */
size_t orr_dataset_default_n(const struct orr_dataset *set, int level);
/* ORR_EUSAGE, with the nearest number that will do, when the data set cannot have n bodies at this
 * level. */
int orr_dataset_check(const struct orr_dataset *set, size_t n, int level);
/* n = per_box 4^level, checked as above. ORR_EUSAGE when the data set has no boxes. */
int orr_dataset_fill(const struct orr_dataset *set, uint64_t per_box, int level, size_t *n);
/* Makes the bodies: n = 0 means the default. Checks n, rounds to float, sets eps and dt. */
int orr_dataset_make(struct orr_bodies *out, const char *name, size_t n, uint64_t seed);
/* The same for a data set that is made of boxes, at `level`; -1 means its default level, and must
 * be for others. */
int orr_dataset_make_boxes(struct orr_bodies *out, const char *name, size_t n, int level,
                           uint64_t seed);

/* --- datasets/manifest: which bits each data set has. Lines "name n seed sha256"; blank lines and
 * # comments are skipped. --- */
struct orr_manifest_entry {
    char name[64];
    size_t n;
    uint64_t seed;
    char sha256[65]; /* of orr_bodies_sha256 */
};

/* Calls `each` for every entry, in order, until it returns other than 0, which is then returned.
 * ORR_EIO when the file cannot be read, ORR_EINPUT with file and line when it is malformed. */
int orr_manifest_read(const char *path,
                      int (*each)(const struct orr_manifest_entry *entry, void *context),
                      void *context);

#endif
