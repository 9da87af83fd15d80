/* Access ceilings of groups and launches, and of memory that moves between host and device. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "measure/access_parts.h"

/* --- groups --- */

static size_t counters(const struct orr_access_meter *access)
{
    return access->groups * ORR_ACCESS_GROUP;
}

static int run_groups(void *context, long loops, double *seconds)
{
    struct orr_access_meter *access = context;
    const size_t words = counters(access);
    const struct orr_arg args[] = {
        ORR_BUF(access->out), ORR_BUF(access->out),    ORR_I32(0), ORR_I32(0),
        ORR_I32(0),           ORR_I32((int32_t)words), ORR_U32(1)};
    const struct orr_launch launch = {.kernel = "access_group",
                                      .groups = {(size_t)loops},
                                      .group = {ORR_ACCESS_LANES},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    struct orr_times times = {0};
    int code = orr_fill(access->device, access->out, 0, words * sizeof(uint32_t));
    if (!code)
        code = orr_span_launch(access->device, access->program, &launch, &times);
    *seconds = times.seconds;
    return code;
}

/* Word w holds one more than a group of which w is the rest. */
static int check_groups(struct orr_access_meter *access, long groups)
{
    const size_t words = counters(access);
    int code = orr_download(access->device, access->results, access->out, words * sizeof(uint32_t));
    for (size_t w = 0; !code && w < words && w < (size_t)groups; w++) {
        const size_t last = (size_t)access->results[w] - 1;
        if (!access->results[w] || last % words != w || last >= (size_t)groups)
            code = orr_fail(ORR_EWRONG, "group %zu has a wrong result (%u)", w,
                            (unsigned)access->results[w]);
    }
    return code;
}

int orr_access_groups(struct orr_access_meter *access, double *rate)
{
    struct orr_span span = orr_access_span(access);
    double seconds = 0;
    span.run = run_groups;
    span.context = access;
    int code = orr_span_shortest(&span, &seconds);
    if (!code)
        code = check_groups(access, span.loops);
    *rate = code ? 0 : (double)span.loops / seconds;
    return code;
}

/* --- launches --- */

static int run_launches(void *context, long loops, double *seconds)
{
    struct orr_access_meter *access = context;
    struct orr_device *device = access->device;
    const struct orr_arg args[] = {
        ORR_BUF(access->out), ORR_BUF(access->out), ORR_I32(0), ORR_I32(0),
        ORR_I32(0),           ORR_I32(0),           ORR_U32(1)};
    const struct orr_launch launch = {.kernel = "access_empty",
                                      .groups = {1},
                                      .group = {ORR_ACCESS_LANES},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    int code = orr_fill(device, access->out, 0, sizeof(uint32_t));
    if (!code)
        code = orr_sync(device);
    const double start = orr_clock_now();
    for (long k = 0; k < loops && !code; k++)
        code = orr_launch(device, access->program, &launch);
    if (!code)
        code = orr_sync(device);
    *seconds = orr_clock_now() - start;
    return code;
}

int orr_access_launch(struct orr_access_meter *access, double *rate)
{
    struct orr_span span = orr_access_span(access);
    uint32_t launched = 0;
    double seconds = 0;
    span.run = run_launches;
    span.context = access;
    int code = orr_span_shortest(&span, &seconds);
    if (!code)
        code = orr_download(access->device, &launched, access->out, sizeof launched);
    if (!code && launched != (uint32_t)span.loops)
        code = orr_fail(ORR_EWRONG, "%u of %ld launches ran", launched, span.loops);
    *rate = code ? 0 : (double)span.loops / seconds;
    return code;
}

/* --- transfers --- */

struct transfer {
    struct orr_access_meter *access;
    struct orr_buffer *buffer;
    unsigned char *memory; /* the host's */
    size_t bytes;
    bool to_device;
};

static int run_transfers(void *context, long loops, double *seconds)
{
    struct transfer *t = context;
    struct orr_device *device = t->access->device;
    int code = orr_sync(device);
    const double start = orr_clock_now();
    for (long k = 0; k < loops && !code; k++)
        code = t->to_device ? orr_upload(device, t->buffer, t->memory, t->bytes)
                            : orr_download(device, t->memory, t->buffer, t->bytes);
    if (!code)
        code = orr_sync(device);
    *seconds = orr_clock_now() - start;
    return code;
}

static unsigned char pattern(size_t k)
{
    return (unsigned char)(k * 2654435761u >> 13);
}

/* What is moved lies at one end; the other is zero. */
static int begin(struct transfer *t)
{
    for (size_t k = 0; k < t->bytes; k++)
        t->memory[k] = pattern(k);
    if (t->to_device)
        return orr_fill(t->access->device, t->buffer, 0, t->bytes);
    int code = orr_upload(t->access->device, t->buffer, t->memory, t->bytes);
    memset(t->memory, 0, t->bytes);
    return code;
}

static int check(struct transfer *t)
{
    int code = 0;
    if (t->to_device) {
        memset(t->memory, 0, t->bytes);
        code = orr_download(t->access->device, t->memory, t->buffer, t->bytes);
    }
    for (size_t k = 0; !code && k < t->bytes; k++)
        if (t->memory[k] != pattern(k))
            code =
                orr_fail(ORR_EWRONG, "byte %zu of %zu is not the one that was sent", k, t->bytes);
    return code;
}

static int measure(struct transfer *t, double *rate)
{
    struct orr_span span = orr_access_span(t->access);
    double seconds = 0;
    span.run = run_transfers;
    span.context = t;
    int code = orr_alloc(t->access->device, &t->buffer, t->bytes);
    if (!code)
        code = begin(t);
    if (!code)
        code = orr_span_shortest(&span, &seconds);
    if (!code)
        code = check(t);
    orr_free(t->access->device, t->buffer);
    *rate = code ? 0 : (double)t->bytes * (double)span.loops / seconds;
    return code;
}

int orr_access_transfer(struct orr_access_meter *access, bool to_device, bool pinned, double *rate)
{
    struct orr_device *device = access->device;
    struct transfer t = {.access = access,
                         .bytes = (size_t)(access->wish.quick ? 4 : 64) << 20,
                         .to_device = to_device};
    struct orr_pinned held = {0};
    if (pinned && !device->ops->pin)
        return orr_fail(ORR_EUNSUPPORTED, "it pins no memory of the host");
    int code = pinned ? device->ops->pin(device, &held, t.bytes) : 0;
    if (code)
        return code;
    t.memory = pinned ? held.memory : malloc(t.bytes);
    code = t.memory ? measure(&t, rate) : orr_fail(ORR_EMEMORY, "no memory to move");
    if (pinned)
        device->ops->unpin(device, &held);
    else
        free(t.memory);
    return code;
}
