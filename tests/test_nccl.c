/* SPDX-License-Identifier: MIT */
/* Exchanges by NCCL: over one made up here, whose ranks are threads, and over NVIDIA's with one
 * rank where there is a GPU. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>

#include "harness/device/cuda.h"
#include "harness/error.h"
#include "harness/paths.h"
#include "ranks/nccl.h"
#include "tests/cases.h"
#include "tests/drivers/nccl.h"
#include "tests/mpi_for_tests.h"

enum { RANKS = 3, PIECE = 5 };

/* NCCL's id needs an MPI. */
static const struct orr_mpi mpi = {
    .barrier = meet, .all_gather = all_gather, .library = library, .error = library};

/* --- CUDA devices whose memory is the host's --- */

static __thread char phases[256];
static int note_phase(struct orr_device *device, const char *name)
{
    strcat(strcat(phases, name ? name : "-"), " ");
    return 0;
}
static const struct orr_device_ops no_device = {.backend = "cuda", .phase = note_phase};

static void pretend_device(struct cuda_device *out, int rank)
{
    *out = (struct cuda_device){.base = {.ops = &no_device},
                                .stream = (struct CUstream_st *)(void *)&team};
    strcpy(out->base.info.backend, "cuda");
    snprintf(out->base.info.id, sizeof out->base.info.id, "cuda:%d", rank);
    strcpy(out->base.info.name, "a GPU");
    snprintf(out->base.info.uuid, sizeof out->base.info.uuid, "GPU-%d", rank);
}

static struct cuda_buffer pretend_buffer(void *memory)
{
    return (struct cuda_buffer){.pointer = (orr_cu_pointer)(uintptr_t)memory};
}

static struct fake_nccl *use_fake_nccl(void)
{
    char program[PATH_MAX], path[PATH_MAX + 64];
    assert_int_equal(orr_paths_program(program, sizeof program), 0);
    snprintf(path, sizeof path, "%s/drivers/nccl.so", dirname(program));
    setenv("ORRERY_NCCL", path, 1);
    void *library_of_tests = dlopen(path, RTLD_NOW);
    assert_non_null(library_of_tests);
    struct fake_nccl *fake = dlsym(library_of_tests, "fake_nccl");
    assert_non_null(fake);
    *fake = (struct fake_nccl){0};
    return fake;
}

/* --- what every rank does; NULL, or what was wrong --- */

typedef const char *work(struct orr_ranks *ranks);
static work *todo;

static __thread struct cuda_device pretended;

static void *be_rank(void *number)
{
    struct orr_ranks *ranks;
    own_rank = (int)(intptr_t)number;
    *phases = '\0';
    pretend_device(&pretended, own_rank);
    const struct orr_mpi_place place = {.rank = own_rank, .size = team.size};
    static __thread char text[512];
    if (orr_ranks_open(&ranks, &mpi, &place, &pretended.base, NULL, -1, ignore_stage)) {
        snprintf(text, sizeof text, "%s", orr_error_text());
        orr_error_clear();
        return strdup(text);
    }
    const char *wrong = todo(ranks);
    orr_ranks_close(ranks);
    return wrong ? strdup(wrong) : NULL;
}

/* What was wrong on the ranks must begin with `expected`, "" for nothing. */
static void on_ranks(int size, work *what, const char *expected)
{
    pthread_t threads[RANKS];
    begin_team(size);
    todo = what;
    for (int k = 0; k < size; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, be_rank, (void *)(intptr_t)k), 0);
    for (int k = 0; k < size; k++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[k], &wrong), 0);
        if (!wrong != !*expected || (wrong && strncmp(wrong, expected, strlen(expected)) != 0))
            fail_msg("rank %d: '%s', not '%s'", k, wrong ? (char *)wrong : "", expected);
        free(wrong);
    }
}

static const char *gathers_and_adds_up(struct orr_ranks *ranks)
{
    float all[RANKS * PIECE] = {0}, sums[PIECE] = {0};
    struct cuda_buffer from = pretend_buffer(all), to = pretend_buffer(sums);
    if (strcmp(orr_ranks_transport(ranks), "NCCL 2.28.3") != 0)
        return "it is not NCCL that connects them";
    for (int i = 0; i < PIECE; i++)
        all[ranks->rank * PIECE + i] = (float)(10 * ranks->rank + i);
    if (orr_ranks_gather(ranks, &from.base, sizeof sums))
        return "gather fails";
    for (int i = 0; i < RANKS * PIECE; i++)
        if (all[i] != (float)(i / PIECE * 10 + i % PIECE)) /* NOLINT(bugprone-integer-division) */
            return "what was gathered is not in its place";
    if (orr_ranks_reduce(ranks, &from.base, &to.base, PIECE))
        return "reduce fails";
    for (int i = 0; i < PIECE; i++)
        if (sums[i] != (float)(RANKS * (10 * ranks->rank + i)))
            return "the sums are not those of the rank's own part";
    return strcmp(phases, "exchange - exchange - ") ? "phases do not tell exchanges" : NULL;
}

/* To each other rank two messages in order, and one of nothing, from inside of a buffer. */
static const char *exchanges(struct orr_ranks *ranks)
{
    float out[8], in[RANKS * 8] = {0};
    struct cuda_buffer from = pretend_buffer(out), to = pretend_buffer(in);
    struct orr_ranks_part parts[6 * RANKS];
    int count = 0;
    for (int i = 0; i < 8; i++)
        out[i] = (float)(100 * ranks->rank + i);
    for (int k = 0; k < RANKS; k++) {
        size_t own = (size_t)k * 32;
        if (k == ranks->rank)
            continue;
        parts[count++] = (struct orr_ranks_part){k, true, &from.base, 4, 12};
        parts[count++] = (struct orr_ranks_part){k, true, &from.base, 0, 0};
        parts[count++] = (struct orr_ranks_part){k, true, &from.base, 20, 8};
        parts[count++] = (struct orr_ranks_part){k, false, &to.base, own, 12};
        parts[count++] = (struct orr_ranks_part){k, false, &to.base, 0, 0};
        parts[count++] = (struct orr_ranks_part){k, false, &to.base, own + 12, 8};
    }
    if (orr_ranks_exchange(ranks, parts, count))
        return "exchange fails";
    static const int came[] = {1, 2, 3, 5, 6};
    for (int k = 0; k < RANKS; k++)
        for (int i = 0; i < 5; i++)
            if (k != ranks->rank && in[8 * k + i] != (float)(100 * k + came[i]))
                return "a message is not where it belongs";
    return NULL;
}

TEST(ranks_exchange_by_nccl)
{
    struct fake_nccl *fake = use_fake_nccl();
    on_ranks(RANKS, gathers_and_adds_up, "");
    on_ranks(RANKS, exchanges, "");
    assert_ptr_equal(fake->stream, &team); /* the device's own queue */
    char text[192];
    assert_true(orr_nccl_describe(text, sizeof text));
    assert_int_equal(strncmp(text, "NCCL 2.", 7), 0);
}

/* One that has no recording is enough. */
static const char *agrees(struct orr_ranks *ranks)
{
    bool all = ranks->rank != 1, yes = true;
    if (!orr_ranks_by_device(ranks) || ranks->ops->agree(ranks, &all) || all)
        return "the ranks agree that all have what one has not";
    return ranks->ops->agree(ranks, &yes) || !yes ? "the ranks do not agree" : NULL;
}

TEST(what_one_rank_cannot_record_none_does)
{
    use_fake_nccl();
    on_ranks(RANKS, agrees, "");
}

static const char *fails_in_each_verb(struct orr_ranks *ranks)
{
    float all[RANKS * PIECE] = {0};
    struct cuda_buffer buffer = pretend_buffer(all);
    struct orr_ranks_part parts[] = {{!ranks->rank, true, &buffer.base, 0, 4},
                                     {!ranks->rank, false, &buffer.base, 4, 4}};
    static __thread char text[256];
    struct fake_nccl *fake = dlsym(dlopen(getenv("ORRERY_NCCL"), RTLD_NOW), "fake_nccl");
    fake->refuses = 1;
    pretended.base.recording = true;
    const int codes[] = {orr_ranks_gather(ranks, &buffer.base, 4),
                         orr_ranks_reduce(ranks, &buffer.base, &buffer.base, 1),
                         orr_ranks_exchange(ranks, parts, 2)};
    snprintf(text, sizeof text, "%s", orr_error_text());
    orr_error_clear();
    for (int k = 0; k < 3; k++)
        if (codes[k] != ORR_EDEVICE || !pretended.base.unrecorded)
            return "a verb does not tell";
    return text;
}

TEST(what_nccl_refuses_is_told)
{
    struct fake_nccl *fake = use_fake_nccl();
    on_ranks(2, fails_in_each_verb, "NCCL, all-gather: unhandled system error");
    fake->refuses = FAKE_NCCL_INVALID;
    on_ranks(2, fails_in_each_verb,
             "NCCL does not connect the ranks: invalid usage; ORRERY_NCCL=off goes through host");
}

static const char *goes_through_the_host(struct orr_ranks *ranks)
{
    return strcmp(orr_ranks_transport(ranks), "threads through host memory (ORRERY_NCCL=off)")
               ? orr_ranks_transport(ranks)
               : NULL;
}

TEST(without_nccl_it_is_the_host)
{
    char text[192];
    setenv("ORRERY_NCCL", "off", 1);
    assert_false(orr_nccl_describe(text, sizeof text));
    assert_string_equal(text, "ORRERY_NCCL=off");
    on_ranks(2, goes_through_the_host, "");
    unsetenv("ORRERY_NCCL");
}

/* --- NVIDIA's --- */

static void moves_by_itself(struct orr_ranks *ranks, struct orr_device *device)
{
    enum { ITEMS = 1 << 20 };
    static float sent[ITEMS], back[ITEMS];
    struct orr_buffer *from, *to;
    struct orr_times times;
    for (int i = 0; i < ITEMS; i++)
        sent[i] = (float)i;
    assert_int_equal(orr_alloc(device, &from, sizeof sent), 0);
    assert_int_equal(orr_alloc(device, &to, sizeof sent), 0);
    assert_int_equal(orr_upload(device, from, sent, sizeof sent), 0);
    assert_int_equal(orr_fill(device, to, 0xffffffff, sizeof sent), 0);
    const struct orr_ranks_part parts[] = {{0, true, from, 4, sizeof sent / 2},
                                           {0, false, to, 8, sizeof sent / 2}};
    assert_int_equal(device->ops->time_start(device), 0);
    assert_int_equal(ranks->ops->gather(ranks, from, sizeof sent), 0);
    assert_int_equal(ranks->ops->reduce(ranks, from, to, ITEMS), 0);
    assert_int_equal(device->ops->time_stop(device), 0);
    assert_int_equal(device->ops->time_read(device, &times), 0);
    assert_int_equal(orr_download(device, back, to, sizeof back), 0);
    assert_memory_equal(back, sent, sizeof back);
    assert_int_equal(times.phase_count, 1);
    assert_string_equal(times.phases[0].name, "exchange");
    assert_int_equal(ranks->ops->exchange(ranks, parts, 2), 0);
    assert_int_equal(orr_download(device, back, to, sizeof back), 0);
    assert_memory_equal(back + 2, sent + 1, sizeof sent / 2);
    assert_true(back[1] == 1 && back[2 + ITEMS / 2] == (float)(2 + ITEMS / 2));
    printf("# %s: %zu bytes gathered and added up in %.1f us\n", orr_ranks_transport(ranks),
           sizeof sent, 1e6 * times.seconds);
    orr_free(device, from);
    orr_free(device, to);
}

TEST(one_rank_by_nvidias_own)
{
    struct orr_device *device;
    struct orr_ranks *ranks;
    const struct orr_mpi_place place = {.rank = 0, .size = 1};
    const char *library_asked = getenv("TEST_NCCL"); /* where it is, unless the loader knows */
    if (library_asked)
        setenv("ORRERY_NCCL", library_asked, 1);
    own_rank = 0;
    begin_team(1);
    if (orr_device_open(&device, "cuda:0")) {
        printf("# %s\n", orr_error_text());
        orr_error_clear();
        skip();
    }
    assert_int_equal(orr_ranks_open(&ranks, &mpi, &place, device, NULL, -1, ignore_stage), 0);
    printf("# %s\n", orr_ranks_transport(ranks));
    if (!strncmp(orr_ranks_transport(ranks), "NCCL", 4))
        moves_by_itself(ranks, device);
    orr_ranks_close(ranks);
    orr_device_close(device);
}

RUN_TESTS(NULL, NULL)
