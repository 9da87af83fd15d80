/* A data set as one JSON object, for `dataset list` and `describe`. */
#ifndef ORR_CLI_DATASET_ROW_H
#define ORR_CLI_DATASET_ROW_H

#include <jansson.h>

#include "datasets/dataset.h"

/* NULL on no memory. `multiple` is null for one that is made of boxes, `default_level` for every
 * other. */
json_t *orr_dataset_row(const struct orr_dataset *set);

#endif
