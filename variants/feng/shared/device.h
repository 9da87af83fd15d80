/* SPDX-License-Identifier: MIT */
/* Bodies in device memory in the order of the input, for the variants whose forces are kernels over
 * float4 bodies. */
#ifndef FENG_DEVICE_H
#define FENG_DEVICE_H

#include "feng.h"
#include "variants/common/device_bodies.h"

/* For job->state that begins with a struct device_bodies; device_bodies.h has the other members of
 * the plugin contract. */
int feng_device_prepare(struct orr_job *job);
/* The same with room for `padded` bodies, PAIR_FAR away beyond the last one; ranks have them all.
 */
int feng_device_prepare_padded(struct orr_job *job, size_t padded);

#endif
