/* Bodies to draw: snapshots, and the files beside a journal that hold a position a line. */
#ifndef ORR_BODIES_FILE_H
#define ORR_BODIES_FILE_H

#include <stdbool.h>

#include "datasets/bodies.h"

/* Reads either, told apart by the first line. Bodies of a file without masses have mass 1 and
 * *weighed is false; where all z are 0 they have 2 dimensions. Errors are those of
 * orr_snapshot_read. */
int orr_bodies_file_read(struct orr_bodies *out, bool *weighed, const char *path);

#endif
