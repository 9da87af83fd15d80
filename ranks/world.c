/* SPDX-License-Identifier: MIT */
#include "ranks/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda.h"
#include "error.h"
#include "memory.h"
#include "ranks/nccl.h"
#include "ranks/outbox.h"

/* Through host memory, a piece of each rank at a time. */
enum { PIECE = 16 << 20 };

struct world {
    struct orr_ranks base;
    const struct orr_mpi *mpi;
    struct orr_device *device;
    const struct orr_nccl_api *nccl; /* NULL: through host memory */
    struct ncclComm *comm;
    struct orr_outboxes outboxes;
    struct orr_ranks_board *board;
    void (*stage)(const char *name);
    char transport[160];
};

static struct world *own(struct orr_ranks *ranks)
{
    return (struct world *)ranks;
}

/* --- where a rank is --- */

static void enter(struct world *w, const char *what)
{
    if (!w->board)
        return;
    strcpy(w->board->ranks[w->base.rank].what, what);
    atomic_fetch_add(&w->board->ranks[w->base.rank].entered, 1);
}

static int leave(struct world *w, int code)
{
    if (w->board && !code)
        atomic_fetch_add(&w->board->ranks[w->base.rank].left, 1);
    return code;
}

static int fail_mpi(const struct world *w, const char *what)
{
    return orr_fail(ORR_EDEVICE, "%s: %s", what, w->mpi->error());
}

static int wait_for_all(struct world *w)
{
    return w->mpi->barrier() ? fail_mpi(w, "barrier") : 0;
}

static int barrier(struct orr_ranks *ranks)
{
    struct world *w = own(ranks);
    enter(w, "barrier");
    return leave(w, wait_for_all(w));
}

/* --- through host memory --- */

/* Waiting for the device and for ranks that come later is no exchange: stages tell them apart. */
static int meet(struct world *w, const char *what)
{
    enter(w, what);
    int code = orr_sync(w->device);
    w->stage("wait");
    if (!code)
        code = wait_for_all(w);
    w->stage("exchange");
    return code;
}

static int part_company(struct world *w, int code)
{
    if (!code)
        code = orr_sync(w->device);
    w->stage(NULL);
    return leave(w, code);
}

/* Queues a copy between byte `at` of a buffer and a box; where nothing is queued, it is done. */
static int copy_out(struct world *w, char *box, struct orr_buffer *from, size_t at, size_t bytes)
{
    return w->device->ops->move(w->device, from, (ptrdiff_t)at, box, bytes, false, 0);
}

static int copy_in(struct world *w, struct orr_buffer *to, size_t at, char *box, size_t bytes)
{
    return w->device->ops->move(w->device, to, (ptrdiff_t)at, box, bytes, true, 0);
}

/* Copies that were queued are done on all ranks. */
static int wait_for_copies(struct world *w)
{
    int code = orr_sync(w->device);
    return code ? code : wait_for_all(w);
}

static size_t piece_of(size_t bytes, size_t done)
{
    return bytes - done < PIECE ? bytes - done : PIECE;
}

static int gather_piece(struct world *w, struct orr_buffer *all, size_t bytes, size_t done)
{
    const size_t piece = piece_of(bytes, done);
    char *box;
    int code = orr_outbox(&box, &w->outboxes, w->base.rank, piece);
    if (!code)
        code = copy_out(w, box, all, (size_t)w->base.rank * bytes + done, piece);
    if (!code)
        code = wait_for_copies(w);
    for (int k = 0; k < w->base.size && !code; k++)
        if (k != w->base.rank && !(code = orr_outbox(&box, &w->outboxes, k, piece)))
            code = copy_in(w, all, (size_t)k * bytes + done, box, piece);
    return code;
}

static int gather_by_host(struct orr_ranks *ranks, struct orr_buffer *all, size_t bytes)
{
    struct world *w = own(ranks);
    int code = meet(w, "all-gather");
    for (size_t done = 0; done < bytes && !code; done += PIECE)
        if (!done || !(code = wait_for_copies(w)))
            code = gather_piece(w, all, bytes, done);
    return part_company(w, code);
}

/* Sums this rank's part of all boxes into its own, behind what others read there. */
static int add_boxes(struct world *w, float *sums, size_t piece)
{
    const size_t size = (size_t)w->base.size, floats = piece / sizeof(float);
    memset(sums, 0, piece);
    for (size_t k = 0; k < size; k++) {
        char *box;
        int code = orr_outbox(&box, &w->outboxes, (int)k, size * piece);
        if (code)
            return code;
        const float *from = (const float *)(const void *)(box + (size_t)w->base.rank * piece);
        for (size_t i = 0; i < floats; i++)
            sums[i] += from[i];
    }
    return 0;
}

static int reduce_piece(struct world *w, struct orr_buffer *from, struct orr_buffer *to,
                        size_t bytes, size_t done)
{
    const size_t piece = piece_of(bytes, done), size = (size_t)w->base.size;
    char *box;
    int code = orr_outbox(&box, &w->outboxes, w->base.rank, (size + 1) * piece);
    for (size_t k = 0; k < size && !code; k++)
        code = copy_out(w, box + k * piece, from, k * bytes + done, piece);
    if (!code)
        code = wait_for_copies(w);
    if (!code)
        code = add_boxes(w, (float *)(void *)(box + size * piece), piece);
    return code ? code : copy_in(w, to, done, box + size * piece, piece);
}

static int reduce_by_host(struct orr_ranks *ranks, struct orr_buffer *from, struct orr_buffer *to,
                          size_t floats)
{
    struct world *w = own(ranks);
    const size_t bytes = floats * sizeof(float);
    int code = meet(w, "reduce");
    for (size_t done = 0; done < bytes && !code; done += PIECE)
        if (!done || !(code = wait_for_copies(w)))
            code = reduce_piece(w, from, to, bytes, done);
    return part_company(w, code);
}

/* Copies what this rank sends to `peer` to its own box, or what `peer` sent from that one's: from
 * byte *at of the box on, where it ends then. */
static int move_parts(struct world *w, const struct orr_ranks_part *parts, int count, int peer,
                      bool sends, size_t *at)
{
    size_t bytes = 0;
    char *box;
    for (int k = 0; k < count; k++)
        bytes += parts[k].peer == peer && parts[k].sends == sends ? parts[k].bytes : 0;
    int code = bytes ? orr_outbox(&box, &w->outboxes, sends ? w->base.rank : peer, *at + bytes) : 0;
    for (int k = 0; k < count && bytes && !code; k++) {
        const struct orr_ranks_part *p = &parts[k];
        if (!p->bytes || p->peer != peer || p->sends != sends)
            continue;
        code = sends ? copy_out(w, box + *at, p->buffer, p->at, p->bytes)
                     : copy_in(w, p->buffer, p->at, box + *at, p->bytes);
        *at += p->bytes;
    }
    return code;
}

static int exchange_by_host(struct orr_ranks *ranks, const struct orr_ranks_part *parts, int count)
{
    struct world *w = own(ranks);
    int code = meet(w, "exchange");
    size_t at = 0, sent = 0;
    char *box;
    for (int k = 0; k < count; k++)
        sent += parts[k].sends ? parts[k].bytes : 0;
    if (!code && sent) /* which nothing moves once copies to it are queued */
        code = orr_outbox(&box, &w->outboxes, ranks->rank, sent);
    for (int peer = 0; peer < ranks->size && !code; peer++) {
        w->board->ranks[ranks->rank].begins[peer] = at;
        code = move_parts(w, parts, count, peer, true, &at);
    }
    if (!code)
        code = wait_for_copies(w);
    for (int peer = 0; peer < ranks->size && !code; peer++) {
        at = w->board->ranks[peer].begins[ranks->rank];
        code = move_parts(w, parts, count, peer, false, &at);
    }
    return part_company(w, code);
}

static const struct orr_ranks_ops by_host = {barrier, gather_by_host, reduce_by_host,
                                             exchange_by_host, NULL};

/* --- by NCCL, in the device's own queue --- */

static char *memory_of(const struct orr_buffer *buffer)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device's */
    return (char *)((const struct cuda_buffer *)(const void *)buffer)->pointer;
}

static struct CUstream_st *stream_of(const struct world *w)
{
    return ((const struct cuda_device *)(const void *)w->device)->stream;
}

/* What NCCL refuses to have recorded is queued as ever (device.h). */
static int told(struct world *w, const char *what, int error)
{
    int code = error ? orr_fail(ORR_EDEVICE, "NCCL, %s: %s", what, w->nccl->error_text(error)) : 0;
    if (code && w->device->recording)
        w->device->unrecorded = true;
    if (!code)
        code = orr_phase(w->device, NULL);
    return leave(w, code);
}

static int begin_phase(struct world *w, const char *what)
{
    enter(w, what);
    return orr_phase(w->device, "exchange");
}

static int gather_by_nccl(struct orr_ranks *ranks, struct orr_buffer *all, size_t bytes)
{
    struct world *w = own(ranks);
    int code = begin_phase(w, "all-gather");
    return code ? code
                : told(w, "all-gather",
                       w->nccl->gather(memory_of(all) + (size_t)ranks->rank * bytes, memory_of(all),
                                       bytes / sizeof(float), ORR_NCCL_FLOAT32, w->comm,
                                       stream_of(w)));
}

static int reduce_by_nccl(struct orr_ranks *ranks, struct orr_buffer *from, struct orr_buffer *to,
                          size_t floats)
{
    struct world *w = own(ranks);
    int code = begin_phase(w, "reduce");
    return code ? code
                : told(w, "reduce",
                       w->nccl->reduce(memory_of(from), memory_of(to), floats, ORR_NCCL_FLOAT32,
                                       ORR_NCCL_SUM, w->comm, stream_of(w)));
}

static int exchange_by_nccl(struct orr_ranks *ranks, const struct orr_ranks_part *parts, int count)
{
    struct world *w = own(ranks);
    int code = begin_phase(w, "exchange"), error = code ? 0 : w->nccl->group_start();
    if (code)
        return code;
    for (int k = 0; k < count && !error; k++) {
        const struct orr_ranks_part *p = &parts[k];
        char *at = memory_of(p->buffer) + p->at;
        if (p->bytes)
            error = p->sends ? w->nccl->send(at, p->bytes / 4, ORR_NCCL_FLOAT32, p->peer, w->comm,
                                             stream_of(w))
                             : w->nccl->receive(at, p->bytes / 4, ORR_NCCL_FLOAT32, p->peer,
                                                w->comm, stream_of(w));
    }
    int ended = w->nccl->group_end();
    return told(w, "exchange", error ? error : ended);
}

/* NCCL wants a call recorded on all ranks or on none. */
static int agree(struct orr_ranks *ranks, bool *all)
{
    struct world *w = own(ranks);
    int32_t said[ORR_MAX_RANKS] = {0};
    said[ranks->rank] = *all;
    enter(w, "agreement");
    int code = w->mpi->all_gather(said, sizeof *said) ? fail_mpi(w, "all-gather") : 0;
    for (int k = 0; k < ranks->size && !code; k++)
        *all &= said[k] != 0;
    return leave(w, code);
}

static const struct orr_ranks_ops by_nccl = {barrier, gather_by_nccl, reduce_by_nccl,
                                             exchange_by_nccl, agree};

/* --- open and close --- */

static void show_face(struct orr_ranks_face *face, const struct orr_device *device,
                      const struct orr_nccl_api *nccl)
{
    int version = 0;
    *face = (struct orr_ranks_face){.ready = device ? 1 : orr_error_code()};
    if (!device) {
        snprintf(face->why, sizeof face->why, "%s", orr_error_text());
        orr_error_clear();
        return;
    }
    snprintf(face->backend, sizeof face->backend, "%s", device->info.backend);
    snprintf(face->device, sizeof face->device, "%s", device->info.id);
    snprintf(face->name, sizeof face->name, "%s", device->info.name);
    snprintf(face->uuid, sizeof face->uuid, "%s", device->info.uuid);
    if (nccl && !nccl->version(&version))
        face->nccl = version;
}

/* Rank 0's id goes to all. */
static int begin_nccl(struct world *w, const struct orr_nccl_api *nccl, int version)
{
    struct orr_nccl_id ids[ORR_MAX_RANKS];
    char name[32];
    if (!nccl)
        return orr_fail(ORR_EINTERNAL, "there is no NCCL");
    memset(ids, 0, sizeof ids);
    int error = w->base.rank ? 0 : nccl->unique_id(&ids[0]);
    if (w->mpi->all_gather(ids, sizeof *ids))
        return fail_mpi(w, "all-gather");
    if (!error)
        error = nccl->begin(&w->comm, w->base.size, ids[0], w->base.rank);
    if (error)
        return orr_fail(ORR_EDEVICE,
                        "NCCL does not connect the ranks: %s; ORRERY_NCCL=off goes "
                        "through host memory",
                        nccl->error_text(error));
    orr_nccl_name_version(name, sizeof name, version);
    snprintf(w->transport, sizeof w->transport, "NCCL %s", name);
    w->nccl = nccl;
    w->base.ops = &by_nccl;
    return 0;
}

static int connect_devices(struct world *w)
{
    struct orr_ranks_face faces[ORR_MAX_RANKS];
    char why[128], absent[128] = "";
    const char *missing = "";
    bool cuda = w->device && !strcmp(w->device->info.backend, "cuda");
    const struct orr_nccl_api *nccl = cuda ? orr_nccl_load(&missing) : NULL;
    if (!nccl)
        snprintf(absent, sizeof absent, "%s", missing);
    memset(faces, 0, sizeof faces);
    show_face(&faces[w->base.rank], w->device, nccl);
    if (w->mpi->all_gather(faces, sizeof *faces))
        return fail_mpi(w, "all-gather");
    int code = orr_ranks_check_faces(faces, w->base.size);
    if (code)
        return code;
    if (orr_ranks_may_nccl(faces, w->base.size, why, sizeof why))
        return begin_nccl(w, nccl, faces[0].nccl);
    snprintf(w->transport, sizeof w->transport, "%s through host memory%s%s%s", w->mpi->library(),
             cuda ? " (" : "",
             !cuda     ? ""
             : *absent ? absent
                       : why,
             cuda ? ")" : "");
    return 0;
}

int orr_ranks_open(struct orr_ranks **out, const struct orr_mpi *mpi,
                   const struct orr_mpi_place *place, struct orr_device *device,
                   struct orr_ranks_board *board, int board_fd, void (*stage)(const char *name))
{
    struct world *w = orr_memory_get(sizeof *w);
    *w = (struct world){.base = {place->rank, place->size, &by_host},
                        .mpi = mpi,
                        .device = device,
                        .outboxes = {.fd = board_fd, .own = place->rank, .device = device},
                        .board = board,
                        .stage = stage};
    int code = connect_devices(w);
    *out = code ? NULL : &w->base;
    if (code)
        free(w);
    return code;
}

const char *orr_ranks_transport(const struct orr_ranks *ranks)
{
    return ((const struct world *)(const void *)ranks)->transport;
}

/* NCCL's communicator stays: to destroy it waits for the other ranks, and the process ends soon. */
void orr_ranks_close(struct orr_ranks *ranks)
{
    if (!ranks)
        return;
    orr_outbox_close_all(&own(ranks)->outboxes);
    free(ranks);
}
