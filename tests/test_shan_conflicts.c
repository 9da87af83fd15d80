/* SPDX-License-Identifier: MIT */
/* Degrees of conflict as bpb-n3l counts them for warps of 32 lanes, whatever the device. */
#include "device/device.h"
#include "error.h"
#include "kernels/count.h"
#include "kernels/shan_bpb_n3l.h"
#include "tests/cases.h"

enum { BOXES = 4, NEIGHBOURS = 8, KINDS = ORR_ACCESS_KINDS, WARP = 32 };
typedef unsigned long long count_t;

static const struct orr_source source = {"shan_bpb_n3l", kernel_shan_bpb_n3l};

/* Four boxes of P bodies, each beside all others. Low and high words of each count into `out`. */
static void count_boxes(struct orr_device *device, int P, int block, int staggered,
                        count_t out[ORR_NEAR_PROCEDURES][KINDS])
{
    const size_t n = (size_t)BOXES * (size_t)P, words = 2 * ORR_NEAR_PROCEDURES * KINDS;
    RELEASED_BY(free_text) float *body = calloc(4 * n, sizeof *body);
    int32_t start[BOXES + 1], list[BOXES * NEIGHBOURS];
    RELEASED_BY(free_text) uint32_t *totals = calloc(words, sizeof *totals);
    struct orr_buffer *buffers[5] = {NULL};
    const size_t sizes[] = {4 * n * sizeof *body, sizeof start, sizeof list, 2 * n * sizeof(float),
                            words * sizeof *totals};
    struct orr_program *program = NULL;

    for (size_t k = 0; k < 4 * n; k++)
        body[k] = (float)(k % 97);
    for (int b = 0; b <= BOXES; b++)
        start[b] = b * P;
    for (int b = 0; b < BOXES; b++)
        for (int k = 0; k < NEIGHBOURS; k++)
            list[b * NEIGHBOURS + k] = b + 1 + k < BOXES ? b + 1 + k : -1;
    const char *defines =
        filled("-DBLOCK=%d -DATOMIC=0 -DSTAGGERED=%d -DORRERY_COUNT=1 -DCOUNT_WARP=%d", block,
               staggered, WARP);
    int code = orr_build(device, &program, &source, defines);
    for (int k = 0; k < 5 && !code; k++)
        if (!(code = orr_alloc(device, &buffers[k], sizes[k])))
            code = orr_fill(device, buffers[k], 0, sizes[k]);
    const void *from[] = {body, start, list};
    for (int k = 0; k < 3 && !code; k++)
        code = orr_upload(device, buffers[k], from[k], sizes[k]);
    const struct orr_arg args[] = {ORR_BUF(buffers[0]), ORR_BUF(buffers[1]), ORR_BUF(buffers[2]),
                                   ORR_BUF(buffers[3]), ORR_F32(1.0f),       ORR_F32(1.0f),
                                   ORR_BUF(buffers[4])};
    const struct orr_launch launch = {.kernel = "shan_bpb_n3l",
                                      .groups = {BOXES},
                                      .group = {(size_t)block},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    if (!code)
        code = orr_launch(device, program, &launch);
    if (!code)
        code = orr_download(device, totals, buffers[4], sizes[4]);
    if (code)
        fail_msg("%s: %s", defines, orr_error_text());
    for (size_t k = 0; k < words / 2; k++)
        out[k / KINDS][k % KINDS] = totals[2 * k] | (count_t)totals[2 * k + 1] << 32;
    for (int k = 0; k < 5; k++)
        orr_free(device, buffers[k]);
    orr_drop(device, program);
}

/* What the counts of a device must be: threads go through a tile in step, one body a turn. */
static void expect(int P, int block, int staggered, count_t *degrees, count_t *lanes)
{
    *degrees = *lanes = 0;
    for (int box = 0; box < BOXES; box++)
        for (int other = box; other < BOXES; other++)
            for (int chunk = 0; chunk < P; chunk += block)
                for (int tile = other == box ? chunk : 0; tile < P; tile += block) {
                    const int own = other == box && tile == chunk;
                    const int count = P - tile < block ? P - tile : block;
                    const int active = P - chunk < block ? P - chunk : block;
                    for (int first = 0; first < active; first += WARP) {
                        const int past = first + WARP < active ? first + WARP : active;
                        const int turns = own ? count - first - 1 : count;
                        *lanes += (count_t)(WARP * turns);
                        for (int turn = 0; turn < turns; turn++)
                            for (int t = first; t < past; t++) {
                                const int at = own         ? t + 1 + turn
                                               : staggered ? (turn + t % count) % count
                                                           : turn;
                                if (at >= count)
                                    continue;
                                for (int u = first; u < past; u++)
                                    *degrees += 2 * (at == (own         ? u + 1 + turn
                                                            : staggered ? (turn + u % count) % count
                                                                        : turn));
                            }
                    }
                }
}

static void check_counts(struct orr_device *device, int P, int block, int staggered)
{
    count_t of[ORR_NEAR_PROCEDURES][KINDS], degrees, lanes;

    count_boxes(device, P, block, staggered, of);
    expect(P, block, staggered, &degrees, &lanes);
    if (of[0][ORR_AD] + of[1][ORR_AD] != degrees || of[0][ORR_LP] + of[1][ORR_LP] != lanes)
        fail_msg("P = %d, block %d, staggered %d: AD %llu and LP %llu, expected %llu and %llu", P,
                 block, staggered, of[0][ORR_AD] + of[1][ORR_AD], of[0][ORR_LP] + of[1][ORR_LP],
                 degrees, lanes);
}

static void degrees_on(const struct orr_device_info *info)
{
    struct orr_device *device;
    count_t of[ORR_NEAR_PROCEDURES][KINDS];

    if (orr_device_open(&device, info->id))
        fail_msg("%s: %s", info->id, orr_error_text());
    for (int staggered = 0; staggered < 2; staggered++) {
        check_counts(device, 5, 64, staggered);
        check_counts(device, 40, 64, staggered);
        check_counts(device, 40, 16, staggered);
        check_counts(device, 64, 64, staggered);
    }
    /* 64 bodies, 64 threads: all 32 lanes at one address, or each at its own. */
    count_boxes(device, 64, 64, 0, of);
    assert_int_equal(of[1][ORR_AD], 32 * of[1][ORR_AS]);
    assert_int_equal(of[0][ORR_AD], of[0][ORR_AS]);
    count_boxes(device, 64, 64, 1, of);
    assert_int_equal(of[1][ORR_AD], of[1][ORR_AS]);
    orr_device_close(device);
}

TEST(test_degrees)
{
    struct orr_device_info infos[16];
    int count = orr_device_list(infos, 16);

    for (int k = 0; k < count; k++)
        if (infos[k].kind != ORR_DEVICE_HOST)
            degrees_on(&infos[k]);
}

RUN_TESTS(NULL, NULL)
