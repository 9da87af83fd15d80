/* Bodies in device memory, for the variants whose forces are a kernel. */
#ifndef FUJI_DEVICE_H
#define FUJI_DEVICE_H

#include "fujiwara.h"
#include "variants/common/device_bodies.h"

/* For job->state that begins with a struct device_bodies; device_bodies.h has the other members of
 * the plugin contract. */
int fuji_device_prepare(struct orr_job *job, size_t padded);

#endif
