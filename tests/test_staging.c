/* SPDX-License-Identifier: MIT */
/* Transfers in pieces: the ring behind them, over every device that is present and over a CUDA
 * driver made up here, which copies as late as it may. */
#include <time.h>

#include "harness/device/cuda.h"
#include "tests/cases.h"
#include "tests/device_for_tests.h"

enum { PIECE = ORR_PIECE_BYTES, RING = ORR_STAGING_SLOTS * ORR_PIECE_BYTES };
static const size_t sizes[] = {4,         4096, ORR_STAGING_LEAST,      PIECE - 4, PIECE,
                               PIECE + 4, RING, 2 * RING + PIECE + 4096};

/* --- a driver that copies when it is waited for --- */

enum { MOST_COPIES = 64, EVENTS = 64 };
static struct {
    struct {
        void *to;
        const void *from;
        size_t bytes;
    } copies[MOST_COPIES];
    int first, last;       /* those that are queued */
    int marks[EVENTS];     /* copies queued before the event was recorded */
    int events;            /* made */
    bool forgets, refuses; /* no copy is made at an event; no memory is locked */
    int pinned;            /* allocations */
} driver;

static void copy_until(int last)
{
    for (; driver.first < last; driver.first++)
        memcpy(driver.copies[driver.first % MOST_COPIES].to,
               driver.copies[driver.first % MOST_COPIES].from,
               driver.copies[driver.first % MOST_COPIES].bytes);
}

static orr_cu_enum queue(void *to, const void *from, size_t bytes)
{
    if (driver.last - driver.first == MOST_COPIES)
        copy_until(driver.first + 1);
    driver.copies[driver.last % MOST_COPIES].to = to;
    driver.copies[driver.last % MOST_COPIES].from = from;
    driver.copies[driver.last++ % MOST_COPIES].bytes = bytes;
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_upload(orr_cu_pointer to, const void *from, size_t bytes,
                               struct CUstream_st *stream)
{
    return queue((void *)(uintptr_t)to, from, bytes);
}

static orr_cu_enum fake_download(void *to, orr_cu_pointer from, size_t bytes,
                                 struct CUstream_st *stream)
{
    return queue(to, (const void *)(uintptr_t)from, bytes);
}

static orr_cu_enum fake_fill(orr_cu_pointer to, unsigned word, size_t count,
                             struct CUstream_st *stream)
{
    copy_until(driver.last);
    for (size_t k = 0; k < count; k++)
        memcpy((char *)(uintptr_t)to + k * sizeof word, &word, sizeof word);
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_stream_wait(struct CUstream_st *stream)
{
    copy_until(driver.last);
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_event_create(struct CUevent_st **event, unsigned flags)
{
    assert_true(driver.events < EVENTS);
    *event = (struct CUevent_st *)(uintptr_t)++driver.events;
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_event_destroy(struct CUevent_st *event)
{
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_event_record(struct CUevent_st *event, struct CUstream_st *stream)
{
    driver.marks[(uintptr_t)event - 1] = driver.last;
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_event_wait(struct CUevent_st *event)
{
    if (!driver.forgets)
        copy_until(driver.marks[(uintptr_t)event - 1]);
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_memory_alloc(orr_cu_pointer *pointer, size_t bytes)
{
    *pointer = (uintptr_t)malloc(bytes);
    return *pointer ? ORR_CU_SUCCESS : ORR_CU_OUT_OF_MEMORY;
}

static orr_cu_enum fake_memory_free(orr_cu_pointer pointer)
{
    free((void *)(uintptr_t)pointer);
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_pinned_alloc(void **memory, size_t bytes, unsigned flags)
{
    if (driver.refuses)
        return ORR_CU_OUT_OF_MEMORY;
    driver.pinned++;
    *memory = malloc(bytes);
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_pinned_free(void *memory)
{
    driver.pinned--;
    free(memory);
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_context_release(int device)
{
    return ORR_CU_SUCCESS;
}

static orr_cu_enum fake_error_text(orr_cu_enum error, const char **out)
{
    *out = "made up";
    return ORR_CU_SUCCESS;
}

static struct orr_device *open_fake(void)
{
    static const struct orr_cuda_api api = {.error_name = fake_error_text,
                                            .error_string = fake_error_text,
                                            .upload = fake_upload,
                                            .download = fake_download,
                                            .fill = fake_fill,
                                            .stream_wait = fake_stream_wait,
                                            .stream_destroy = fake_stream_wait,
                                            .event_create = fake_event_create,
                                            .event_destroy = fake_event_destroy,
                                            .event_record = fake_event_record,
                                            .event_wait = fake_event_wait,
                                            .memory_alloc = fake_memory_alloc,
                                            .memory_free = fake_memory_free,
                                            .host_alloc = fake_pinned_alloc,
                                            .host_free = fake_pinned_free,
                                            .context_release = fake_context_release};
    struct cuda_device *cuda = calloc(1, sizeof *cuda);
    memset(&driver, 0, sizeof driver);
    cuda->api = &api;
    cuda->base.ops = &orr_cuda_ops;
    cuda->stream = (struct CUstream_st *)&driver;
    orr_guard_attach(&cuda->base);
    return &cuda->base;
}

/* --- what is moved --- */

static uint32_t word_at(size_t k)
{
    return (uint32_t)k * 2654435761u;
}

struct pieces {
    size_t next; /* byte that the next piece begins with */
    bool wrong;
    int fails_at; /* piece, from 0; -1: none */
};

static int fill(void *context, void *memory, size_t first, size_t bytes)
{
    struct pieces *p = context;
    uint32_t *words = memory;
    p->wrong |= first != p->next || !bytes;
    p->next = first + bytes;
    for (size_t k = 0; k < bytes / 4; k++)
        words[k] = word_at(first / 4 + k);
    return p->fails_at >= 0 && first / PIECE == (size_t)p->fails_at ? ORR_EUNSUPPORTED : 0;
}

static int compare(void *context, void *memory, size_t first, size_t bytes)
{
    struct pieces *p = context;
    const uint32_t *words = memory;
    p->wrong |= first != p->next || !bytes;
    p->next = first + bytes;
    for (size_t k = 0; k < bytes / 4; k++)
        p->wrong |= words[k] != word_at(first / 4 + k);
    return p->fails_at >= 0 && first / PIECE == (size_t)p->fails_at ? ORR_EUNSUPPORTED : 0;
}

/* Whether they come back as they went. */
static bool comes_back(struct orr_device *d, struct orr_buffer *buffer, size_t bytes)
{
    struct pieces to = {.fails_at = -1}, from = to;
    good(orr_send(d, buffer, bytes, fill, &to));
    assert_false(to.wrong);
    assert_true(to.next == bytes);
    good(orr_receive(d, buffer, bytes, compare, &from));
    assert_true(from.next == bytes);
    return !from.wrong;
}

static void on_all(void (*each)(struct orr_device *))
{
    struct orr_device *fake = open_fake();
    each(fake);
    orr_device_close(fake);
    assert_int_equal(driver.pinned, 0);
    on_devices(each);
}

#define TEST_ON_ALL(name) TEST_EACH(name, on_all, struct orr_device *d)

TEST_ON_ALL(pieces_arrive)
{
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        ROOM *buffer = room_of(d, 0, sizes[s]);
        assert_true(comes_back(d, buffer, sizes[s]));
        assert_int_equal(orr_send(d, buffer, sizes[s] + 4, fill, NULL), ORR_EINTERNAL);
        assert_int_equal(orr_receive(d, buffer, sizes[s] + 4, compare, NULL), ORR_EINTERNAL);
        orr_error_clear();
        good(orr_send(d, buffer, 0, fill, NULL));
        good(orr_device_check_guards(d));
    }
}

/* Ordinary memory, which is the caller's again at once. */
TEST_ON_ALL(ordinary_memory_arrives)
{
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        ROOM *buffer = room(d, sizes[s]);
        unsigned char *in = malloc(sizes[s]), *out = calloc(1, sizes[s]), *kept = malloc(sizes[s]);
        for (size_t k = 0; k < sizes[s]; k++)
            in[k] = kept[k] = (unsigned char)(word_at(k) >> 24);
        good(orr_upload(d, buffer, in, sizes[s]));
        memset(in, 0, sizes[s]);
        good(orr_download(d, out, buffer, sizes[s]));
        assert_memory_equal(out, kept, sizes[s]);
        free(in);
        free(out);
        free(kept);
    }
}

/* What fails midway leaves nothing behind that the next transfer could meet. */
TEST_ON_ALL(failures_leave_nothing)
{
    ROOM *buffer = room(d, 2 * RING);
    struct pieces to = {.fails_at = 1}, from = to;
    if (!strcmp(d->info.backend, "host"))
        to.fails_at = from.fails_at = 0;
    assert_int_equal(orr_send(d, buffer, 2 * RING, fill, &to), ORR_EUNSUPPORTED);
    assert_true(comes_back(d, buffer, 2 * RING));
    assert_int_equal(orr_receive(d, buffer, 2 * RING, compare, &from), ORR_EUNSUPPORTED);
    assert_true(comes_back(d, buffer, 2 * RING));
}

/* A variant's own work is not taken for moving bytes. */
static int dawdle(void *context, void *memory, size_t first, size_t bytes)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return fill(context, memory, first, bytes);
}

TEST_ON_ALL(callers_work_is_counted_apart)
{
    ROOM *buffer = room_of(d, 0, 4096);
    struct pieces p = {.fails_at = -1};
    good(orr_send(d, buffer, 4096, fill, &p)); /* makes the ring */
    good(orr_sync(d));
    p.next = 0;
    const double before = d->use.moving_s;
    good(orr_send(d, buffer, 4096, dawdle, &p));
    assert_true(d->use.moving_s - before < 0.04);
}

/* --- columns and rows --- */

enum { ROWS = 1200007, AHEAD = 3, AFTER_THEM = 62 };
static double columns_of[4][ROWS];
static float back[4][ROWS];

static struct orr_columns some_columns(int width, bool whole)
{
    struct orr_columns c = {.width = width,
                            .rows = ROWS,
                            .at = AHEAD,
                            .total = AHEAD + ROWS + AFTER_THEM,
                            .outside = 1e9f};
    for (int p = 0; p < width; p++) {
        c.column[p] = whole || p != 3 ? columns_of[p] : NULL;
        c.about[p] = 0.1 * p;
        for (size_t k = 0; k < ROWS; k++)
            columns_of[p][k] = (double)word_at(4 * k + (size_t)p) / 3e9;
    }
    return c;
}

static void expect_rows(struct orr_device *d, struct orr_buffer *buffer,
                        const struct orr_columns *c)
{
    const size_t width = (size_t)c->width;
    RELEASED_BY(free_text) float *rows = malloc(c->total * width * sizeof *rows);
    good(orr_download(d, rows, buffer, c->total * width * sizeof *rows));
    for (size_t i = 0; i < c->total; i++)
        for (size_t p = 0; p < width; p++) {
            const bool inside = i >= AHEAD && i < AHEAD + ROWS;
            const float wanted = !inside        ? p < 3 ? 1e9f : 0
                                 : c->column[p] ? (float)(columns_of[p][i - AHEAD] - c->about[p])
                                                : 0;
            assert_true(rows[i * width + p] == wanted);
        }
}

static void columns_come_back(struct orr_device *d, int width, bool whole)
{
    const struct orr_columns c = some_columns(width, whole);
    struct orr_float_columns to = {.width = width, .rows = ROWS, .at = AHEAD};
    ROOM *buffer = room(d, c.total * (size_t)width * sizeof(float));
    good(orr_upload_columns(d, buffer, &c));
    expect_rows(d, buffer, &c);
    memset(back, 0, sizeof back);
    for (int p = 0; p < width; p++)
        to.column[p] = whole || p != 3 ? back[p] : NULL;
    good(orr_download_columns(d, &to, buffer));
    for (int p = 0; p < width; p++)
        for (size_t k = 0; k < ROWS && to.column[p]; k++)
            assert_true(back[p][k] == (float)(columns_of[p][k] - c.about[p]));
}

TEST_ON_ALL(columns_arrive)
{
    columns_come_back(d, 4, true);
    columns_come_back(d, 4, false);
    columns_come_back(d, 1, true);
    const struct orr_columns far = {.width = 1, .rows = 2, .at = 1, .total = 2};
    ROOM *buffer = room(d, 2 * sizeof(float));
    assert_int_equal(orr_upload_columns(d, buffer, &far), ORR_EINTERNAL);
    orr_error_clear();
    good(orr_upload_columns(d, buffer, &(struct orr_columns){.width = 4}));
}

/* What the device makes of locked columns is what the host makes of others. These devices lock
 * nothing, and copy from ordinary memory. */
static int locked;

static bool lock_nothing(struct orr_device *d, void *memory, size_t bytes)
{
    locked++;
    return true;
}

static void unlock_nothing(struct orr_device *d, void *memory)
{
    locked--;
}

TEST_EACH(locked_columns_are_converted_by_the_device, on_devices, struct orr_device *d)
{
    const struct orr_device_ops *own = d->ops;
    struct orr_device_ops verbs = *own;
    const struct orr_device_use use = d->use;
    const int kernels = d->kernel_count;
    if (!d->info.fp64 || !own->await)
        return;
    verbs.lock = lock_nothing;
    verbs.unlock = unlock_nothing;
    d->ops = &verbs;
    locked = 0;
    orr_device_lock(d, columns_of, sizeof columns_of);
    orr_device_lock(d, back, sizeof back);
    orr_device_lock(d, driver.copies, 8);
    assert_int_equal(locked, 2);
    columns_come_back(d, 4, true);
    columns_come_back(d, 4, false);
    columns_come_back(d, 1, true);
    orr_device_unlock(d);
    assert_int_equal(locked, 0);
    assert_int_equal(d->kernel_count, kernels);
    assert_true(d->use.buffers == use.buffers && d->use.launches == use.launches);
    d->ops = own;
}

/* That these tests would see a slot that is used too early. */
TEST(a_forgotten_wait_is_seen)
{
    RELEASED_BY(close_device) struct orr_device *d = open_fake();
    ROOM *buffer = room(d, 2 * RING);
    assert_true(comes_back(d, buffer, 2 * RING));
    driver.forgets = true;
    assert_false(comes_back(d, buffer, 2 * RING));
}

TEST(without_locked_memory_all_arrives)
{
    RELEASED_BY(close_device) struct orr_device *d = open_fake();
    ROOM *buffer = room(d, 2 * RING);
    driver.refuses = true;
    assert_true(comes_back(d, buffer, 2 * RING));
}

RUN_TESTS(setup, NULL)
