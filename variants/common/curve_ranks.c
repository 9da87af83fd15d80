/* SPDX-License-Identifier: MIT */
#include "variants/common/curve_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/curve_ranks.h"
#include "variants/common/j_split.h"

enum { FLOAT4 = 4 * sizeof(float), SEGMENTS = CURVE_RANKS_SEGMENTS, BLOCKS = SEGMENTS / 16 };
enum { MARKS = SEGMENTS + 1 };
enum { MARKS_BYTES = 2 * sizeof(uint64_t) * MARKS, BOXES_BYTES = 2 * FLOAT4 * SEGMENTS };
enum { TALLY_BYTES = sizeof(uint64_t) * SEGMENTS * CURVE_RANKS_MOST_COUNTS };

static const struct orr_source source = {"curve_ranks", kernel_curve_ranks};

#define NUMBER(x) ORR_I32((int32_t)(x))
#define LAUNCH(kernel, groups, ...) \
    CURVE_RANKS_LAUNCH(job, c, c->program, kernel, groups, __VA_ARGS__)

/* --- memory --- */

static int make_buffers(struct orr_job *job, struct curve_ranks *c)
{
    struct orr_device *d = job->device;
    const size_t size = (size_t)c->size, word = sizeof(int32_t);
    int code;

    if ((code = orr_alloc(d, &c->boxes, size * 2 * FLOAT4)) ||
        (code = orr_alloc(d, &c->splits, size * sizeof(uint64_t))) ||
        (code = orr_alloc(d, &c->starts, size * (size + 1) * word)) ||
        (code = orr_alloc(d, &c->out, c->home * FLOAT4)) ||
        (code = orr_alloc(d, &c->marks, size * MARKS_BYTES)) ||
        (code = orr_alloc(d, &c->clock, 3 * sizeof(uint64_t))) ||
        (code = orr_alloc(d, &c->segments, size * BOXES_BYTES)) ||
        (code = orr_alloc(d, &c->blocks, size * BLOCKS * 2 * FLOAT4)))
        return code;
    return orr_alloc(d, &c->tally, TALLY_BYTES);
}

static int have_room(struct orr_job *job, struct curve_ranks *c, size_t room)
{
    int code = curve_ranks_grow(job, &c->body, 0, room * FLOAT4);

    if (!code)
        code = curve_ranks_grow(job, &c->acc, 0, room * FLOAT4);
    c->room = code ? 0 : room;
    return code;
}

/* Parts that cost the same hold more bodies where these are cheap. */
static size_t some_more(size_t bodies)
{
    return bodies + bodies / 8 + 64;
}

size_t curve_ranks_room(const struct curve_ranks *c)
{
    return c->size > 1 ? some_more(c->home) : c->home;
}

int curve_ranks_prepare(struct orr_job *job, struct curve_ranks *c, size_t home)
{
    const struct orr_device_info *info = &job->device->info;
    char defines[64];
    int code;

    c->size = orr_ranks_size(job->ranks);
    c->rank = orr_ranks_own(job->ranks);
    c->home = c->own = home;
    if (c->size == 1)
        return ORR_OK;
    c->block = info->kind == ORR_DEVICE_CPU               ? 16
               : info->max_group && info->max_group < 256 ? 64
                                                          : 256;
    if ((code = radix_sort_prepare(job, &c->sort, home ? home : 1)) ||
        (code = make_buffers(job, c)) || (code = have_room(job, c, curve_ranks_room(c))))
        return code;
    radix_sort_hold(&c->sort, home);
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DSEGMENTS=%d", c->block, SEGMENTS);
    return orr_build(job->device, &c->program, &source, defines);
}

int curve_ranks_launch(struct orr_job *job, const struct curve_ranks *c,
                       struct orr_program *program, const char *kernel, size_t groups,
                       const struct orr_arg *args, int count)
{
    const struct orr_launch launch = {.kernel = kernel,
                                      .groups = {groups},
                                      .group = {c->block},
                                      .args = args,
                                      .arg_count = count};

    return groups ? orr_launch(job->device, program, &launch) : ORR_OK;
}

int curve_ranks_grow(struct orr_job *job, struct orr_buffer **buffer, size_t used, size_t bytes)
{
    struct orr_buffer *larger = NULL;
    int code = orr_alloc(job->device, &larger, bytes);

    if (!code && used)
        code = orr_copy(job->device, larger, *buffer, used);
    if (code) {
        orr_free(job->device, larger);
        return code;
    }
    orr_free(job->device, *buffer);
    *buffer = larger;
    return ORR_OK;
}

/* --- the parts of the curve --- */

struct mark {
    uint64_t key, cost;
};

static int by_key(const void *a, const void *b)
{
    const uint64_t x = ((const struct mark *)a)->key, y = ((const struct mark *)b)->key;

    return x < y ? -1 : x > y;
}

/* Costs become nanoseconds, where all ranks that have some tell their times: of the walk by what it
 * counted, of the tree by bodies, of which segments have as many. */
static void price_marks(const struct curve_ranks *c, struct mark *marks)
{
    double walk[ORR_MAX_RANKS] = {0}, tree[ORR_MAX_RANKS] = {0};
    bool known = true;

    for (int r = 0; r < c->size; r++) {
        struct mark *own = marks + (size_t)r * MARKS, *times = own + SEGMENTS;
        double sum = 0, some = 0;
        for (int k = 0; k < SEGMENTS; k++) {
            sum += (double)own[k].cost;
            some += own[k].cost > 0;
        }
        known &= !some || times->key > 0;
        walk[r] = some > 0 ? (double)times->key / sum : 0;
        tree[r] = some > 0 ? (double)times->cost / some : 0;
        times->cost = 0;
    }
    for (size_t k = 0; k < (size_t)c->size * MARKS && known; k++)
        if (marks[k].cost)
            marks[k].cost =
                1 + (uint64_t)((double)marks[k].cost * walk[k / MARKS] + tree[k / MARKS]);
}

/* Part r begins with the mark that is nearest to r of as many shares of all costs. */
static void split_marks(struct curve_ranks *c, struct mark *marks, size_t count)
{
    double all = 0, before = 0;
    size_t some = 0;
    int rank = 1, ascending = 1;

    for (size_t k = 0; k < count; k++)
        if (marks[k].cost) {
            all += (double)marks[k].cost;
            ascending &= !some || marks[some - 1].key <= marks[k].key;
            marks[some++] = marks[k];
        }
    if (!ascending) /* a sample */
        qsort(marks, some, sizeof *marks, by_key);
    for (size_t k = 0; k < some; k++) {
        const double cost = (double)marks[k].cost;
        while (rank < c->size && before + 0.5 * cost >= all * rank / c->size)
            c->split[rank++ - 1] = marks[k].key;
        before += cost;
    }
    while (rank < c->size)
        c->split[rank++ - 1] = UINT64_MAX;
}

/* Chooses the parts by the marks of all ranks. */
static int split_curve(struct orr_job *job, struct curve_ranks *c)
{
    const size_t count = (size_t)c->size * MARKS, bytes = count * sizeof(struct mark);
    struct mark *marks = malloc(bytes);
    if (!marks)
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu marks", count);
    int code = orr_download(job->device, marks, c->marks, bytes);

    if (!code) {
        price_marks(c, marks);
        split_marks(c, marks, count);
    }
    free(marks);
    c->marked = 0;
    return code;
}

static int sample(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                  struct orr_buffer *home)
{
    int code = sorted_tree_key(job, tree, home, c->home, c->sort.key[0], c->sort.value[0]);

    if (!code)
        code =
            LAUNCH("curve_sample", j_split_divide_up(SEGMENTS, c->block), ORR_BUF(c->sort.key[0]),
                   ORR_BUF(c->marks), NUMBER(c->home), ORR_I32(c->rank));
    if (!code)
        code = orr_ranks_gather(job->ranks, c->marks, MARKS_BYTES);
    return code ? code : split_curve(job, c);
}

/* The root around the bodies of all ranks. */
static int find_root(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                     struct orr_buffer *home)
{
    int code = sorted_tree_box(job, tree, home, c->home, c->boxes, c->rank);

    if (!code)
        code = orr_ranks_gather(job->ranks, c->boxes, (size_t)2 * FLOAT4);
    return code ? code : sorted_tree_cube(job, tree, c->boxes, c->size);
}

/* --- bodies to their owners, accelerations home --- */

/* How many bodies go from whom to whom. */
static int count_bodies(struct orr_job *job, struct curve_ranks *c)
{
    int32_t starts[ORR_MAX_RANKS * (ORR_MAX_RANKS + 1)];
    const size_t row = (size_t)c->size + 1, bytes = row * sizeof *starts;
    int code = orr_ranks_gather(job->ranks, c->starts, bytes);

    if (code || c->settled ||
        (code = orr_download(job->device, starts, c->starts, (size_t)c->size * bytes)))
        return code;
    memset(c->held, 0, sizeof c->held);
    for (int r = 0; r <= c->size; r++)
        c->sent_at[r] = (size_t)starts[(size_t)c->rank * row + (size_t)r];
    for (int from = 0; from < c->size; from++) {
        const int32_t *one = starts + (size_t)from * row;
        c->got_at[from] = c->held[c->rank];
        for (int to = 0; to < c->size; to++)
            c->held[to] += (size_t)(one[to + 1] - one[to]);
    }
    c->own = c->got_at[c->size] = c->held[c->rank];
    return ORR_OK;
}

/* Bodies at home to `out` and, those that the rank keeps, to `own`; or accelerations back. */
static int reorder(struct orr_job *job, struct curve_ranks *c, const char *kernel,
                   struct orr_buffer *home, struct orr_buffer *own)
{
    const int sorted = radix_sort_result(RADIX_DIGIT_BITS);

    return LAUNCH(kernel, j_split_divide_up(c->home, c->block), ORR_BUF(home),
                  ORR_BUF(c->sort.value[sorted]), ORR_BUF(c->out), ORR_BUF(own), NUMBER(c->home),
                  NUMBER(c->sent_at[c->rank]), NUMBER(c->got_at[c->rank + 1] - c->got_at[c->rank]),
                  NUMBER(c->got_at[c->rank]));
}

/* Sends bodies in `out` to their owners, who have them in `own`, or the other way round. */
static int exchange(struct orr_job *job, struct curve_ranks *c, struct orr_buffer *own, bool back)
{
    struct orr_ranks_part parts[2 * ORR_MAX_RANKS];
    int count = 0;

    for (int r = 0; r < c->size; r++) {
        const size_t sent = c->sent_at[r + 1] - c->sent_at[r],
                     got = c->got_at[r + 1] - c->got_at[r];
        if (r == c->rank)
            continue;
        parts[count++] =
            (struct orr_ranks_part){r, !back, c->out, c->sent_at[r] * FLOAT4, sent * FLOAT4};
        parts[count++] = (struct orr_ranks_part){r, back, own, c->got_at[r] * FLOAT4, got * FLOAT4};
        c->received += (double)(back ? sent : got) * FLOAT4;
    }
    return orr_ranks_exchange(job->ranks, parts, count);
}

/* The tree's room is gone with its root, which follows from the boxes again. */
static int make_room(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                     int (*room)(struct orr_job *job, size_t n))
{
    const int32_t levels = tree->levels;
    if (c->own > CURVE_RANKS_MOST_BODIES)
        return ORR_FAIL(job, ORR_EUNSUPPORTED,
                        "%zu bodies lie in one rank's part of the curve, which has %d at most",
                        c->own, CURVE_RANKS_MOST_BODIES);
    int code = c->own <= c->room ? ORR_OK : have_room(job, c, some_more(c->own));

    if (!code && c->own > tree->room) {
        if ((code = room(job, some_more(c->own))))
            return code;
        tree->levels = levels;
        code = sorted_tree_cube(job, tree, c->boxes, c->size);
    }
    if (!code)
        sorted_tree_hold(tree, c->own);
    return code;
}

/* Everything behind the root. */
static int divide(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                  struct orr_buffer *home, int (*room)(struct orr_job *job, size_t n))
{
    const size_t groups = j_split_divide_up(c->home, c->block);
    const int sorted = radix_sort_result(RADIX_DIGIT_BITS);
    int code = c->settled ? ORR_OK
                          : orr_upload(job->device, c->splits, c->split,
                                       (size_t)c->size * sizeof *c->split);

    if (code ||
        (code = sorted_tree_key(job, tree, home, c->home, c->sort.key[0], c->sort.value[0])) ||
        (code = LAUNCH("curve_owner", groups, ORR_BUF(c->sort.key[0]), ORR_BUF(c->splits),
                       NUMBER(c->home), ORR_I32(c->size))) ||
        (code = groups ? radix_sort_run(job, &c->sort, RADIX_DIGIT_BITS) : ORR_OK) ||
        (code = LAUNCH("curve_starts", j_split_divide_up(c->home + 1, c->block),
                       ORR_BUF(c->sort.key[sorted]), ORR_BUF(c->starts), NUMBER(c->home),
                       ORR_I32(c->size), ORR_I32(c->rank))) ||
        (code = count_bodies(job, c)) || (code = make_room(job, c, tree, room)) ||
        (code = orr_phase(job->device, "divide")) ||
        (code = reorder(job, c, "curve_take", home, c->body)))
        return code;
    return exchange(job, c, c->body, false);
}

static int read_clock(struct orr_job *job, struct curve_ranks *c, int which)
{
    return LAUNCH("curve_clock", 1, ORR_BUF(c->clock), ORR_I32(which));
}

int curve_ranks_divide(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                       struct orr_buffer *home, int (*room)(struct orr_job *job, size_t n))
{
    int code = orr_phase(job->device, "divide");

    c->settled = !c->moves && c->evaluations++ > ORR_SETTLING_STEPS;
    if (!code && c->marked && !c->settled)
        code = split_curve(job, c);
    if (code || (code = find_root(job, c, tree, home)) || (code = orr_phase(job->device, "divide")))
        return code;
    code = divide(job, c, tree, home, room);
    return code ? code : read_clock(job, c, 0);
}

int curve_ranks_return(struct orr_job *job, struct curve_ranks *c, struct orr_buffer *acc)
{
    int code = orr_phase(job->device, "return");

    if (code || (code = exchange(job, c, c->acc, true)) ||
        (code = orr_phase(job->device, "return")))
        return code;
    return reorder(job, c, "curve_put", acc, c->acc);
}

/* --- after an upload --- */

/* Levels that part the bodies of the rank that needs most, once they are with their owners. */
static int measure(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                   struct orr_buffer *home, int (*room)(struct orr_job *job, size_t n))
{
    int32_t deepest = 0;
    int code = divide(job, c, tree, home, room);

    if (!code && c->own)
        code = sorted_tree_sort(job, tree, c->body);
    if (!code)
        code = sorted_tree_deepest(job, tree, &deepest);
    double all[ORR_MAX_RANKS] = {0};
    all[c->rank] = deepest;
    if (!code)
        code = curve_ranks_sum(job, all, c->size);
    if (code)
        return code;
    for (int r = 0; r < c->size; r++)
        deepest = all[r] > deepest ? (int32_t)all[r] : deepest;
    sorted_tree_set_levels(tree, deepest);
    for (int r = 0; r < c->size; r++)
        c->split[r] >>= tree->dimensions * (tree->most_levels - tree->levels);
    return ORR_OK;
}

int curve_ranks_begin(struct orr_job *job, struct curve_ranks *c, struct sorted_tree *tree,
                      struct orr_buffer *home, int32_t levels,
                      int (*room)(struct orr_job *job, size_t n))
{
    int code;

    c->evaluations = 0;
    c->settled = false;
    tree->levels = levels ? levels : tree->most_levels;
    if ((code = find_root(job, c, tree, home)) || (code = sample(job, c, tree, home)))
        return code;
    return levels ? ORR_OK : measure(job, c, tree, home, room);
}

/* --- what each tells of its part --- */

int curve_ranks_describe(struct orr_job *job, struct curve_ranks *c, const struct sorted_tree *tree,
                         size_t group)
{
    int code = read_clock(job, c, 1);

    if (!code)
        code = LAUNCH("curve_segments", SEGMENTS, ORR_BUF(tree->body), ORR_BUF(c->segments),
                      NUMBER(c->own), NUMBER(group), ORR_I32(c->rank));

    if (code || (code = orr_ranks_gather(job->ranks, c->segments, BOXES_BYTES)))
        return code;
    c->received += (double)(c->size - 1) * BOXES_BYTES;
    return LAUNCH("curve_blocks", j_split_divide_up((size_t)c->size * BLOCKS, c->block),
                  ORR_BUF(c->segments), ORR_BUF(c->blocks), NUMBER(c->size * BLOCKS));
}

int curve_ranks_begin_walk(struct orr_job *job, struct curve_ranks *c)
{
    return read_clock(job, c, 2);
}

int curve_ranks_tally(struct orr_job *job, struct curve_ranks *c, const struct sorted_tree *tree,
                      size_t group, struct orr_buffer *work, int counts, int price, int last)
{
    int code =
        LAUNCH("curve_tally", SEGMENTS, ORR_BUF(sorted_tree_keys(tree)), ORR_BUF(work),
               ORR_BUF(c->marks), ORR_BUF(c->tally), ORR_BUF(c->clock), NUMBER(c->own),
               NUMBER(group), ORR_I32(counts), ORR_I32(price), ORR_I32(last), ORR_I32(c->rank));

    c->marked = 1;
    if (code || c->settled) /* nothing is divided by them */
        return code;
    c->received += (double)(c->size - 1) * MARKS_BYTES;
    return orr_ranks_gather(job->ranks, c->marks, MARKS_BYTES);
}

int curve_ranks_begin_step(struct orr_job *job, struct curve_ranks *c)
{
    c->received = 0;
    return orr_fill(job->device, c->tally, 0, TALLY_BYTES);
}

/* --- sums over ranks --- */

/* Each rank's numbers, rank by rank. Free *all. */
static int gather_numbers(const struct orr_job *job, const double *numbers, size_t count,
                          double **all)
{
    const size_t size = (size_t)orr_ranks_size(job->ranks), bytes = count * sizeof **all;
    struct orr_buffer *buffer = NULL;
    int code = 0;

    if (!(*all = calloc(size, bytes)))
        return ORR_FAIL(job, ORR_EMEMORY, "no host memory for %zu numbers", count);
    memcpy(*all + (size_t)orr_ranks_own(job->ranks) * count, numbers, bytes);
    code = orr_alloc(job->device, &buffer, size * bytes);
    if (!code)
        code = orr_upload(job->device, buffer, *all, size * bytes);
    if (!code)
        code = orr_ranks_gather(job->ranks, buffer, bytes);
    if (!code)
        code = orr_download(job->device, *all, buffer, size * bytes);
    orr_free(job->device, buffer);
    return code;
}

int curve_ranks_sum(const struct orr_job *job, double *numbers, int count)
{
    const int size = orr_ranks_size(job->ranks);
    double *all = NULL;
    int code = size > 1 ? gather_numbers(job, numbers, (size_t)count, &all) : ORR_OK;

    for (int k = 0; k < count && all && !code; k++) {
        numbers[k] = 0;
        for (int r = 0; r < size; r++)
            numbers[k] += all[r * count + k];
    }
    free(all);
    return code;
}

int curve_ranks_count(const struct orr_job *job, const struct curve_ranks *c, int counts,
                      double sums[CURVE_RANKS_MOST_COUNTS], double *received)
{
    uint64_t tally[SEGMENTS * CURVE_RANKS_MOST_COUNTS];
    double most[ORR_MAX_RANKS] = {0};
    int code = orr_download(job->device, tally, c->tally, sizeof tally);

    if (code)
        return code;
    memset(sums, 0, CURVE_RANKS_MOST_COUNTS * sizeof *sums);
    for (int k = 0; k < SEGMENTS * counts; k++)
        sums[k % counts] += (double)tally[k];
    most[c->rank] = c->received;
    if ((code = curve_ranks_sum(job, sums, counts)) || (code = curve_ranks_sum(job, most, c->size)))
        return code;
    *received = 0;
    for (int r = 0; r < c->size; r++)
        *received = most[r] > *received ? most[r] : *received;
    return ORR_OK;
}

void curve_ranks_release(struct orr_job *job, struct curve_ranks *c)
{
    struct orr_buffer *const buffers[] = {c->boxes,    c->splits, c->starts, c->out,
                                          c->body,     c->acc,    c->marks,  c->clock,
                                          c->segments, c->blocks, c->tally};

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    orr_drop(job->device, c->program);
    radix_sort_release(job, &c->sort);
    memset(c, 0, sizeof *c);
}
