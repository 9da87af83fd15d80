/* SPDX-License-Identifier: MIT */
/* Between a backend and its callers: transfers stay within their buffer, use and the time of phases
 * are counted, and zones around each buffer show what was written beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device/backend.h"
#include "error.h"
#include "memory.h"

struct orr_guard {
    struct orr_device_ops verbs; /* the backend's, but for those below */
    struct orr_buffer live;      /* head of the ring of buffers */
    char found[160]; /* the first write beside a buffer that was not yet reported, or "" */
    unsigned char pattern[ORR_ZONE_BYTES];
};

/* A word is a NaN, and so is a pair of them as a double: who reads beyond a buffer computes NaNs.
 * Neighbours differ, so that a copied stretch shows. */
static void make_pattern(unsigned char *out)
{
    for (uint32_t k = 0; k < ORR_ZONE_BYTES / sizeof k; k++) {
        const uint32_t word = 0xfff90000u | (k * 40503u & 0xffffu);
        memcpy(out + k * sizeof word, &word, sizeof word);
    }
}

static int guarded_peek(struct orr_device *device, void *to, struct orr_buffer *from, ptrdiff_t at,
                        size_t bytes)
{
    return device->backend->move(device, from, at, to, bytes, false, ORR_NO_SLOT);
}

static int guarded_poke(struct orr_device *device, struct orr_buffer *to, ptrdiff_t at,
                        const void *from, size_t bytes)
{
    return device->backend->move(device, to, at, (void *)from, bytes, true, ORR_NO_SLOT);
}

static int fill_zones(struct orr_device *device, struct orr_buffer *buffer)
{
    const struct orr_guard *guard = device->guard;
    int code = 0;
    if (buffer->before)
        code = guarded_poke(device, buffer, -(ptrdiff_t)buffer->before, guard->pattern,
                            buffer->before);
    if (!code && buffer->after)
        code =
            guarded_poke(device, buffer, (ptrdiff_t)buffer->bytes, guard->pattern, buffer->after);
    return code;
}

/* Keeps the first finding and draws the zones anew, so that none is found twice. */
static int check_zones(struct orr_device *device, struct orr_buffer *buffer)
{
    struct orr_guard *guard = device->guard;
    unsigned char zone[ORR_ZONE_BYTES];
    size_t before = buffer->before, after = buffer->after;
    int code = 0;
    if (before)
        code = guarded_peek(device, zone, buffer, -(ptrdiff_t)before, before);
    for (size_t k = 0; !code && before && zone[k] == guard->pattern[k]; k++)
        before--;
    if (!code && after)
        code = guarded_peek(device, zone, buffer, (ptrdiff_t)buffer->bytes, after);
    while (!code && after && zone[after - 1] == guard->pattern[after - 1])
        after--;
    if (code || (!before && !after))
        return code;
    if (!guard->found[0])
        snprintf(guard->found, sizeof guard->found,
                 "the variant wrote %zu bytes %s of a buffer of %zu bytes", after ? after : before,
                 after ? "beyond the end" : "before the start", buffer->bytes);
    return fill_zones(device, buffer);
}

/* A verb that waits, moves bytes to or from the host, or makes or frees memory cannot be
 * recorded. */
static int refuse_recording(struct orr_device *device)
{
    if (!device->recording)
        return 0;
    device->unrecorded = true;
    return orr_fail(ORR_EUNSUPPORTED, "only launches, copies and fills can be recorded");
}

static int guarded_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes)
{
    struct orr_buffer *buffer, *head = &device->guard->live;
    *out = NULL;
    if (bytes > SIZE_MAX / 2)
        return orr_fail(ORR_EMEMORY, "no memory for %zu bytes", bytes);
    int code = refuse_recording(device);
    if (!code)
        code = device->backend->alloc(device, &buffer, bytes);
    if (code)
        return code;
    if ((code = fill_zones(device, buffer))) {
        device->backend->free(device, buffer);
        return code;
    }
    buffer->next = head;
    buffer->previous = head->previous;
    buffer->previous->next = head->previous = buffer;
    device->use.buffers++;
    device->use.bytes += bytes;
    *out = buffer;
    return 0;
}

static void guarded_free(struct orr_device *device, struct orr_buffer *buffer)
{
    if (!buffer)
        return;
    /* A failure here belongs to an earlier command, which the next wait reports. */
    const int earlier = orr_error_code();
    device->unrecorded |= device->recording;
    if (!device->recording && !device->lost && check_zones(device, buffer) && !earlier)
        orr_error_clear();
    buffer->previous->next = buffer->next;
    buffer->next->previous = buffer->previous;
    device->use.buffers--;
    device->use.bytes -= buffer->bytes;
    device->backend->free(device, buffer);
}

static int check_range(const char *what, size_t bytes, const struct orr_buffer *buffer)
{
    return bytes <= buffer->bytes ? 0
                                  : orr_fail(ORR_EINTERNAL, "%s of %zu bytes in a buffer of %zu",
                                             what, bytes, buffer->bytes);
}

/* A transfer between the host and a buffer, which `sum` counts. */
static int check_transfer(struct orr_device *device, const char *what, size_t bytes,
                          const struct orr_buffer *buffer, uint64_t *sum)
{
    int code = check_range(what, bytes, buffer);
    if (!code && bytes)
        code = refuse_recording(device);
    *sum += code ? 0 : bytes;
    return code;
}

/* Adds the seconds of a verb that moved bytes or waited, and passes its code on. */
static int moved(struct orr_device *device, double start, int code)
{
    device->use.moving_s += orr_clock_now() - start;
    return code;
}

static int guarded_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                          size_t bytes)
{
    int code = check_transfer(device, "upload", bytes, to, &device->use.uploaded);
    if (code || !bytes)
        return code;
    const double start = orr_clock_now();
    return moved(device, start, orr_staging_upload(device, to, from, bytes));
}

static int guarded_download(struct orr_device *device, void *to, struct orr_buffer *from,
                            size_t bytes)
{
    int code = check_transfer(device, "download", bytes, from, &device->use.downloaded);
    if (code || !bytes)
        return code;
    const double start = orr_clock_now();
    return moved(device, start, orr_staging_download(device, to, from, bytes));
}

/* A caller's own work on a piece is no moving. */
struct piecewise {
    struct orr_device *device;
    orr_piece *each;
    void *context;
    double since; /* the latest time that bytes have moved from */
};

static int one_piece(void *context, void *memory, size_t first, size_t bytes)
{
    struct piecewise *p = context;
    moved(p->device, p->since, 0);
    const int code = p->each(p->context, memory, first, bytes);
    p->since = orr_clock_now();
    return code;
}

static int guarded_send(struct orr_device *device, struct orr_buffer *to, size_t bytes,
                        orr_piece *fill, void *context)
{
    struct piecewise pieces = {device, fill, context, orr_clock_now()};
    int code = check_transfer(device, "upload", bytes, to, &device->use.uploaded);
    if (code || !bytes)
        return code;
    code = device->backend->send(device, to, bytes, one_piece, &pieces);
    return moved(device, pieces.since, code);
}

static int guarded_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                           orr_piece *take, void *context)
{
    struct piecewise pieces = {device, take, context, orr_clock_now()};
    int code = check_transfer(device, "download", bytes, from, &device->use.downloaded);
    if (code || !bytes)
        return code;
    code = device->backend->receive(device, from, bytes, one_piece, &pieces);
    return moved(device, pieces.since, code);
}

static int guarded_upload_columns(struct orr_device *device, struct orr_buffer *to,
                                  const struct orr_columns *from)
{
    const size_t bytes = from->total * (size_t)from->width * sizeof(float);
    int code = check_transfer(device, "upload", bytes, to, &device->use.uploaded);
    const double start = orr_clock_now();
    if (!code && from->rows > from->total - from->at)
        code = orr_fail(ORR_EINTERNAL, "upload of %zu rows behind %zu of %zu", from->rows, from->at,
                        from->total);
    return code || !bytes ? code
                          : moved(device, start, orr_staging_upload_columns(device, to, from));
}

static int guarded_download_columns(struct orr_device *device, const struct orr_float_columns *to,
                                    struct orr_buffer *from)
{
    const size_t bytes = (to->at + to->rows) * (size_t)to->width * sizeof(float);
    int code = check_transfer(device, "download", bytes, from, &device->use.downloaded);
    const double start = orr_clock_now();
    return code || !to->rows ? code
                             : moved(device, start, orr_staging_download_columns(device, to, from));
}

static int guarded_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                        size_t bytes)
{
    int code = check_range("copy", bytes, to);
    if (!code)
        code = check_range("copy", bytes, from);
    const double start = orr_clock_now();
    if (!code && bytes)
        code = moved(device, start, device->backend->copy(device, to, from, bytes));
    return code;
}

static int guarded_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word,
                        size_t bytes)
{
    int code = check_range("fill", bytes, to);
    if (!code && bytes % sizeof word)
        code = orr_fail(ORR_EINTERNAL, "fill of %zu bytes, which are no whole words", bytes);
    const double start = orr_clock_now();
    if (!code && bytes)
        code = moved(device, start, device->backend->fill(device, to, word, bytes));
    return code;
}

static int guarded_sync(struct orr_device *device)
{
    const double start = orr_clock_now();
    const int code = refuse_recording(device);
    return code ? code : moved(device, start, device->backend->sync(device));
}

static int guarded_launch(struct orr_device *device, struct orr_program *program,
                          const struct orr_launch *launch)
{
    if (!device->backend->launch)
        return orr_fail(ORR_EUNSUPPORTED, "the host device runs no kernels (%s)", launch->kernel);
    int code = device->backend->launch(device, program, launch);
    device->use.launches += !code;
    return code;
}

static int guarded_build(struct orr_device *device, struct orr_program **out,
                         const struct orr_source *source, const char *defines)
{
    *out = NULL;
    if (!device->backend->build)
        return orr_fail(ORR_EUNSUPPORTED,
                        "the host device runs no kernels (%s): choose an OpenCL or CUDA device",
                        source->name);
    const int code = refuse_recording(device);
    return code ? code : device->backend->build(device, out, source, defines);
}

static void guarded_close(struct orr_device *device)
{
    orr_device_unlock(device);
    free(device->guard);
    device->ops = device->backend;
    device->ops->close(device);
}

/* --- device time of a span, by phase --- */

static int guarded_time_start(struct orr_device *device)
{
    device->times = (struct orr_times){.kernels_s = NAN};
    device->phase = -1;
    const int code = device->backend->time_start(device);
    device->timing = !code;
    return code;
}

static int select_phase(struct orr_device *device, const char *name)
{
    struct orr_times *times = &device->times;
    int k = 0;
    device->phase = -1;
    if (!name)
        return 0;
    while (k < times->phase_count &&
           strncmp(times->phases[k].name, name, sizeof times->phases[k].name - 1) != 0)
        k++;
    if (k == ORR_MAX_PHASES)
        return orr_fail(ORR_EINTERNAL, "more than %d phases in one step; the last is '%s'",
                        ORR_MAX_PHASES, name);
    if (k == times->phase_count)
        snprintf(times->phases[times->phase_count++].name, sizeof times->phases[k].name, "%s",
                 name);
    device->phase = k;
    return 0;
}

static int guarded_phase(struct orr_device *device, const char *name)
{
    int code = device->timing ? select_phase(device, name) : 0;
    return code || !device->timing || !device->backend->phase
               ? code
               : device->backend->phase(device, name);
}

static int guarded_time_stop(struct orr_device *device)
{
    int code = device->backend->time_stop ? device->backend->time_stop(device) : 0;
    device->timing = false;
    return code;
}

static int guarded_time_read(struct orr_device *device, struct orr_times *out)
{
    int code = device->backend->time_read ? device->backend->time_read(device, &device->times) : 0;
    device->timing = false;
    *out = device->times;
    return code;
}

void orr_guard_attach(struct orr_device *device)
{
    struct orr_guard *guard = orr_memory_get(sizeof *guard);
    const char *asked = getenv("ORRERY_GUARDS");
    device->backend = device->ops;
    guard->verbs = *device->ops;
    guard->verbs.alloc = guarded_alloc;
    guard->verbs.free = guarded_free;
    guard->verbs.peek = guarded_peek;
    guard->verbs.poke = guarded_poke;
    guard->verbs.upload = guarded_upload;
    guard->verbs.download = guarded_download;
    guard->verbs.upload_columns = guarded_upload_columns;
    guard->verbs.download_columns = guarded_download_columns;
    guard->verbs.send = guarded_send;
    guard->verbs.receive = guarded_receive;
    guard->verbs.copy = guarded_copy;
    guard->verbs.fill = guarded_fill;
    guard->verbs.launch = guarded_launch;
    guard->verbs.build = guarded_build;
    guard->verbs.sync = guarded_sync;
    guard->verbs.time_start = guarded_time_start;
    guard->verbs.phase = guarded_phase;
    guard->verbs.time_stop = guarded_time_stop;
    guard->verbs.time_read = guarded_time_read;
    guard->verbs.close = guarded_close;
    guard->live.next = guard->live.previous = &guard->live;
    device->zone = asked && !strcmp(asked, "off") ? 0 : ORR_ZONE_BYTES;
    make_pattern(guard->pattern);
    device->guard = guard;
    device->ops = &guard->verbs;
}

int orr_device_check_guards(struct orr_device *device)
{
    struct orr_guard *guard = device->guard;
    int code = orr_sync(device);
    for (struct orr_buffer *b = guard->live.next; !code && b != &guard->live; b = b->next)
        code = check_zones(device, b);
    if (!code && guard->found[0]) {
        code = orr_fail(ORR_EWRONG, "%s", guard->found);
        guard->found[0] = '\0';
    }
    return code;
}

int orr_device_drain(struct orr_device *device, double *seconds)
{
    int code = orr_sync(device);
    const double start = orr_clock_now();
    if (!code)
        code = device->ops->drain(device);
    *seconds = orr_clock_now() - start;
    return code;
}
