/* SPDX-License-Identifier: MIT */
/* One number of each body in device memory, in the order of the input: for variants that keep a
 * structure of arrays there. */
#ifndef VARIANTS_COMMON_DEVICE_COLUMNS_H
#define VARIANTS_COMMON_DEVICE_COLUMNS_H

#include "harness/variant.h"

/* The bodies' numbers in single precision. */
int device_column_upload(struct orr_job *job, struct orr_buffer *to, const double *from);

/* Two coordinates of each body. */
int device_columns_download(struct orr_job *job, float *const to[3],
                            struct orr_buffer *const from[2]);

#endif
