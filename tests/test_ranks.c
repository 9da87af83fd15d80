/* SPDX-License-Identifier: MIT */
/* What ranks decide without being started: devices, what connects them, whose answer counts, who
 * is to blame, and by what command they start. */
#include <sys/stat.h>

#include "error.h"
#include "json_member.h"
#include "ranks/nccl.h"
#include "ranks/world.h"
#include "ranks/rank_launch.h"
#include "ranks/rank_merge.h"
#include "ranks/rank_set.h"
#include "tests/cases.h"

/* The words of the command that starts two ranks. */
static void assert_planned(const char *words)
{
    struct orr_rank_launch launch;
    const char *text = "";
    assert_int_equal(orr_rank_launch_plan(&launch, 2, "here"), 0);
    for (int k = 0; launch.words[k]; k++)
        text = filled("%s%s%s", text, k ? " " : "",
                      k && !strncmp(launch.words[k], "/proc/", 6) ? "ORRERY" : launch.words[k]);
    assert_string_equal(text, words);
}

TEST(devices_follow_the_first)
{
    const struct orr_device_info there[] = {
        {.id = "cuda:0"}, {.id = "cuda:1"}, {.id = "cuda:2"}, {.id = "opencl:0.0"}, {.id = "host"}};
    char id[32];
    assert_int_equal(orr_ranks_device(id, "cuda:0", 2, 3, there, 5, false), 0);
    assert_string_equal(id, "cuda:2");
    assert_int_equal(orr_ranks_device(id, "cuda:1", 1, 2, there, 5, false), 0);
    assert_string_equal(id, "cuda:2");
    assert_fails(orr_ranks_device(id, "cuda:1", 0, 3, there, 5, false), ORR_EUNSUPPORTED,
                 "3 ranks from cuda:1 on take 3 devices, and here are 2");
    assert_int_equal(orr_ranks_device(id, "cuda:1", 2, 3, there, 5, true), 0);
    assert_string_equal(id, "cuda:0");
    assert_fails(orr_ranks_device(id, "opencl:0.0", 0, 2, there, 5, false), ORR_EUNSUPPORTED,
                 "here is 1: take fewer --ranks, or, for tests, --oversubscribe");
    assert_int_equal(orr_ranks_device(id, "host", 1, 2, there, 5, true), 0);
    assert_string_equal(id, "host");
}

TEST(nccl_needs_a_device_for_each)
{
    char why[128];
    struct orr_ranks_face faces[] = {
        {.ready = 1, .nccl = 22803, .backend = "cuda", .device = "cuda:0", .uuid = "GPU-a"},
        {.ready = 1, .nccl = 22803, .backend = "cuda", .device = "cuda:1", .uuid = "GPU-b"}};
    assert_true(orr_ranks_may_nccl(faces, 2, why, sizeof why));
    strcpy(faces[1].uuid, "GPU-a");
    assert_false(orr_ranks_may_nccl(faces, 2, why, sizeof why));
    assert_string_equal(why, "ranks 0 and 1 share one GPU");
    strcpy(faces[1].uuid, "GPU-b");
    faces[1].nccl = 0;
    assert_false(orr_ranks_may_nccl(faces, 2, why, sizeof why));
    assert_string_equal(why, "rank 1 has no NCCL");
    faces[1].nccl = 21805;
    assert_false(orr_ranks_may_nccl(faces, 2, why, sizeof why));
    assert_string_equal(why, "rank 0 has NCCL 2.28.3, rank 1 has 2.18.5");
    strcpy(faces[0].backend, "opencl");
    assert_false(orr_ranks_may_nccl(faces, 2, why, sizeof why));
    assert_string_equal(why, "cuda:0 is no CUDA device");
}

TEST(nccl_may_be_off_or_absent)
{
    const char *why;
    setenv("ORRERY_NCCL", "off", 1);
    assert_null(orr_nccl_load(&why));
    assert_string_equal(why, "ORRERY_NCCL=off");
    setenv("ORRERY_NCCL", "/nowhere/libnccl.so.2", 1);
    assert_null(orr_nccl_load(&why));
    assert_string_equal(why, "ORRERY_NCCL: /nowhere/libnccl.so.2 cannot be loaded");
    setenv("ORRERY_NCCL", "libm.so.6", 1);
    assert_null(orr_nccl_load(&why));
    assert_non_null(strstr(why, "libm.so.6 lacks ncclGetVersion: too old"));
    unsetenv("ORRERY_NCCL");
}

TEST(faces_must_be_ready_and_alike)
{
    struct orr_ranks_face faces[] = {{.ready = 1, .device = "cuda:0", .name = "A"},
                                     {.ready = 1, .device = "cuda:1", .name = "A"}};
    assert_int_equal(orr_ranks_check_faces(faces, 2), 0);
    strcpy(faces[1].name, "B");
    assert_fails(orr_ranks_check_faces(faces, 2), ORR_EUNSUPPORTED,
                 "rank 0 has cuda:0 (A), rank 1 cuda:1 (B)");
    faces[1].ready = 0;
    assert_fails(orr_ranks_check_faces(faces, 2), ORR_EUNSUPPORTED,
                 "rank 1 could not open its device");
    faces[1].ready = ORR_EDEVICE;
    strcpy(faces[1].why, "it is gone");
    assert_fails(orr_ranks_check_faces(faces, 2), ORR_EDEVICE,
                 "rank 1 could not open its device: it is");
    faces[0].ready = ORR_EDEVICE;
    strcpy(faces[0].why, "it is gone");
    assert_int_equal(orr_ranks_check_faces(faces, 2), ORR_EDEVICE);
    assert_string_equal(orr_error_text(), "it is gone");
    orr_error_clear();
}

static json_t *parsed(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    assert_non_null(value);
    return value;
}

/* Answers of two ranks to a request, merged; NULL: it failed. */
static json_t *merged(const char *ask, const char *first, const char *second)
{
    json_auto_t *one = parsed(first), *other = second ? parsed(second) : NULL;
    return orr_rank_merge(ask, (json_t *[]){one, other}, 2);
}

TEST(a_step_is_the_slowest_ranks)
{
    json_auto_t *one = merged("step",
                              "{\"say\": \"done\", \"step_s\": [1, 5], \"kernel_s\": [1, 1], "
                              "\"has_phi\": true, \"launches\": 2, \"phases\": [1], \"own_s\": 3, "
                              "\"replayed\": {\"kernel_s\": [2], \"phases\": [7]}}",
                              "{\"say\": \"done\", \"step_s\": [4, 4], \"kernel_s\": [2, 1], "
                              "\"has_phi\": false, \"launches\": 3, \"phases\": [2], \"own_s\": 7, "
                              "\"replayed\": {\"kernel_s\": [1], \"phases\": [8]}}");
    json_t *steps = json_object_get(one, "step_s");
    assert_true(json_number_value(json_array_get(steps, 0)) == 4);
    assert_true(json_number_value(json_array_get(steps, 1)) == 5);
    assert_true(orr_json_number(one, "own_s") == 7);
    assert_int_equal(orr_json_integer(one, "launches"), 5);
    assert_true(json_is_false(json_object_get(one, "has_phi")));
    /* Rank 1 took longer in all, so its phases belong to the time. */
    assert_int_equal(json_integer_value(json_array_get(json_object_get(one, "phases"), 0)), 2);
    assert_int_equal(json_array_size(json_object_get(one, "ranks")), 2);
    assert_int_equal(json_array_size(json_object_get(one, "replayed_ranks")), 2);
    assert_true(orr_json_number(one, "replayed_kernel_s") == 2);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(one, "replayed_phases"), 0)),
                     7);
}

TEST(builds_must_be_one)
{
    assert_null(merged("load", "{\"say\": \"done\", \"name\": \"a/b\", \"plugin_sha256\": \"11\"}",
                       "{\"say\": \"done\", \"plugin_sha256\": \"22\"}"));
    assert_fails(orr_error_code(), ORR_EUNSUPPORTED,
                 "rank 1 has another build of a/b than rank 0: 22, not 11");
}

TEST(failures_are_told_once)
{
    const char *failed = "{\"say\": \"failed\", \"code\": -7, \"text\": \"no\"}";
    json_auto_t *both = merged("prepare", failed, failed),
                *one = merged("prepare", "{\"say\": \"done\"}", failed),
                *waited_for = merged("step", failed, NULL);
    assert_string_equal(orr_json_text(both, "text"), "no");
    assert_string_equal(orr_json_text(one, "text"), "rank 1: no");
    assert_string_equal(orr_json_text(waited_for, "text"), "rank 0: no");
}

TEST(the_rank_that_did_not_come_is_named)
{
    char text[256];
    RELEASED_BY(free_text) struct orr_ranks_board *board = calloc(1, sizeof *board);
    for (int k = 0; k < 3; k++)
        atomic_store(&board->ranks[k].entered, k == 1 ? 4 : 5);
    strcpy(board->ranks[0].what, "reduce");
    orr_rank_set_tell_hung(text, sizeof text, board, 3, 7);
    assert_string_equal(text, "rank 1 did not come to exchange 5 (reduce), where rank 0 waits");
    atomic_store(&board->ranks[1].entered, 5);
    orr_rank_set_tell_hung(text, sizeof text, board, 3, 7);
    assert_string_equal(text, "all ranks are in exchange 5 (reduce)");
    /* Between exchanges, one is busy for ever. */
    for (int k = 0; k < 3; k++)
        atomic_store(&board->ranks[k].left, 5);
    orr_rank_set_tell_hung(text, sizeof text, board, 3, 4);
    assert_string_equal(text, "rank 2 gave no answer, where the others did");
    orr_rank_set_tell_hung(text, sizeof text, board, 3, 7);
    assert_string_equal(text, "no rank is in an exchange");
}

TEST(the_launcher_is_believed)
{
    static const struct {
        const char *said;
        int rank, number;
    } cases[] = {{"mpirun noticed that process rank 2 with PID 0 on node x exited on signal 11 "
                  "(Segmentation fault).",
                  2, 11},
                 {"prterun noticed that process rank 1 with PID 7 on node x exited on\nsignal 9 "
                  "(Killed).\n",
                  1, 9},
                 {"srun: error: node7: task 3: Segmentation fault (core dumped)\n", 3, 11},
                 {"srun: error: n: task 0: Exited with exit code 1", 0, 0},
                 {"all is well", -1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int number = 0;
        assert_int_equal(orr_rank_set_blamed(cases[k].said, &number), cases[k].rank);
        assert_int_equal(number, cases[k].number);
    }
}

TEST(slurm_starts_with_srun)
{
    char folder[] = "/tmp/orrery-ranks-XXXXXX", *before = strdup(getenv("PATH"));
    struct orr_rank_launch launch;
    assert_non_null(mkdtemp(folder));
    const char *const programs[] = {filled("%s/mpirun", folder), filled("%s/srun", folder)};
    for (int k = 0; k < 2; k++) {
        write_text(programs[k], "");
        assert_int_equal(chmod(programs[k], 0755), 0);
    }
    setenv("PATH", folder, 1);
    unsetenv("SLURM_JOB_ID");
    assert_planned("mpirun -n 2 ORRERY __rank here");
    setenv("SLURM_JOB_ID", "7", 1);
    assert_planned("srun -n 2 --nodes=1 --cpu-bind=none --kill-on-bad-exit=1 ORRERY __rank here");
    setenv("SLURMD_NODENAME", "node7", 1); /* of several nodes it is here that ranks start */
    assert_planned("srun -n 2 --nodes=1 --cpu-bind=none --kill-on-bad-exit=1 --nodelist=node7 "
                   "ORRERY __rank here");
    unsetenv("SLURMD_NODENAME");
    unsetenv("SLURM_JOB_ID");
    setenv("PATH", "/nowhere", 1);
    assert_fails(orr_rank_launch_plan(&launch, 2, "here"), ORR_EUNSUPPORTED,
                 "ranks are started by mpirun, and there is none in PATH");
    setenv("PATH", before, 1);
    for (int k = 0; k < 2; k++)
        remove(programs[k]);
    remove(folder);
    free(before);
}

RUN_TESTS(NULL, NULL)
