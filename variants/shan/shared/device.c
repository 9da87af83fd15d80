/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/shan_order.h"
#include "variants/common/device_columns.h"

enum { BODY = 4 * sizeof(float), ACC = 2 * sizeof(float), ORDER_BLOCK = 64 };
static const uint32_t NOT_A_NUMBER = 0x7fc00000;

static size_t start_bytes(const struct shan_boxes *boxes)
{
    return ((size_t)boxes->count + 1) * sizeof *boxes->start;
}

static size_t list_bytes(const struct shan_boxes *boxes)
{
    return (size_t)boxes->count * boxes->stride * sizeof *boxes->list;
}

/* Of a column, with as many numbers for each rank. */
static size_t column_bytes(const struct orr_job *job)
{
    return orr_ranks_share(job->ranks, job->bodies->n) * (size_t)orr_ranks_size(job->ranks) *
           sizeof(float);
}

static size_t own_bodies(const struct shan_device *s)
{
    return s->halo.last - s->halo.first;
}

int shan_device_prepare(struct orr_job *job, enum shan_list list)
{
    static const struct orr_source source = {"shan_order", kernel_shan_order};
    struct shan_device *s = job->state;
    char defines[32];
    int code = shan_boxes_make(&s->boxes, job, list);

    snprintf(defines, sizeof defines, "-DBLOCK=%d", ORDER_BLOCK);
    if (!code)
        code = shan_halo_make(job, &s->halo, &s->boxes);
    if (code)
        return code;
    if ((code = orr_alloc(job->device, &s->body, s->boxes.n * BODY)) ||
        (code = orr_alloc(job->device, &s->start, start_bytes(&s->boxes))) ||
        (code = orr_alloc(job->device, &s->list, list_bytes(&s->boxes))))
        return code;
    if ((code = orr_alloc(job->device, &s->acc, s->boxes.n * ACC)) ||
        (code = orr_alloc(job->device, &s->order, own_bodies(s) * sizeof(uint32_t))))
        return code;
    for (int c = 0; c < 3 && !code; c++)
        code = orr_alloc(job->device, &s->column[c], column_bytes(job));
    if (!code && orr_ranks_size(job->ranks) > 1)
        code = orr_alloc(job->device, &s->home,
                         orr_ranks_share(job->ranks, job->bodies->n) * sizeof(float));
    return code ? code : orr_build(job->device, &s->orders, &source, defines);
}

/* Queues a kernel of shan_order.cl and waits, so that the stage is as long as its work. */
static int reorder(struct orr_job *job, const char *kernel, const struct orr_arg *args, int count,
                   size_t bodies)
{
    const struct shan_device *s = job->state;
    const struct orr_launch launch = {.kernel = kernel,
                                      .groups = {(bodies + ORDER_BLOCK - 1) / ORDER_BLOCK},
                                      .group = {ORDER_BLOCK},
                                      .args = args,
                                      .arg_count = count};
    int code;

    orr_stage(job, "order");
    code = orr_launch(job->device, s->orders, &launch);
    if (!code)
        code = orr_sync(job->device);
    orr_stage(job, NULL);
    return code;
}

/* Each rank uploads its share, for a link of the machine is slower than those between devices. */
static int upload_column(struct orr_job *job, struct orr_buffer *to, const double *from)
{
    const size_t n = job->bodies->n;
    const struct orr_ranks_items own = orr_ranks_items(job->ranks, n);
    const int code =
        orr_upload_columns(job->device, to,
                           &(struct orr_columns){.column = {from + own.first},
                                                 .width = 1,
                                                 .rows = own.count,
                                                 .at = own.first,
                                                 .total = column_bytes(job) / sizeof(float)});

    return code ? code
                : orr_ranks_gather(job->ranks, to, orr_ranks_share(job->ranks, n) * sizeof(float));
}

int shan_device_upload(struct orr_job *job)
{
    const struct shan_device *s = job->state;
    const struct orr_bodies *b = job->bodies;
    const double *const columns[3] = {b->pos[0], b->pos[1], b->mass};
    const struct orr_arg args[] = {ORR_BUF(s->column[0]),
                                   ORR_BUF(s->column[1]),
                                   ORR_BUF(s->column[2]),
                                   ORR_BUF(s->order),
                                   ORR_BUF(s->body),
                                   ORR_I32((int32_t)s->halo.first),
                                   ORR_I32((int32_t)s->halo.last)};
    int code = orr_upload(job->device, s->order, s->boxes.order + s->halo.first,
                          own_bodies(s) * sizeof(uint32_t));

    for (int c = 0; c < 3 && !code; c++)
        code = upload_column(job, s->column[c], columns[c]);
    if (code ||
        (code = orr_upload(job->device, s->start, s->boxes.start, start_bytes(&s->boxes))) ||
        (code = orr_upload(job->device, s->list, s->boxes.list, list_bytes(&s->boxes))))
        return code;
    if (orr_ranks_size(job->ranks) > 1) /* what was not exchanged is no number */
        code = orr_fill(job->device, s->body, NOT_A_NUMBER, s->boxes.n * BODY);
    return code ? code
                : reorder(job, "shan_order", args, sizeof args / sizeof *args, own_bodies(s));
}

int shan_device_exchange(struct orr_job *job)
{
    const struct shan_device *s = job->state;

    return shan_halo_exchange(job, &s->halo, s->body, s->orders);
}

void shan_device_cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct shan_device *s = job->state;

    if (orr_ranks_size(job->ranks) > 1)
        orr_figure(out, ORR_FIGURE_RECEIVED, (double)s->halo.receives * BODY);
}

/* Each rank's own bodies lie anywhere in the input, between those of others: devices add up what
 * each has of a share, so that no host writes single numbers. */
static int fetch_share(struct orr_job *job, struct orr_forces *out)
{
    const struct shan_device *s = job->state;
    const size_t n = job->bodies->n, share = orr_ranks_share(job->ranks, n);
    const struct orr_ranks_items own = orr_ranks_items(job->ranks, n);
    int code = ORR_OK;

    for (int d = 0; d < 2 && !code; d++)
        if (!(code = orr_ranks_reduce(job->ranks, s->column[d], s->home, share)) && own.count)
            code = orr_download(job->device, out->acc[d] + own.first, s->home,
                                own.count * sizeof(float));
    return code;
}

int shan_device_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct shan_device *s = job->state;
    const bool several = orr_ranks_size(job->ranks) > 1;
    const struct orr_arg args[] = {ORR_BUF(s->acc),
                                   ORR_BUF(s->order),
                                   ORR_BUF(s->column[0]),
                                   ORR_BUF(s->column[1]),
                                   ORR_I32((int32_t)s->halo.first),
                                   ORR_I32((int32_t)s->halo.last)};
    int code = ORR_OK;

    out->has_phi = 0;
    for (int d = 0; several && d < 2 && !code; d++)
        code = orr_fill(job->device, s->column[d], 0, column_bytes(job));
    if (!code)
        code = reorder(job, "shan_order_back", args, sizeof args / sizeof *args, own_bodies(s));
    if (code)
        return code;
    return several ? fetch_share(job, out) : device_columns_download(job, out->acc, s->column);
}

void shan_device_release(struct orr_job *job)
{
    struct shan_device *s = job->state;

    orr_free(job->device, s->body);
    orr_free(job->device, s->start);
    orr_free(job->device, s->list);
    orr_free(job->device, s->acc);
    orr_free(job->device, s->order);
    for (int c = 0; c < 3; c++)
        orr_free(job->device, s->column[c]);
    orr_drop(job->device, s->orders);
    orr_free(job->device, s->home);
    shan_halo_release(job, &s->halo);
    shan_boxes_release(&s->boxes);
    memset(s, 0, sizeof *s);
}
