/* SPDX-License-Identifier: MIT */
/* Boxes along the Z-order curve, their neighbour lists and the bodies sorted by them, against brute
 * force. */
#include "datasets/boxes.h"
#include "tests/cases.h"
#include "variants/shan/shared/shan.h"

#include <cmocka.h> /* last: it has a macro of the name of a member of struct orr_host */
#include "random_for_tests.h"

/* The interlacing as the paper draws it: bit by bit, the row's before the column's. */
static uint32_t interlaced(uint32_t column, uint32_t row)
{
    uint32_t index = 0;

    for (int bit = 15; bit >= 0; bit--)
        index = index << 2 | (row >> bit & 1) << 1 | (column >> bit & 1);
    return index;
}

TEST(test_encode_and_decode)
{
    for (int k = 0; k < 100000; k++) {
        const uint32_t column = (uint32_t)(65536 * uniform()), row = (uint32_t)(65536 * uniform());
        const uint32_t index = orr_boxes_encode(column, row);
        uint32_t back[2];
        assert_int_equal(index, interlaced(column, row));
        orr_boxes_decode(index, &back[0], &back[1]);
        assert_int_equal(back[0], column);
        assert_int_equal(back[1], row);
    }
    /* Figure 2 */
    assert_int_equal(orr_boxes_encode(1, 1), 3);
    assert_int_equal(orr_boxes_encode(1, 0), 1);
    assert_int_equal(orr_boxes_encode(0, 1), 2);
    /* All boxes of a level are the first 4^level indices, each once. */
    for (uint32_t index = 0; index < 1u << 2 * 5; index++) {
        uint32_t column, row;
        orr_boxes_decode(index, &column, &row);
        assert_true(column < 32 && row < 32);
    }
}

/* Bodies at random, some on the domain's edges and corners. */
static struct orr_bodies bodies_make(size_t n)
{
    struct orr_bodies b = {.n = n, .dimensions = 2, .corner = {-3, 2}, .edge = 0.75};

    for (int d = 0; d < 2; d++) {
        b.pos[d] = calloc(n + 1, sizeof(double));
        for (size_t i = 0; i < n; i++) {
            const double part = uniform() < 0.1 ? (uniform() < 0.5 ? 0 : 1) : uniform();
            b.pos[d][i] = b.corner[d] + b.edge * part;
        }
    }
    return b;
}

static void bodies_release(struct orr_bodies *b)
{
    free(b->pos[0]);
    free(b->pos[1]);
}

static int fail_with(int code, const char *file, int line, const char *format, ...)
{
    (void)format;
    fail_msg("%s:%d", file, line);
    return code;
}

static char stages[128];

static void note_stage(const char *name)
{
    strcat(strcat(stages, name ? name : "end"), " ");
}

static struct shan_boxes boxes_make(const struct orr_bodies *b, int level, enum shan_list list)
{
    static const struct orr_host host = {.fail = fail_with, .threads = 1, .stage = note_stage};
    const struct shan_common common = {0.01, level};
    const struct orr_job job = {.host = &host, .bodies = b, .params = &common};
    struct shan_boxes out;

    *stages = '\0';
    assert_int_equal(shan_boxes_make(&out, &job, list), ORR_OK);
    assert_string_equal(stages, "encode sort lists end ");
    return out;
}

/* Every body once, in its own box, in the order of the input within a box. */
static void check_order(const struct shan_boxes *s, const struct orr_bodies *b, int level)
{
    const struct orr_boxes grid = orr_boxes_make(b, level);
    RELEASED_BY(free_text) bool *seen = calloc(s->n + 1, sizeof *seen);
    uint32_t most = 0;

    assert_int_equal(s->start[0], 0);
    assert_int_equal(s->start[s->count], s->n);
    for (uint32_t box = 0; box < s->count; box++) {
        most = s->start[box + 1] - s->start[box] > most ? s->start[box + 1] - s->start[box] : most;
        for (uint32_t k = s->start[box]; k < s->start[box + 1]; k++) {
            const uint32_t i = s->order[k];
            assert_true(i < s->n && !seen[i]);
            seen[i] = true;
            assert_true(k == s->start[box] || s->order[k - 1] < i);
            assert_int_equal(box, interlaced(orr_boxes_place(&grid, 0, b->pos[0][i]),
                                             orr_boxes_place(&grid, 1, b->pos[1][i])));
        }
    }
    assert_int_equal(s->most, most);
}

/* Whether two boxes touch. */
static bool touch(uint32_t a, uint32_t b)
{
    uint32_t x[2], y[2];

    orr_boxes_decode(a, &x[0], &y[0]);
    orr_boxes_decode(b, &x[1], &y[1]);
    return a != b && labs((long)x[0] - (long)x[1]) <= 1 && labs((long)y[0] - (long)y[1]) <= 1;
}

/* Full: all that touch. Half: of those with a larger index. Both ascending and padded with -1. */
static void check_list(const struct shan_boxes *s, enum shan_list kind)
{
    uint64_t listed = 0;

    for (uint32_t a = 0; a < s->count; a++) {
        uint32_t k = 0;
        for (uint32_t b = kind == SHAN_LIST_HALF ? a + 1 : 0; b < s->count; b++)
            if (touch(a, b))
                assert_int_equal(s->list[a * s->stride + k++], b);
        listed += k;
        for (; k < s->stride; k++)
            assert_int_equal(s->list[a * s->stride + k], -1);
    }
    assert_int_equal(s->listed, listed);
}

/* Forward: right, upper left, upper, upper right; around: and their opposites. Every touching pair
 * is in exactly one of the two forward lists. */
static void check_directions(const struct shan_boxes *s, uint32_t stride)
{
    static const int steps[8][2] = {{1, 0},  {-1, 1}, {0, 1},  {1, 1},
                                    {-1, 0}, {1, -1}, {0, -1}, {-1, -1}};
    uint64_t listed = 0;

    assert_int_equal(s->stride, stride);
    for (uint32_t a = 0; a < s->count; a++) {
        uint32_t column, row;
        orr_boxes_decode(a, &column, &row);
        for (uint32_t k = 0; k < stride; k++) {
            const int32_t b = s->list[stride * a + k];
            uint32_t x, y;
            if (b < 0)
                continue;
            orr_boxes_decode((uint32_t)b, &x, &y);
            assert_int_equal((int)x - (int)column, steps[k][0]);
            assert_int_equal((int)y - (int)row, steps[k][1]);
            listed++;
        }
        for (uint32_t b = 0; b < s->count; b++) {
            int times = 0;
            for (uint32_t k = 0; k < 4; k++)
                times += (s->list[stride * a + k] == (int32_t)b) +
                         (s->list[stride * b + k] == (int32_t)a);
            assert_int_equal(times, touch(a, b));
        }
    }
    assert_int_equal(s->listed, listed);
}

static double near_pairs(const struct shan_boxes *s)
{
    double pairs = 0;

    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t b = 0; b < s->count; b++) {
            const double n = s->start[a + 1] - s->start[a], m = s->start[b + 1] - s->start[b];
            pairs += a == b ? n * (n - 1) : touch(a, b) ? n * m : 0;
        }
    return pairs;
}

TEST(test_boxes_against_brute_force)
{
    static const size_t sizes[] = {1, 2, 60, 3000};

    for (int level = 0; level <= 4; level++)
        for (int k = 0; k < 4; k++) {
            struct orr_bodies b = bodies_make(sizes[k]);
            for (int kind = SHAN_LIST_FULL; kind <= SHAN_LIST_AROUND; kind++) {
                struct shan_boxes s = boxes_make(&b, level, (enum shan_list)kind);
                assert_int_equal(s.count, 1u << 2 * level);
                check_order(&s, &b, level);
                const int whole = kind == SHAN_LIST_FULL || kind == SHAN_LIST_AROUND;
                if (kind >= SHAN_LIST_FORWARD)
                    check_directions(&s, kind == SHAN_LIST_FORWARD ? 4 : 8);
                else
                    check_list(&s, (enum shan_list)kind);
                assert_true(s.listed == orr_boxes_neighbours(level) / (whole ? 1 : 2));
                assert_true(s.pairs == near_pairs(&s));
                shan_boxes_release(&s);
            }
            bodies_release(&b);
        }
}

/* Section IV A: "B = 129540" at level 7. */
TEST(test_neighbours_of_level_7)
{
    struct orr_bodies b = bodies_make(10);

    for (int kind = SHAN_LIST_FULL; kind <= SHAN_LIST_AROUND; kind++) {
        struct shan_boxes s = boxes_make(&b, 7, (enum shan_list)kind);
        assert_int_equal(s.listed,
                         kind == SHAN_LIST_FULL || kind == SHAN_LIST_AROUND ? 129540 : 64770);
        shan_boxes_release(&s);
    }
    bodies_release(&b);
}

/* All bodies at one place, or in no domain of their own: the smallest square that holds them. */
TEST(test_domains)
{
    struct orr_bodies b = bodies_make(50);
    struct shan_boxes s;

    b.edge = 0;
    s = boxes_make(&b, 3, SHAN_LIST_FULL);
    check_order(&s, &b, 3);
    shan_boxes_release(&s);
    for (size_t i = 0; i < b.n; i++)
        b.pos[0][i] = b.pos[1][i] = 0.25;
    s = boxes_make(&b, 3, SHAN_LIST_FULL);
    assert_int_equal(s.start[1], 50);
    assert_int_equal(s.most, 50);
    shan_boxes_release(&s);
    bodies_release(&b);
}

RUN_TESTS(NULL, NULL)
