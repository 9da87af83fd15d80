/* SPDX-License-Identifier: MIT */
#include "variants/common/device_columns.h"

#include "variants/common/host_bodies.h"

struct column {
    const double *from;
    int threads;
};

static int device_columns_convert(void *context, void *memory, size_t first, size_t bytes)
{
    const struct column *c = context;

    host_bodies_convert(memory, c->from + first / sizeof(float), bytes / sizeof(float), c->threads);
    return ORR_OK;
}

int device_column_upload(struct orr_job *job, struct orr_buffer *to, const double *from)
{
    struct column column = {from, host_bodies_threads_for(job, HOST_BODIES_A_THREAD)};

    return orr_send(job->device, to, job->bodies->n * sizeof(float), device_columns_convert,
                    &column);
}

int device_columns_download(struct orr_job *job, float *const to[3],
                            struct orr_buffer *const from[2])
{
    const size_t n = job->bodies->n;
    int code = orr_download(job->device, to[0], from[0], n * sizeof(float));

#pragma omp parallel for simd schedule(static) \
    num_threads(host_bodies_threads_for(job, HOST_BODIES_A_THREAD))
    for (size_t i = 0; i < n; i++)
        to[2][i] = 0.0f;
    return code ? code : orr_download(job->device, to[1], from[1], n * sizeof(float));
}
