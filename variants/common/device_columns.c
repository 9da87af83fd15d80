/* SPDX-License-Identifier: MIT */
#include "variants/common/device_columns.h"

int device_column_upload(struct orr_job *job, struct orr_buffer *to, const double *from)
{
    const size_t n = job->bodies->n;

    return orr_upload_columns(
        job->device, to,
        &(struct orr_columns){.column = {from}, .width = 1, .rows = n, .total = n});
}

int device_columns_download(struct orr_job *job, float *const to[3],
                            struct orr_buffer *const from[2])
{
    const size_t n = job->bodies->n;
    int code = orr_download(job->device, to[0], from[0], n * sizeof(float));

    return code ? code : orr_download(job->device, to[1], from[1], n * sizeof(float));
}
