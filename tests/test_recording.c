/* SPDX-License-Identifier: MIT */
/* Recording of what is queued: with a backend of our own, which notes what it is asked for, and on
 * every device that records. */
#include "device_for_tests.h"

#include "device/backend.h"

/* --- a backend that notes --- */

struct orr_recording {
    char text[64];
};

static char done[256], noted[64];
static bool noting, broken;

static int note(const char *what)
{
    char *to = noting ? noted : done;
    strcat(to, what);
    return 0;
}

static int fake_launch(struct orr_device *d, struct orr_program *p, const struct orr_launch *l)
{
    return note(l->kernel);
}

static int fake_sync(struct orr_device *d)
{
    return note("s");
}

static int fake_move(struct orr_device *d, struct orr_buffer *buffer, ptrdiff_t at, void *memory,
                     size_t bytes, bool writes, int slot)
{
    return note("d");
}

static int fake_record(struct orr_device *d)
{
    noting = true;
    noted[0] = '\0';
    return 0;
}

static int fake_record_end(struct orr_device *d, struct orr_recording **out)
{
    noting = false;
    if (!out || broken)
        return 0;
    *out = calloc(1, sizeof **out);
    strcpy((*out)->text, noted);
    return 0;
}

static int fake_replay(struct orr_device *d, struct orr_recording *r)
{
    return note(r->text);
}

static void fake_erase(struct orr_device *d, struct orr_recording *r)
{
    free(r);
}

static const struct orr_device_ops fake_ops = {.launch = fake_launch,
                                               .sync = fake_sync,
                                               .move = fake_move,
                                               .record = fake_record,
                                               .record_end = fake_record_end,
                                               .replay = fake_replay,
                                               .erase = fake_erase};

static int launch_twice(void *context)
{
    struct orr_device *d = context;
    int code = orr_launch(d, NULL, &(struct orr_launch){.kernel = "a"});
    return code ? code : orr_launch(d, NULL, &(struct orr_launch){.kernel = "b"});
}

static int waits(void *context)
{
    int code = launch_twice(context);
    return code ? code : orr_sync(context);
}

static int reads(void *context)
{
    struct orr_buffer buffer = {.bytes = 4};
    int word;
    launch_twice(context);
    orr_download(context, &word, &buffer, sizeof word);
    return 0; /* and says nothing */
}

static int fails(void *context)
{
    return orr_fail(ORR_EINTERNAL, "of its own");
}

static struct orr_device *fake(struct orr_device *device)
{
    *device = (struct orr_device){.ops = &fake_ops};
    done[0] = '\0';
    broken = false;
    orr_guard_attach(device);
    return device;
}

TEST(test_replays_what_was_queued)
{
    struct orr_device device, *d = fake(&device);
    struct orr_recording *r;
    assert_int_equal(orr_device_record(d, &r, launch_twice, d), 0);
    assert_non_null(r);
    assert_string_equal(done, "");
    assert_int_equal(d->use.launches, 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(orr_device_replay(d, r), 0);
    assert_string_equal(done, "ababab");
    assert_int_equal(d->use.launches, 6);
    orr_device_erase(d, r);
    free(d->guard);
}

/* What reads or waits is not recorded, and runs afterwards as if nobody had tried. */
TEST(test_refuses_what_waits)
{
    int (*const queues[])(void *) = {waits, reads};
    for (int k = 0; k < 2; k++) {
        struct orr_device device, *d = fake(&device);
        struct orr_recording *r;
        assert_int_equal(orr_device_record(d, &r, queues[k], d), 0);
        assert_null(r);
        assert_string_equal(done, "");
        assert_int_equal(orr_error_code(), 0);
        assert_int_equal(d->use.launches, 0);
        assert_false(d->lost);
        assert_int_equal(queues[k](d), 0);
        assert_string_equal(done, k ? "abd" : "abs");
        free(d->guard);
    }
}

TEST(test_not_everything_records)
{
    struct orr_device device, *d = fake(&device);
    struct orr_recording *r;
    assert_int_equal(orr_device_record(d, &r, fails, d), ORR_EINTERNAL);
    assert_null(r);
    orr_error_clear();
    broken = true;
    assert_int_equal(orr_device_record(d, &r, launch_twice, d), 0);
    assert_null(r);
    broken = false;
    setenv("ORRERY_RECORD", "off", 1);
    assert_int_equal(orr_device_record(d, &r, launch_twice, d), 0);
    assert_null(r);
    unsetenv("ORRERY_RECORD");
    free(d->guard);
}

RUN_TESTS(NULL, NULL)
