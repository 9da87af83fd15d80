/* SPDX-License-Identifier: MIT */
#include "device/backend.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "machine.h"
#include "memory.h"

enum { PIECE = ORR_PIECE_BYTES, FINE = 1 << 20, PART = ORR_PART_BYTES, SLOTS = ORR_STAGING_SLOTS };

/* One core alone is slower than the link to a GPU, so that others help it with the parts of a
 * piece. They are awake for a transfer and asleep between two. Nobody waits for a helper that has
 * not woken yet, as a parallel region of OpenMP would for every one of its threads, at its begin
 * and its end: in a virtual machine a core that idles takes up to milliseconds to come back. */
enum { HELPERS = 7 };

struct crew {
    pthread_t threads[HELPERS];
    int count;
    pthread_mutex_t mutex;
    pthread_cond_t begins;
    atomic_bool awake;
    bool ends;
    /* The piece that is worked on. Whoever takes a part, from the last to the first, may read what
     * follows: the next piece begins when all parts of this one are done. */
    atomic_size_t left, done;
    orr_piece *each;
    void *context;
    unsigned char *memory;
    size_t first, bytes;
    atomic_int failure; /* the first code that is not 0, and its message */
    char why[256];
};

struct orr_staging {
    unsigned char *memory;    /* SLOTS pieces */
    struct orr_pinned pinned; /* that memory; none where the system locks no more */
    int next;                 /* slot of the next upload */
    bool busy[SLOTS];         /* a copy was queued that nobody has awaited */
    struct crew crew;
};

/* --- those who help --- */

/* False where no part is left. */
static bool do_part(struct crew *crew)
{
    size_t left = atomic_load(&crew->left);
    while (left && !atomic_compare_exchange_weak(&crew->left, &left, left - 1))
        ;
    if (!left)
        return false;
    const size_t at = (left - 1) * PART, rest = crew->bytes - at;
    int code =
        crew->each(crew->context, crew->memory + at, crew->first + at, rest < PART ? rest : PART);
    int none = 0;
    if (code && atomic_compare_exchange_strong(&crew->failure, &none, code))
        snprintf(crew->why, sizeof crew->why, "%s", orr_error_text());
    atomic_fetch_add(&crew->done, 1);
    return true;
}

static void *help(void *context)
{
    struct crew *crew = context;
    for (;;) {
        pthread_mutex_lock(&crew->mutex);
        while (!crew->ends && !atomic_load(&crew->awake))
            pthread_cond_wait(&crew->begins, &crew->mutex);
        const bool ends = crew->ends;
        pthread_mutex_unlock(&crew->mutex);
        if (ends)
            return NULL;
        while (atomic_load(&crew->awake))
            if (!do_part(crew))
                sched_yield();
    }
}

/* As many as have a core beside the caller's. */
static void start_crew(struct crew *crew)
{
    cpu_set_t cores;
    int usable = sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);
    if (usable > orr_machine_threads())
        usable = orr_machine_threads();
    sigset_t all, before;
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->begins, NULL);
    sigfillset(&all); /* signals are for the thread that waits for them */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (crew->count < HELPERS && crew->count + 1 < usable &&
           !pthread_create(&crew->threads[crew->count], NULL, help, crew))
        crew->count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Little is done by the caller before the first helper is awake. */
static void wake_crew(const struct orr_device *device, size_t bytes)
{
    struct crew *crew = &device->staging->crew;
    if (!device->in_parts || !crew->count || bytes < ORR_STAGING_LEAST)
        return;
    pthread_mutex_lock(&crew->mutex);
    atomic_store(&crew->awake, true);
    pthread_cond_broadcast(&crew->begins);
    pthread_mutex_unlock(&crew->mutex);
}

static void release_crew(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    crew->ends = true;
    pthread_cond_broadcast(&crew->begins);
    pthread_mutex_unlock(&crew->mutex);
    for (int k = 0; k < crew->count; k++)
        pthread_join(crew->threads[k], NULL);
    pthread_cond_destroy(&crew->begins);
    pthread_mutex_destroy(&crew->mutex);
}

int orr_staging_share(struct orr_device *device, orr_piece *each, void *context, void *memory,
                      size_t first, size_t bytes)
{
    if (!device->staging || bytes <= PART)
        return each(context, memory, first, bytes);
    struct crew *crew = &device->staging->crew;
    crew->each = each;
    crew->context = context;
    crew->memory = memory;
    crew->first = first;
    crew->bytes = bytes;
    atomic_store(&crew->failure, 0);
    atomic_store(&crew->done, 0);
    const size_t parts = (bytes + PART - 1) / PART;
    atomic_store(&crew->left, parts);
    while (do_part(crew))
        ;
    while (atomic_load(&crew->done) < parts)
        sched_yield();
    const int code = atomic_load(&crew->failure);
    return code ? orr_fail(code, "%s", crew->why) : 0;
}

/* --- the ring --- */

static unsigned char *memory_of(const struct orr_device *device, int slot)
{
    return device->staging->memory + (size_t)slot * PIECE;
}

/* The first is filled, and the last is read, while nothing is on its way: what is done in parts is
 * done soon, and moves in finer pieces. */
static size_t piece_of(const struct orr_device *device)
{
    return device->in_parts ? FINE : PIECE;
}

static size_t piece_at(const struct orr_device *device, size_t first, size_t bytes)
{
    const size_t piece = piece_of(device);
    return bytes - first < piece ? bytes - first : piece;
}

/* Ordinary memory where the system locks no more: copies are slower then, and right. */
static int make_ring(struct orr_device *device)
{
    enum { PAGE = 4096 };
    const size_t bytes = (size_t)SLOTS * PIECE;
    if (!device->staging) {
        device->staging = orr_memory_get(sizeof *device->staging);
        start_crew(&device->staging->crew);
    }
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
    wake_crew(device, bytes);
    for (size_t first = 0; !code && first < bytes; first += piece_of(device)) {
        const int slot = staging->next;
        const size_t piece = piece_at(device, first, bytes);
        unsigned char *memory = memory_of(device, slot);
        code = await(device, slot);
        if (!code)
            code = fill(context, memory, first, piece);
        if (!code)
            code = device->ops->begin_upload(device, to, first, memory, piece, slot);
        staging->busy[slot] = !code;
        staging->next = (slot + 1) % SLOTS;
    }
    atomic_store(&staging->crew.awake, false);
    return code;
}

static int begin_download(struct orr_device *device, struct orr_buffer *from, size_t first,
                          size_t bytes)
{
    const int slot = (int)(first / piece_of(device) % SLOTS);
    int code = device->ops->begin_download(device, memory_of(device, slot), from, first,
                                           piece_at(device, first, bytes), slot);
    device->staging->busy[slot] = !code;
    return code;
}

int orr_staging_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                        orr_piece *take, void *context)
{
    const size_t piece = piece_of(device), ring = SLOTS * piece;
    int code = make_ring(device);
    for (int slot = 0; !code && slot < SLOTS; slot++)
        code = await(device, slot);
    for (size_t first = 0; !code && first < bytes && first < ring; first += piece)
        code = begin_download(device, from, first, bytes);
    wake_crew(device, bytes);
    for (size_t first = 0; !code && first < bytes; first += piece) {
        const int slot = (int)(first / piece % SLOTS);
        code = await(device, slot);
        if (!code)
            code = take(context, memory_of(device, slot), first, piece_at(device, first, bytes));
        if (!code && bytes - first > ring)
            code = begin_download(device, from, first + ring, bytes);
    }
    atomic_store(&device->staging->crew.awake, false);
    return code;
}

void orr_staging_release(struct orr_device *device)
{
    struct orr_staging *staging = device->staging;
    if (staging && staging->pinned.memory)
        device->ops->unpin(device, &staging->pinned);
    else if (staging)
        free(staging->memory);
    if (staging)
        release_crew(&staging->crew);
    free(staging);
    device->staging = NULL;
}

/* --- ordinary memory --- */

struct ordinary {
    struct orr_device *device;
    const unsigned char *from;
    unsigned char *to;
};

static int copy_in(void *context, void *memory, size_t first, size_t bytes)
{
    const struct ordinary *o = context;
    memcpy(memory, o->from + first, bytes);
    return 0;
}

static int copy_out(void *context, void *memory, size_t first, size_t bytes)
{
    const struct ordinary *o = context;
    memcpy(o->to + first, memory, bytes);
    return 0;
}

static int share(void *context, void *memory, size_t first, size_t bytes)
{
    const struct ordinary *o = context;
    return orr_staging_share(o->device, o->from ? copy_in : copy_out, context, memory, first,
                             bytes);
}

int orr_staging_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                       size_t bytes)
{
    struct ordinary ordinary = {.device = device, .from = from};
    device->in_parts = true;
    int code = orr_staging_send(device, to, bytes, share, &ordinary);
    device->in_parts = false;
    return code;
}

int orr_staging_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t bytes)
{
    struct ordinary ordinary = {.device = device, .to = to};
    device->in_parts = true;
    int code = orr_staging_receive(device, from, bytes, share, &ordinary);
    device->in_parts = false;
    return code;
}
