/* SPDX-License-Identifier: MIT */
/* The counting builds of the shan variants: exact numbers of accesses against formulas of the
 * boxes' occupancies that are derived here. */
#include "shan_run.h"

/* Bodies in each box of a grid of side x side, row by row. */
struct grid {
    size_t side;
    count_t *bodies;
};

static struct grid grid_of(const struct orr_bodies *b, int level)
{
    struct grid g = {(size_t)1 << level, NULL};
    RELEASED_BY(free_text) uint32_t *at = places(b, level);

    g.bodies = calloc(g.side * g.side, sizeof *g.bodies);
    assert_non_null(g.bodies);
    for (size_t i = 0; i < b->n; i++)
        g.bodies[at[2 * i] + g.side * at[2 * i + 1]]++;
    return g;
}

/* Whether the second box comes later along the Z-order curve: at the highest bit in which they
 * differ, rows first. */
static bool is_later(size_t x, size_t y, size_t other_x, size_t other_y)
{
    const size_t dx = x ^ other_x, dy = y ^ other_y;

    return dy < dx && dy < (dy ^ dx) ? other_x > x : other_y > y;
}

/* What a box and those around it add up to. */
struct sums {
    count_t n, own_pairs, near_pairs; /* ordered pairs */
    count_t own_loads, near_loads;    /* bodies loaded: once by each chunk of the box's bodies */
    count_t half_pairs, half_loads;   /* over neighbours with a larger index */
    count_t half_own_loads;           /* each chunk loads itself and the later ones */
    /* What is read of starts and lists: boxes, chunks of all boxes, and the boxes around, once for
     * each chunk or each body. */
    count_t boxes, chunks, chunk_lists, half_chunk_lists, body_lists, open_lists;
    /* Loads of a tile: by the chunks of its own box, by those up to it, and by other boxes. */
    count_t own_tiles, half_own_tiles, near_tiles, half_tiles;
    count_t threads; /* of a box, or in a group */
    count_t level;
};

/* Bodies in chunks from..: the load of chunk c and all after it, for every c. */
static count_t triangle(count_t n, count_t block)
{
    count_t sum = 0;

    for (count_t from = 0; from < n; from += block)
        sum += n - from;
    return sum;
}

static struct sums sums_of(const struct grid *g, count_t block)
{
    struct sums s = {.boxes = g->side * g->side, .threads = block};

    while ((size_t)1 << s.level < g->side)
        s.level++;
    for (size_t k = 0; k < s.boxes; k++) {
        count_t around = 0;
        for (size_t l = 0; l < s.boxes; l++) {
            const size_t x = k % g->side, y = k / g->side, ox = l % g->side, oy = l / g->side;
            const count_t n = g->bodies[k], m = g->bodies[l], chunks = (n + block - 1) / block;
            if (k == l) {
                s.n += n;
                s.own_pairs += n * n - n;
                s.own_loads += chunks * n;
                s.chunks += chunks;
                s.half_own_loads += triangle(n, block);
                s.own_tiles += chunks * chunks;
                s.half_own_tiles += chunks * (chunks + 1) / 2;
            } else if (labs((long)x - (long)ox) <= 1 && labs((long)y - (long)oy) <= 1) {
                s.near_pairs += n * m;
                s.near_loads += chunks * m;
                s.half_pairs += is_later(x, y, ox, oy) ? n * m : 0;
                s.half_loads += is_later(x, y, ox, oy) ? chunks * m : 0;
                s.near_tiles += chunks * ((m + block - 1) / block);
                s.half_tiles += is_later(x, y, ox, oy) ? chunks * ((m + block - 1) / block) : 0;
                s.chunk_lists += chunks;
                s.half_chunk_lists += is_later(x, y, ox, oy) ? chunks : 0;
                s.body_lists += n;
                around++;
            }
        }
        s.open_lists += around < 8 ? g->bodies[k] : 0;
    }
    return s;
}

static void expect_bpb(counts out, const struct sums *s)
{
    const count_t pairs[] = {s->own_pairs, s->near_pairs}, loads[] = {s->own_loads, s->near_loads};

    for (int p = 0; p < 2; p++) {
        out[p][ORR_GR] = out[p][ORR_SW] = 3 * loads[p];
        out[p][ORR_SR] = 3 * pairs[p];
        out[p][ORR_RW] = 2 * pairs[p];
        out[p][ORR_CP] = pairs[p];
    }
    out[ORR_RETURN][ORR_RR] = out[ORR_RETURN][ORR_GW] = 2 * s->n;
    /* Every thread of a box, idle ones too, reads where the box begins and ends, and that again
     * with the list and where its boxes do for each chunk. */
    out[ORR_FATHER_BOX][ORR_IR] = s->threads * (2 * s->boxes + 2 * s->chunks);
    out[ORR_NEIGHBOUR_BOX][ORR_IR] = s->threads * (8 * s->chunks + 2 * s->chunk_lists);
    /* Where the box begins, twice, and its body; of each tile but the own one the body. Lists are
     * read to their end. */
    out[ORR_FATHER_BOX][ORR_DG] = s->boxes + s->chunks + s->own_tiles;
    out[ORR_NEIGHBOUR_BOX][ORR_DG] = 8 * s->chunks + s->chunk_lists + s->near_tiles;
}

static void expect_n3l(counts out, const struct sums *s)
{
    const count_t pairs[] = {s->own_pairs / 2, s->half_pairs},
                  loads[] = {s->half_own_loads, s->half_loads};

    for (int p = 0; p < 2; p++) {
        out[p][ORR_GR] = 3 * loads[p];
        out[p][ORR_SW] = 3 * loads[p] + 2 * loads[p]; /* into A, zeros into B */
        out[p][ORR_SR] = 3 * pairs[p] + 2 * loads[p]; /* from A, from B */
        out[p][ORR_AS] = out[p][ORR_RW] = 2 * pairs[p];
        out[p][ORR_AG] = 2 * loads[p];
        out[p][ORR_CP] = pairs[p];
    }
    out[ORR_RETURN][ORR_RR] = out[ORR_RETURN][ORR_AG] = 2 * s->n;
    out[ORR_FATHER_BOX][ORR_IR] = s->threads * (2 * s->boxes + s->chunks);
    out[ORR_NEIGHBOUR_BOX][ORR_IR] = s->threads * (8 * s->chunks + 2 * s->half_chunk_lists);
    out[ORR_FATHER_BOX][ORR_DG] = s->boxes + s->chunks + s->half_own_tiles;
    out[ORR_NEIGHBOUR_BOX][ORR_DG] = 8 * s->chunks + s->half_chunk_lists + s->half_tiles;
    out[ORR_FATHER_BOX][ORR_DF] = 2 * s->half_own_tiles;
    out[ORR_NEIGHBOUR_BOX][ORR_DF] = 2 * s->half_tiles;
    out[ORR_RETURN][ORR_DF] = 2 * s->chunks;
    /* The first thread is never idle, and its own tile has all but itself. */
    out[ORR_FATHER_BOX][ORR_DP] = s->half_own_loads - s->chunks;
    out[ORR_NEIGHBOUR_BOX][ORR_DP] = s->half_loads;
}

/* bpt and ppt: each thread reads its own body and every other one it meets. */
static void expect_global(counts out, const struct sums *s)
{
    const count_t pairs[] = {s->own_pairs, s->near_pairs};

    for (int p = 0; p < 2; p++) {
        out[p][ORR_GR] = 3 * pairs[p] + (p == ORR_FATHER_BOX ? 3 * s->n : 0);
        out[p][ORR_RW] = 2 * pairs[p];
        out[p][ORR_CP] = pairs[p];
    }
    out[ORR_RETURN][ORR_RR] = out[ORR_RETURN][ORR_GW] = 2 * s->n;
    /* A list is read up to its first empty place. */
    out[ORR_NEIGHBOUR_BOX][ORR_IR] = 3 * s->body_lists + s->open_lists;
}

static void expect_bpt(counts out, const struct sums *s)
{
    expect_global(out, s);
    out[ORR_FATHER_BOX][ORR_IR] = 2 * s->boxes + 2 * s->n;
}

/* Every thread reads how many bodies there are, and halves 4^level boxes to one for its body. */
static void expect_ppt(counts out, const struct sums *s)
{
    expect_global(out, s);
    out[ORR_FATHER_BOX][ORR_IR] =
        (s->n + s->threads - 1) / s->threads * s->threads + 2 * s->level * s->n + 2 * s->n;
}

static void (*expectation(const struct orr_variant *variant))(counts, const struct sums *)
{
    return !strcmp(variant->name, "shan/bpb")       ? expect_bpb
           : !strcmp(variant->name, "shan/bpb-n3l") ? expect_n3l
           : !strcmp(variant->name, "shan/bpt")     ? expect_bpt
           : !strcmp(variant->name, "shan/ppt")     ? expect_ppt
                                                    : NULL;
}

/* Counts `r`, whose forces must be right after that too. */
static void count_of(struct run *r, struct orr_counts *out, const char *what)
{
    static const char *const procedures[] = {"Father box", "Neighbor box", "Return d_acc"};

    count_run(r, out);
    check_forces(r, what);
    assert_int_equal(out->count, ORR_NEAR_PROCEDURES);
    for (int p = 0; p < out->count; p++)
        assert_string_equal(out->procedures[p].name, procedures[p]);
    run_step(r, true); /* what is timed is not what counts */
    check_forces(r, what);
}

/* On a processor no two threads meet and none waits; on a GPU at most all of a warp do, which
 * test_shan_conflicts.c has exactly. */
static void check_warps(const struct run *r, const struct orr_counts *got)
{
    const bool alone = r->job.device->info.kind == ORR_DEVICE_CPU;
    const bool blocks = strstr(r->variant->name, "bpb") != NULL;

    for (int p = 0; p < ORR_NEAR_PROCEDURES; p++) {
        const uint64_t *of = got->procedures[p].of, lanes = blocks ? of[ORR_LP] : of[ORR_CP];
        assert_true(of[ORR_AD] >= of[ORR_AS] && of[ORR_AD] <= of[ORR_AS] * (alone ? 1 : 32));
        assert_true(lanes >= of[ORR_CP] && (!alone || lanes == of[ORR_CP]));
        assert_true((of[ORR_BA] > 0) == (blocks && of[ORR_CP] > 0));
    }
}

/* What groups wait for, where threads are alone. A warp of bpb takes turns for lanes that leave out
 * themselves: at most as many more as it has lanes. */
static void check_waits(const struct run *r, const struct orr_counts *got, counts expected,
                        const struct sums *s)
{
    static const int kinds[] = {ORR_NG, ORR_DG, ORR_DF, ORR_DP};
    const bool bpb = !strcmp(r->variant->name, "shan/bpb"),
               n3l = !strcmp(r->variant->name, "shan/bpb-n3l"),
               alone = r->job.device->info.kind == ORR_DEVICE_CPU;

    if (!bpb && !n3l)
        return;
    expected[ORR_FATHER_BOX][ORR_NG] = s->boxes;
    if (bpb) {
        expected[ORR_FATHER_BOX][ORR_DP] = s->own_loads - s->chunks;
        expected[ORR_NEIGHBOUR_BOX][ORR_DP] = s->near_loads;
    }
    for (int p = 0; p < ORR_NEAR_PROCEDURES; p++)
        for (int k = 0; k < 4; k++) {
            const count_t found = got->procedures[p].of[kinds[k]], wanted = expected[p][kinds[k]],
                          more = bpb && !alone && !p && kinds[k] == ORR_DP ? 31 * s->chunks : 0;
            if (found < wanted || found > wanted + more)
                fail_msg("%s: %s of %s is %llu, expected %llu", r->variant->name,
                         orr_names_access[kinds[k]], got->procedures[p].name, found, wanted);
        }
}

static void count_with(const struct orr_variant *variant, struct orr_device *device,
                       const struct orr_bodies *b, int level, count_t block, const char *settings)
{
    struct grid g = grid_of(b, level);
    const struct sums s = sums_of(&g, block);
    struct orr_counts got;
    counts expected = {{0}};

    RUN r = run_made(variant, device, b, settings);
    count_of(&r, &got, settings);
    expectation(variant)(expected, &s);
    compare_counts(&r, &got, expected, ORR_IR + 1, settings);
    check_warps(&r, &got);
    check_waits(&r, &got, expected, &s);
    free(g.bodies);
}

TEST_EVERYWHERE(test_uneven_boxes)
{
    static const char *const more[] = {"", " atomic=fixed order=staggered"};

    for (int level = 1; level <= 3 && expectation(variant); level++) {
        BODIES b = uneven_bodies(150 + below(100), level, 70, 0.03);
        for (int k = 0; k < 2; k++) {
            const bool has_block = strstr(variant->name, "bpb") != NULL;
            const int block = k ? 32 : 512;
            count_with(variant, device, &b, level, (count_t)(has_block ? block : 64),
                       filled("level=%d %s=%d%s", level, has_block ? "block" : "group",
                              has_block ? block : 64, strstr(variant->name, "n3l") ? more[k] : ""));
        }
    }
}

RUN_TESTS_OF(SHAN_VARIANTS)
