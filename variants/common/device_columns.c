/* SPDX-License-Identifier: MIT */
#include "variants/common/device_columns.h"

#include <string.h>

static int device_columns_convert(void *context, void *memory, size_t first, size_t bytes)
{
    const double *const from = *(const double *const *)context + first / sizeof(float);
    float *const to = memory;

    for (size_t i = 0; i < bytes / sizeof(float); i++)
        to[i] = (float)from[i];
    return ORR_OK;
}

int device_column_upload(struct orr_job *job, struct orr_buffer *to, const double *from)
{
    return orr_send_parts(job->device, to, job->bodies->n * sizeof(float), device_columns_convert,
                          &from);
}

static int device_columns_take(void *context, void *memory, size_t first, size_t bytes)
{
    float *const *const to = context;

    memcpy(to[0] + first / sizeof(float), memory, bytes);
    memset(to[2] + first / sizeof(float), 0, bytes);
    return ORR_OK;
}

int device_columns_download(struct orr_job *job, float *to[3], struct orr_buffer *const from[2])
{
    const size_t bytes = job->bodies->n * sizeof(float);
    int code = orr_receive_parts(job->device, from[0], bytes, device_columns_take, to);

    return code ? code : orr_download(job->device, to[1], from[1], bytes);
}
