#include "device.h"

#include <string.h>

#include "variants/common/host_bodies.h"

enum { BODY = 4 * sizeof(float), ACC = 2 * sizeof(float) };

static size_t start_bytes(const struct shan_boxes *boxes)
{
    return ((size_t)boxes->count + 1) * sizeof *boxes->start;
}

static size_t list_bytes(const struct shan_boxes *boxes)
{
    return (size_t)boxes->count * boxes->stride * sizeof *boxes->list;
}

int shan_device_prepare(struct orr_job *job, enum shan_list list)
{
    struct shan_device *s = job->state;
    int code = shan_boxes_make(&s->boxes, job, list);

    if (code)
        return code;
    if ((code = orr_alloc(job->device, &s->body, s->boxes.n * BODY)) ||
        (code = orr_alloc(job->device, &s->start, start_bytes(&s->boxes))) ||
        (code = orr_alloc(job->device, &s->list, list_bytes(&s->boxes))))
        return code;
    return orr_alloc(job->device, &s->acc, s->boxes.n * ACC);
}

/* Between the order of the input and the Z-order. */
struct reordering {
    const uint32_t *order;
    int threads;
    const struct orr_bodies *from;
    float *const *to;
};

static int gather(void *context, void *memory, size_t first, size_t bytes)
{
    const struct reordering *r = context;
    const struct orr_bodies *b = r->from;
    const uint32_t *order = r->order + first / BODY;
    float *const to = memory;

#pragma omp parallel for schedule(static) num_threads(r->threads) if (r->threads > 1)
    for (size_t k = 0; k < bytes / BODY; k++) {
        const size_t i = order[k];

        to[4 * k] = (float)b->pos[0][i];
        to[4 * k + 1] = (float)b->pos[1][i];
        to[4 * k + 2] = (float)b->mass[i];
        to[4 * k + 3] = 0.0f;
    }
    return ORR_OK;
}

static int scatter(void *context, void *memory, size_t first, size_t bytes)
{
    const struct reordering *r = context;
    const uint32_t *order = r->order + first / ACC;
    const float *const from = memory;

#pragma omp parallel for schedule(static) num_threads(r->threads) if (r->threads > 1)
    for (size_t k = 0; k < bytes / ACC; k++) {
        const size_t i = order[k];

        r->to[0][i] = from[2 * k];
        r->to[1][i] = from[2 * k + 1];
        r->to[2][i] = 0.0f;
    }
    return ORR_OK;
}

int shan_device_upload(struct orr_job *job)
{
    const struct shan_device *s = job->state;
    struct reordering r = {.order = s->boxes.order,
                           .threads = host_bodies_threads_for(job, HOST_BODIES_A_THREAD),
                           .from = job->bodies};
    int code = orr_send(job->device, s->body, s->boxes.n * BODY, gather, &r);

    if (code || (code = orr_upload(job->device, s->start, s->boxes.start, start_bytes(&s->boxes))))
        return code;
    return orr_upload(job->device, s->list, s->boxes.list, list_bytes(&s->boxes));
}

int shan_device_fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct shan_device *s = job->state;
    struct reordering r = {.order = s->boxes.order,
                           .threads = host_bodies_threads_for(job, HOST_BODIES_A_THREAD),
                           .to = out->acc};

    out->has_phi = 0;
    return orr_receive(job->device, s->acc, s->boxes.n * ACC, scatter, &r);
}

void shan_device_release(struct orr_job *job)
{
    struct shan_device *s = job->state;

    orr_free(job->device, s->body);
    orr_free(job->device, s->start);
    orr_free(job->device, s->list);
    orr_free(job->device, s->acc);
    shan_boxes_release(&s->boxes);
    memset(s, 0, sizeof *s);
}
