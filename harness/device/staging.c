/* SPDX-License-Identifier: MIT */
/* What moves between the host and a device: bytes, pieces that the caller fills or takes, columns
 * of doubles that become rows of floats, and floats that come back.
 *
 * Bytes go in pieces through a ring of memory that the device reads and writes by itself. Where the
 * caller's memory is locked, the device copies columns as they are, at the speed of the link, and
 * converts them: no core of the host takes part. Everywhere else cores convert one piece of the
 * ring after the other; in a virtual machine their waking made one and the same transfer take one
 * to six times as long. */
#include "device/backend.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"

#include "kernels/columns.h"

enum {
    PIECE = ORR_PIECE_BYTES,
    SLOTS = ORR_STAGING_SLOTS,
    GROUP = 256, /* BLOCK of the kernels */
    MOST_LOCKED = 2,
    A_CORE = 16384,         /* rows that are worth one more core */
    SCRATCH_BYTES = 1 << 25 /* converted at once; copying that takes thirty times as long */
};

/* --- the ring --- */

struct orr_staging {
    unsigned char *memory;    /* SLOTS pieces */
    struct orr_pinned pinned; /* that memory; none where the system locks no more */
    int next;                 /* slot of the next upload */
    bool busy[SLOTS];         /* a copy was queued that nobody has awaited */
};

static unsigned char *memory_of(const struct orr_device *device, int slot)
{
    return device->staging->memory + (size_t)slot * PIECE;
}

static size_t piece_at(size_t first, size_t bytes)
{
    return bytes - first < PIECE ? bytes - first : PIECE;
}

/* Ordinary memory where the system locks no more: copies are slower then, and right. */
static int make_ring(struct orr_device *device)
{
    enum { PAGE = 4096 };
    const size_t bytes = (size_t)SLOTS * PIECE;
    if (!device->staging)
        device->staging = orr_memory_get(sizeof *device->staging);
    struct orr_staging *staging = device->staging;
    if (staging->memory)
        return 0;
    int code = device->ops->pin(device, &staging->pinned, bytes);
    if (code && !device->lost) {
        orr_error_clear();
        code = 0;
    }
    if (!code)
        staging->memory =
            staging->pinned.memory ? staging->pinned.memory : aligned_alloc(PAGE, bytes);
    return code || staging->memory ? code : orr_fail(ORR_EMEMORY, "no host memory for transfers");
}

static int await(struct orr_device *device, int slot)
{
    bool busy = device->staging->busy[slot];
    device->staging->busy[slot] = false;
    return busy ? device->ops->await(device, slot) : 0;
}

int orr_staging_send(struct orr_device *device, struct orr_buffer *to, size_t bytes,
                     orr_piece *fill, void *context)
{
    int code = make_ring(device);
    struct orr_staging *staging = device->staging;
    for (size_t first = 0; !code && first < bytes; first += PIECE) {
        const int slot = staging->next;
        const size_t piece = piece_at(first, bytes);
        unsigned char *memory = memory_of(device, slot);
        code = await(device, slot);
        if (!code)
            code = fill(context, memory, first, piece);
        if (!code)
            code = device->ops->move(device, to, (ptrdiff_t)first, memory, piece, true, slot);
        staging->busy[slot] = !code;
        staging->next = (slot + 1) % SLOTS;
    }
    return code;
}

static int begin_download(struct orr_device *device, struct orr_buffer *from, size_t first,
                          size_t bytes)
{
    const int slot = (int)(first / PIECE % SLOTS);
    int code = device->ops->move(device, from, (ptrdiff_t)first, memory_of(device, slot),
                                 piece_at(first, bytes), false, slot);
    device->staging->busy[slot] = !code;
    return code;
}

int orr_staging_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                        orr_piece *take, void *context)
{
    const size_t ring = (size_t)SLOTS * PIECE;
    int code = make_ring(device);
    for (int slot = 0; !code && slot < SLOTS; slot++)
        code = await(device, slot);
    for (size_t first = 0; !code && first < bytes && first < ring; first += PIECE)
        code = begin_download(device, from, first, bytes);
    for (size_t first = 0; !code && first < bytes; first += PIECE) {
        const int slot = (int)(first / PIECE % SLOTS);
        code = await(device, slot);
        if (!code)
            code = take(context, memory_of(device, slot), first, piece_at(first, bytes));
        if (!code && bytes - first > ring)
            code = begin_download(device, from, first + ring, bytes);
    }
    return code;
}

void orr_staging_release(struct orr_device *device)
{
    struct orr_staging *staging = device->staging;
    if (staging && staging->pinned.memory)
        device->ops->unpin(device, &staging->pinned);
    else if (staging)
        free(staging->memory);
    free(staging);
    device->staging = NULL;
}

/* --- locked memory --- */

struct orr_locked {
    struct {
        void *memory;
        size_t bytes;
    } regions[MOST_LOCKED];
    /* Made when the first columns are moved. */
    struct orr_program *kernels;
    struct orr_buffer *scratch;
};

void orr_device_lock(struct orr_device *device, void *memory, size_t bytes)
{
    int k = 0;
    if (!device->ops->lock || !device->ops->await || bytes < ORR_STAGING_LEAST)
        return;
    if (!device->locked)
        device->locked = orr_memory_get(sizeof *device->locked);
    while (k < MOST_LOCKED && device->locked->regions[k].memory)
        k++;
    if (k == MOST_LOCKED || !device->ops->lock(device, memory, bytes))
        return;
    device->locked->regions[k].memory = memory;
    device->locked->regions[k].bytes = bytes;
}

void orr_device_unlock(struct orr_device *device)
{
    struct orr_locked *locked = device ? device->locked : NULL;
    if (!locked)
        return;
    if (!device->lost && orr_sync(device))
        orr_error_clear();
    for (int k = 0; k < MOST_LOCKED; k++)
        if (locked->regions[k].memory)
            device->ops->unlock(device, locked->regions[k].memory);
    orr_drop(device, locked->kernels);
    if (locked->scratch)
        device->backend->free(device, locked->scratch);
    free(locked);
    device->locked = NULL;
}

static bool is_locked(const struct orr_device *device, const void *memory, size_t bytes)
{
    const char *from = memory;
    for (int k = 0; device->locked && k < MOST_LOCKED; k++) {
        const char *start = device->locked->regions[k].memory;
        const size_t size = device->locked->regions[k].bytes;
        if (start && from >= start && bytes <= size && from <= start + (size - bytes))
            return true;
    }
    return false;
}

/* --- bytes --- */

/* One core alone is slower than the link to a GPU. */
static void copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
    enum { CHUNK = 65536, FEW = 4 };
    const size_t chunks = (bytes + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) if (chunks > FEW)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        const size_t first = chunk * CHUNK;
        memcpy(to + first, from + first, bytes - first < CHUNK ? bytes - first : CHUNK);
    }
}

static int copy_from(void *context, void *memory, size_t first, size_t bytes)
{
    copy(memory, *(const unsigned char *const *)context + first, bytes);
    return 0;
}

static int copy_to(void *context, void *memory, size_t first, size_t bytes)
{
    copy((unsigned char *)context + first, memory, bytes);
    return 0;
}

/* A CPU's memory is the host's: the ring would only be one more copy. */
static bool goes_by_ring(const struct orr_device *device, const void *memory, size_t bytes)
{
    return device->backend->await && device->info.kind != ORR_DEVICE_CPU &&
           bytes >= ORR_STAGING_LEAST && !is_locked(device, memory, bytes);
}

int orr_staging_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                       size_t bytes)
{
    return goes_by_ring(device, from, bytes) ? orr_staging_send(device, to, bytes, copy_from, &from)
                                             : device->ops->poke(device, to, 0, from, bytes);
}

int orr_staging_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t bytes)
{
    return goes_by_ring(device, to, bytes) ? orr_staging_receive(device, from, bytes, copy_to, to)
                                           : device->ops->peek(device, to, from, 0, bytes);
}

/* --- columns by the device --- */

/* Neither is one of the variant's kernels and buffers, so neither is counted. */
static int prepare(struct orr_device *device)
{
    static const struct orr_source source = {"columns", kernel_columns};
    struct orr_locked *locked = device->locked;
    const int kept = device->kernel_count;
    int code = locked->kernels ? 0 : device->backend->build(device, &locked->kernels, &source, "");
    device->kernel_count = kept;
    return code || locked->scratch
               ? code
               : device->backend->alloc(device, &locked->scratch, SCRATCH_BYTES);
}

static int launch(struct orr_device *device, const char *kernel, size_t rows,
                  const struct orr_arg *args, int count)
{
    const struct orr_launch launch = {.kernel = kernel,
                                      .groups = {(rows + GROUP - 1) / GROUP},
                                      .group = {GROUP},
                                      .args = args,
                                      .arg_count = count};
    return device->backend->launch(device, device->locked->kernels, &launch);
}

/* Copies what rows row ... row + count - 1 need, and packs them; the scratch memory has room for
 * `stride` numbers a column. The queue runs in order, so nothing waits. */
static int pack_some(struct orr_device *device, struct orr_buffer *to,
                     const struct orr_columns *from, size_t stride, size_t row, size_t count)
{
    const size_t end = from->at + from->rows, first = row > from->at ? row : from->at,
                 last = row + count < end ? row + count : end,
                 rows = first < last ? last - first : 0;
    int columns = 0, code = 0;
    for (int c = 0; c < from->width && !code && rows; c++)
        if (from->column[c]) {
            columns |= 1 << c;
            code = device->backend->move(
                device, device->locked->scratch, (ptrdiff_t)((size_t)c * stride * sizeof(double)),
                (void *)(from->column[c] + (first - from->at)), rows * sizeof(double), true, 0);
        }
    const struct orr_arg args[] = {ORR_BUF(to),
                                   ORR_BUF(device->locked->scratch),
                                   ORR_I32(from->width),
                                   ORR_I32(columns),
                                   ORR_U64(stride),
                                   ORR_U64(row),
                                   ORR_U64(count),
                                   ORR_U64(first),
                                   ORR_U64(rows),
                                   ORR_F64(from->about[0]),
                                   ORR_F64(from->about[1]),
                                   ORR_F64(from->about[2]),
                                   ORR_F64(from->about[3]),
                                   ORR_F32(from->outside)};
    return code ? code : launch(device, "columns_pack", count, args, sizeof args / sizeof *args);
}

static int pack_by_device(struct orr_device *device, struct orr_buffer *to,
                          const struct orr_columns *from)
{
    const size_t stride = SCRATCH_BYTES / sizeof(double) / (size_t)from->width;
    int code = prepare(device);
    for (size_t row = 0; !code && row < from->total; row += stride)
        code = pack_some(device, to, from, stride, row,
                         from->total - row < stride ? from->total - row : stride);
    return code;
}

static int unpack_by_device(struct orr_device *device, const struct orr_float_columns *to,
                            struct orr_buffer *from)
{
    const size_t stride = SCRATCH_BYTES / sizeof(float) / (size_t)to->width;
    int code = prepare(device);
    for (size_t k = 0; !code && k < to->rows; k += stride) {
        const size_t count = to->rows - k < stride ? to->rows - k : stride;
        const struct orr_arg args[] = {ORR_BUF(device->locked->scratch),
                                       ORR_BUF(from),
                                       ORR_I32(to->width),
                                       ORR_U64(stride),
                                       ORR_U64(to->at + k),
                                       ORR_U64(count)};
        code = launch(device, "columns_unpack", count, args, sizeof args / sizeof *args);
        for (int c = 0; c < to->width && !code; c++)
            if (to->column[c])
                code = device->backend->move(device, device->locked->scratch,
                                             (ptrdiff_t)((size_t)c * stride * sizeof(float)),
                                             to->column[c] + k, count * sizeof(float), false, 0);
    }
    return code ? code : device->backend->sync(device);
}

/* --- columns by the host, a piece at a time --- */

/* Pieces begin and end with a row: their length is a multiple of any width. */
static int cores_for(size_t rows)
{
    const size_t most = rows / A_CORE + 1;
    return most < (size_t)omp_get_max_threads() ? (int)most : omp_get_max_threads();
}

static void pack_outside(const struct orr_columns *c, float *to, size_t rows)
{
    for (size_t k = 0; k < rows * (size_t)c->width; k++)
        to[k] = k % (size_t)c->width < 3 ? c->outside : 0;
}

/* Rows that all lie among the bodies; `width` is known where this is inlined. */
static inline void pack_rows(const struct orr_columns *c, float *to, size_t first, size_t rows,
                             int width)
{
#pragma omp parallel for simd schedule(static) num_threads(cores_for(rows))
    for (size_t k = 0; k < rows; k++)
        for (int p = 0; p < width; p++)
            to[k * (size_t)width + (size_t)p] =
                c->column[p] ? (float)(c->column[p][first + k] - c->about[p]) : 0;
}

static int pack_piece(void *context, void *memory, size_t first, size_t bytes)
{
    const struct orr_columns *c = context;
    const size_t row = (size_t)c->width * sizeof(float), begin = first / row,
                 end = begin + bytes / row, last = c->at + c->rows;
    const size_t from = begin < c->at ? c->at < end ? c->at : end : begin,
                 until = end > last ? last > from ? last : from : end;
    float *const to = memory, *const inside = to + (from - begin) * (size_t)c->width;

    pack_outside(c, to, from - begin);
    if (c->width == 1)
        pack_rows(c, inside, from - c->at, until - from, 1);
    else
        pack_rows(c, inside, from - c->at, until - from, 4);
    pack_outside(c, to + (until - begin) * (size_t)c->width, end - until);
    return 0;
}

static int unpack_piece(void *context, void *memory, size_t first, size_t bytes)
{
    const struct orr_float_columns *c = context;
    const size_t width = (size_t)c->width, begin = first / (width * sizeof(float)),
                 end = begin + bytes / (width * sizeof(float)),
                 from = begin < c->at ? c->at : begin;
    const float *const rows = memory;
    if (end <= from)
        return 0;
#pragma omp parallel for simd schedule(static) num_threads(cores_for(end - from))
    for (size_t i = from; i < end; i++)
        for (size_t p = 0; p < width; p++)
            if (c->column[p])
                c->column[p][i - c->at] = rows[(i - begin) * width + p];
    return 0;
}

/* --- columns either way --- */

/* Whether the device can move all columns that are there by itself. */
static bool all_locked(const struct orr_device *device, const void *const columns[4], int width,
                       size_t bytes)
{
    bool all = device->locked && bytes;
    for (int c = 0; all && c < width; c++)
        all = !columns[c] || is_locked(device, columns[c], bytes);
    return all;
}

int orr_staging_upload_columns(struct orr_device *device, struct orr_buffer *to,
                               const struct orr_columns *from)
{
    const void *const columns[4] = {from->column[0], from->column[1], from->column[2],
                                    from->column[3]};
    struct orr_columns copy = *from; /* what is passed on as a context is not const */
    return all_locked(device, columns, from->width, from->rows * sizeof(double))
               ? pack_by_device(device, to, from)
               : device->backend->send(device, to,
                                       from->total * (size_t)from->width * sizeof(float),
                                       pack_piece, &copy);
}

int orr_staging_download_columns(struct orr_device *device, const struct orr_float_columns *to,
                                 struct orr_buffer *from)
{
    const void *const columns[4] = {to->column[0], to->column[1], to->column[2], to->column[3]};
    struct orr_float_columns copy = *to;
    return all_locked(device, columns, to->width, to->rows * sizeof(float))
               ? unpack_by_device(device, to, from)
               : device->backend->receive(device, from,
                                          (to->at + to->rows) * (size_t)to->width * sizeof(float),
                                          unpack_piece, &copy);
}
