/* SPDX-License-Identifier: MIT */
/* What kernels write beside their buffers is found, use is counted and work behind the queue's back
 * shows, over every device that is present. */
#include "clock.h"
#include "device/cuda.h"
#include "tests/cases.h"
#include "tests/device_for_tests.h"

enum { WORDS = 100, BYTES = 4 * WORDS };
static const uint32_t planted = 0x40490fdbu;

static char guard_text[sizeof dialect];
static const struct orr_source guard_source = {"guard", guard_text};

static int setup_guards(void **state)
{
    int code = setup(state);
    strcpy(guard_text, dialect);
    return code ? code : append_program(guard_text, "tests/data/guard.cl");
}

static void on_kernels(with_program *each)
{
    on_built(each, &guard_source);
}

/* The device's own kernel writes the word, or on the host, which has none, the backend. */
static void plant(struct orr_device *d, struct orr_program *p, struct orr_buffer *buffer, int at)
{
    const struct orr_arg args[] = {ORR_BUF(buffer), ORR_I32(at), ORR_U32(planted)};
    if (p)
        run_kernel(d, p, "plant", 1, 1, args, 3);
    else
        good(d->ops->poke(d, buffer, 4 * at, &planted, sizeof planted));
}

static void expect_wrong(struct orr_device *d, const char *expected)
{
    assert_int_equal(orr_device_check_guards(d), ORR_EWRONG);
    assert_string_equal(orr_error_text(), expected);
    orr_error_clear();
    good(orr_device_check_guards(d));
}

static void write_within(struct orr_device *d)
{
    static const size_t sizes[] = {0, 1, 3, 4, 63, BYTES, 5000};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    unsigned char ones[5000], out[5000];
    struct orr_buffer *buffers[COUNT];
    memset(ones, 1, sizeof ones);
    for (int k = 0; k < COUNT; k++) {
        buffers[k] = room(d, sizes[k]);
        good(orr_upload(d, buffers[k], ones, sizes[k]));
        good(orr_fill(d, buffers[k], 0x01010101u, sizes[k] / 4 * 4));
    }
    good(orr_copy(d, buffers[COUNT - 1], buffers[COUNT - 2], BYTES));
    good(orr_device_check_guards(d));
    for (int k = 0; k < COUNT; k++) {
        good(orr_download(d, out, buffers[k], sizes[k]));
        assert_memory_equal(out, ones, sizes[k]);
        orr_free(d, buffers[k]);
    }
    good(orr_device_check_guards(d));
}

TEST(whole_buffers_are_nobodys_fault)
{
    on_devices(write_within);
}

#define TEST_ON_KERNELS(name) \
    TEST_EACH(name, on_kernels, struct orr_device *d, struct orr_program *p)

static void everywhere(with_program *each)
{
    RELEASED_BY(close_device) struct orr_device *host = open_device(device_count - 1);
    on_kernels(each);
    each(host, NULL);
}

#define TEST_EVERYWHERE(name) \
    TEST_EACH(name, everywhere, struct orr_device *d, struct orr_program *p)

TEST_EVERYWHERE(writes_beside_a_buffer_are_found)
{
    uint32_t out[WORDS];
    ROOM *other = room(d, BYTES), *x = room_of(d, 0, BYTES), *last = room(d, BYTES);
    plant(d, p, x, WORDS - 1);
    good(orr_device_check_guards(d));
    plant(d, p, x, WORDS);
    expect_wrong(d, "the variant wrote 4 bytes beyond the end of a buffer of 400 bytes");
    plant(d, p, x, WORDS + ORR_ZONE_BYTES / 4 - 1);
    expect_wrong(d, "the variant wrote 4096 bytes beyond the end of a buffer of 400 bytes");
    if (x->before) {
        plant(d, p, x, -1);
        expect_wrong(d, "the variant wrote 4 bytes before the start of a buffer of 400 bytes");
        plant(d, p, x, -(int)x->before / 4);
        expect_wrong(d, "the variant wrote 4096 bytes before the start of a buffer of 400 bytes");
    }
    good(orr_download(d, out, x, BYTES));
    for (int k = 0; k < WORDS; k++)
        assert_int_equal(out[k], k == WORDS - 1 ? planted : 0);
}

TEST_EVERYWHERE(freed_buffers_are_remembered)
{
    struct orr_buffer *kept = room(d, BYTES), *x = room(d, BYTES), *y = room(d, 8);
    plant(d, p, x, WORDS);
    plant(d, p, y, 2);
    orr_free(d, x);
    orr_free(d, y);
    assert_int_equal(orr_error_code(), 0);
    expect_wrong(d, "the variant wrote 4 bytes beyond the end of a buffer of 400 bytes");
    orr_free(d, kept);
}

TEST_EVERYWHERE(empty_buffers_have_zones)
{
    ROOM *nothing = room(d, 0);
    good(orr_device_check_guards(d));
    plant(d, p, nothing, 0);
    expect_wrong(d, "the variant wrote 4 bytes beyond the end of a buffer of 0 bytes");
}

/* Half of a double, too, makes it one. */
TEST_ON_KERNELS(reads_beyond_a_buffer_are_nan)
{
    ROOM *x = room_of(d, 0, BYTES), *out = room(d, 4);
    for (int at = WORDS; at < WORDS + 20; at++) {
        const struct orr_arg args[] = {ORR_BUF(x), ORR_I32(at), ORR_BUF(out)};
        uint32_t word;
        uint64_t wide;
        float single;
        double twice;
        run_kernel(d, p, "take", 1, 1, args, 3);
        good(orr_download(d, &word, out, sizeof word));
        wide = (uint64_t)word << 32;
        memcpy(&single, &word, sizeof single);
        memcpy(&twice, &wide, sizeof twice);
        assert_true(isnan(single) && isnan(twice));
    }
}

/* Lent memory lies as memory without zones did. */
TEST_ON_KERNELS(lent_memory_is_aligned)
{
    const uint32_t expected = !strcmp(d->info.backend, "cuda") ? 512 : 64;
    ROOM *out = room(d, 4);
    for (size_t bytes = 4; bytes < 1 << 20; bytes = 5 * bytes + 4) {
        uint32_t at;
        ROOM *x = room(d, bytes);
        const struct orr_arg args[] = {ORR_BUF(x), ORR_BUF(out)};
        run_kernel(d, p, "address", 1, 1, args, 2);
        good(orr_download(d, &at, out, sizeof at));
        assert_int_equal(at % expected, 0);
    }
}

static void work_without_zones(struct orr_device *d)
{
    assert_int_equal(d->zone, 0);
    write_within(d);
}

TEST(zones_can_be_left_out)
{
    setenv("ORRERY_GUARDS", "off", 1);
    on_devices(work_without_zones);
    unsetenv("ORRERY_GUARDS");
}

TEST_EVERYWHERE(use_is_counted)
{
    uint32_t words[4] = {0};
    const struct orr_device_use *use = &d->use;
    assert_int_equal(use->buffers + use->bytes + use->launches + use->uploaded, 0);
    struct orr_buffer *x = room(d, BYTES), *empty = room(d, 0);
    assert_int_equal(use->buffers, 2);
    assert_int_equal(use->bytes, BYTES);
    good(orr_upload(d, x, words, sizeof words));
    good(orr_download(d, words, x, 8));
    good(orr_fill(d, x, 0, BYTES));
    assert_int_equal(orr_upload(d, x, words, BYTES + 1), ORR_EINTERNAL);
    orr_error_clear();
    if (p) {
        const struct orr_launch unknown = {.kernel = "nothing"};
        plant(d, p, x, 0);
        plant(d, p, x, 1);
        assert_int_equal(orr_launch(d, p, &unknown), ORR_EINTERNAL);
        orr_error_clear();
    }
    good(orr_device_check_guards(d));
    assert_int_equal(use->launches, p ? 2 : 0);
    assert_int_equal(use->uploaded, 16);
    assert_int_equal(use->downloaded, 8);
    orr_free(d, x);
    orr_free(d, NULL);
    assert_int_equal(use->buffers, 1);
    assert_int_equal(use->bytes, 0);
    orr_free(d, empty);
    assert_int_equal(use->buffers, 0);
}

/* Fills on a stream of its own, as a variant could make one: longer than anything idle takes. */
static void work_behind_the_queue(struct orr_device *d)
{
    const struct orr_cuda_api *api = orr_cuda_library(ORR_CUDA_DRIVER, NULL);
    enum { WIDE = 1 << 28, TIMES = 400 };
    struct CUstream_st *stream = NULL;
    orr_cu_pointer memory;
    double seconds, start;
    assert_int_equal(api->memory_alloc(&memory, WIDE), 0);
    assert_int_equal(api->stream_create(&stream, ORR_CU_STREAM_NON_BLOCKING), 0);
    for (int k = 0; k < TIMES; k++)
        assert_int_equal(api->fill(memory, 0, WIDE / 4, stream), 0);
    good(orr_device_drain(d, &seconds));
    assert_true(seconds > 2e-3);
    start = orr_clock_now();
    assert_int_equal(api->stream_wait(stream), 0);
    assert_true(orr_clock_now() - start < seconds / 2);
    api->stream_destroy(stream);
    api->memory_free(memory);
}

TEST_ON_DEVICES(hidden_work_is_waited_for)
{
    double seconds, best = INFINITY;
    if (!strcmp(d->info.backend, "cuda"))
        work_behind_the_queue(d);
    for (int k = 0; k < 20; k++) {
        good(orr_device_drain(d, &seconds));
        best = fmin(best, seconds);
    }
    assert_true(best < 1e-3);
}

RUN_TESTS(setup_guards, NULL)
