#include "device.h"

#include <stdlib.h>
#include <string.h>

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
    s->staging = malloc((s->boxes.n + 1) * BODY);
    if (!s->staging)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu bodies", s->boxes.n);
    if ((code = orr_alloc(job->device, &s->body, s->boxes.n * BODY)) ||
        (code = orr_alloc(job->device, &s->start, start_bytes(&s->boxes))) ||
        (code = orr_alloc(job->device, &s->list, list_bytes(&s->boxes))))
        return code;
    return orr_alloc(job->device, &s->acc, s->boxes.n * ACC);
}

int shan_device_upload(struct orr_job *job)
{
    struct shan_device *s = job->state;
    const struct orr_bodies *b = job->bodies;
    int code;

    for (size_t k = 0; k < s->boxes.n; k++) {
        const size_t i = s->boxes.order[k];

        s->staging[4 * k] = (float)b->pos[0][i];
        s->staging[4 * k + 1] = (float)b->pos[1][i];
        s->staging[4 * k + 2] = (float)b->mass[i];
        s->staging[4 * k + 3] = 0.0f;
    }
    if ((code = orr_upload(job->device, s->body, s->staging, s->boxes.n * BODY)) ||
        (code = orr_upload(job->device, s->start, s->boxes.start, start_bytes(&s->boxes))))
        return code;
    return orr_upload(job->device, s->list, s->boxes.list, list_bytes(&s->boxes));
}

int shan_device_fetch(struct orr_job *job, struct orr_forces *out)
{
    struct shan_device *s = job->state;
    int code = orr_download(job->device, s->staging, s->acc, s->boxes.n * ACC);

    out->has_phi = 0;
    if (code)
        return code;
    for (size_t k = 0; k < s->boxes.n; k++) {
        const size_t i = s->boxes.order[k];

        out->acc[0][i] = s->staging[2 * k];
        out->acc[1][i] = s->staging[2 * k + 1];
        out->acc[2][i] = 0.0f;
    }
    return ORR_OK;
}

void shan_device_release(struct orr_job *job)
{
    struct shan_device *s = job->state;

    orr_free(job->device, s->body);
    orr_free(job->device, s->start);
    orr_free(job->device, s->list);
    orr_free(job->device, s->acc);
    free(s->staging);
    shan_boxes_release(&s->boxes);
    memset(s, 0, sizeof *s);
}
