#include "sorted_tree.h"

#include "kernels/feng_modern.h"

const struct orr_source feng_sorted_tree_source = {"feng_modern", kernel_feng_modern};

enum {
    FLOAT4 = 4 * sizeof(float),
    INT2 = 2 * sizeof(int32_t),
    INT4 = 4 * sizeof(int32_t),
    SPARE_LEVELS = 1,
    MOST_BOUNDS = 512
};

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static size_t groups_of(const struct feng_sorted_tree *t)
{
    return divide_up(t->n, t->block);
}

static size_t bounds_groups(const struct feng_sorted_tree *t)
{
    return groups_of(t) < MOST_BOUNDS ? groups_of(t) : MOST_BOUNDS;
}

/* The number of cells is known on the device only; the threads of this many groups share them. */
static size_t cell_groups(const struct feng_sorted_tree *t)
{
    size_t most = 16384;

    return groups_of(t) < most ? groups_of(t) : most;
}

/* Rows until one is so short that summing it is no matter; their lengths summed. */
static size_t plan_pyramid(struct feng_sorted_tree *t)
{
    size_t length = t->n, sum = t->n;

    for (t->rows = 1; length > 4 * FENG_FAN; t->rows++) {
        length = divide_up(length, FENG_FAN);
        sum += length;
    }
    return sum;
}

static int allocate(struct orr_job *job, struct feng_sorted_tree *t)
{
    struct orr_device *d = job->device;
    int rc;

    if ((rc = orr_alloc(d, &t->root, FLOAT4)) || (rc = orr_alloc(d, &t->bounds, bounds_groups(t) * FLOAT4)) ||
        (rc = orr_alloc(d, &t->pyramid, plan_pyramid(t) * FLOAT4)) ||
        (rc = orr_alloc(d, &t->depths, t->n * sizeof(int32_t))) ||
        (rc = orr_alloc(d, &t->offset, (t->n + 1) * sizeof(int32_t))) ||
        (rc = orr_alloc(d, &t->totals, groups_of(t) * sizeof(int32_t))) ||
        (rc = orr_alloc(d, &t->ranges, t->capacity * INT2)) || (rc = orr_alloc(d, &t->links, t->capacity * INT4)) ||
        (rc = orr_alloc(d, &t->after, t->capacity * sizeof(int32_t))))
        return rc;
    return orr_alloc(d, &t->cells, t->capacity * FLOAT4);
}

int feng_sorted_tree_prepare(struct orr_job *job, struct feng_sorted_tree *t, size_t n, int32_t leaf)
{
    const struct orr_device_info *info = &job->device->info;
    char defines[64];
    int rc;

    t->n = n;
    t->leaf = leaf;
    t->levels = FENG_MAX_DEPTH;
    t->block = info->kind == ORR_DEVICE_CPU ? 16 : n < 1024 ? 32 : info->max_group && info->max_group < 256 ? 64 : 256;
    /* At most n leaves, and of each depth n / (leaf + 1) cells with more than `leaf` bodies. */
    t->capacity = n + FENG_MAX_DEPTH * (n / ((size_t)leaf + 1)) + 1;
    if ((rc = radix_sort_prepare(job, &t->sort, n)) || (rc = allocate(job, t)))
        return rc;
    snprintf(defines, sizeof defines, "-DBLOCK=%zu -DLEAF=%d -DFAN=%d", t->block, leaf, FENG_FAN);
    return orr_build(job->device, &t->program, &feng_sorted_tree_source, defines);
}

static int launch(struct orr_job *job, struct feng_sorted_tree *t, const char *kernel, size_t groups,
                  const struct orr_arg *args, int count)
{
    const struct orr_launch it = {
        .kernel = kernel, .groups = {groups}, .group = {t->block}, .args = args, .arg_count = count};

    return orr_launch(job->device, t->program, &it);
}
#define LAUNCH(kernel, groups, ...)                                       \
    launch(job, t, kernel, groups, (const struct orr_arg[]){__VA_ARGS__}, \
           sizeof((const struct orr_arg[]){__VA_ARGS__}) / sizeof(struct orr_arg))
#define NUMBER(x) ORR_I32((int32_t)(x))

static int insert_root(struct orr_job *job, struct feng_sorted_tree *t, struct orr_buffer *body)
{
    size_t groups = bounds_groups(t);
    int rc = orr_phase(job->device, "InsertRoot");

    if (!rc)
        rc = LAUNCH("feng_bounds", groups, ORR_BUF(body), ORR_BUF(t->bounds), NUMBER(t->n));
    return rc ? rc : LAUNCH("feng_root", 1, ORR_BUF(t->bounds), ORR_BUF(t->root), NUMBER(groups));
}

static struct orr_buffer *sorted_keys(const struct feng_sorted_tree *t)
{
    return t->sort.key[radix_sort_result(2 * t->levels)];
}

static int sort(struct orr_job *job, struct feng_sorted_tree *t, struct orr_buffer *body)
{
    int rc = orr_phase(job->device, "Sort");

    if (!rc)
        rc = LAUNCH("feng_keys", groups_of(t), ORR_BUF(body), ORR_BUF(t->root), ORR_BUF(t->sort.key[0]),
                    ORR_BUF(t->sort.value[0]), NUMBER(t->n), NUMBER(t->levels));
    return rc ? rc : radix_sort_run(job, &t->sort, 2 * t->levels);
}

static int build(struct orr_job *job, struct feng_sorted_tree *t)
{
    const struct orr_arg key = ORR_BUF(sorted_keys(t)), depths = ORR_BUF(t->depths);
    const struct orr_arg offset = ORR_BUF(t->offset), totals = ORR_BUF(t->totals), ranges = ORR_BUF(t->ranges);
    const struct orr_arg after = ORR_BUF(t->after);
    const struct orr_arg n = NUMBER(t->n), levels = NUMBER(t->levels);
    size_t groups = groups_of(t);
    int rc = orr_phase(job->device, "BuildQuadTree");

    if (rc || (rc = LAUNCH("feng_depths", groups, key, depths, offset, totals, n, levels)) ||
        (rc = LAUNCH("feng_offsets", 1, totals, offset, NUMBER(groups), n)) ||
        (rc = LAUNCH("feng_begin", groups, depths, offset, totals, ranges, n)) ||
        (rc = LAUNCH("feng_ranges", cell_groups(t), key, offset, ranges, after, n, levels)))
        return rc;
    return LAUNCH("feng_links", cell_groups(t), offset, ranges, after, ORR_BUF(t->links), n);
}

static int summarize(struct orr_job *job, struct feng_sorted_tree *t)
{
    size_t below = 0, length = t->n;
    int rc = orr_phase(job->device, "Summarize");

    for (int32_t row = 1; row < t->rows && !rc; row++) {
        size_t above = divide_up(length, FENG_FAN);
        rc = LAUNCH("feng_pyramid", divide_up(above, t->block), ORR_BUF(t->pyramid), NUMBER(below), NUMBER(length));
        below += length;
        length = above;
    }
    return rc ? rc
              : LAUNCH("feng_moments", cell_groups(t), ORR_BUF(sorted_keys(t)), ORR_BUF(t->pyramid), ORR_BUF(t->offset),
                       ORR_BUF(t->ranges), ORR_BUF(t->root), ORR_BUF(t->cells), NUMBER(t->n), NUMBER(t->levels),
                       NUMBER(t->rows));
}

int feng_sorted_tree_measure(struct orr_job *job, struct feng_sorted_tree *t, struct orr_buffer *body)
{
    int32_t deepest = 0, per_pass = RADIX_DIGIT_BITS / 2, levels;
    int rc;

    t->levels = FENG_MAX_DEPTH;
    if ((rc = insert_root(job, t, body)) || (rc = sort(job, t, body)) ||
        (rc = orr_fill(job->device, t->totals, 0, sizeof deepest)) ||
        (rc = LAUNCH("feng_deepest", groups_of(t), ORR_BUF(sorted_keys(t)), ORR_BUF(t->totals), NUMBER(t->n),
                     NUMBER(t->levels))) ||
        (rc = orr_download(job->device, &deepest, t->totals, sizeof deepest)))
        return rc;
    levels = (deepest + SPARE_LEVELS + per_pass - 1) / per_pass * per_pass;
    t->levels = levels < FENG_MAX_DEPTH ? levels : FENG_MAX_DEPTH;
    return orr_phase(job->device, NULL);
}

int feng_sorted_tree_build(struct orr_job *job, struct feng_sorted_tree *t, struct orr_buffer *body)
{
    int rc;

    if ((rc = insert_root(job, t, body)) || (rc = sort(job, t, body)) ||
        (rc = LAUNCH("feng_gather", groups_of(t), ORR_BUF(body), ORR_BUF(feng_sorted_tree_order(t)),
                     ORR_BUF(t->pyramid), NUMBER(t->n))))
        return rc;
    rc = build(job, t);
    return rc ? rc : summarize(job, t);
}

void feng_sorted_tree_release(struct orr_job *job, struct feng_sorted_tree *t)
{
    struct orr_buffer *const buffers[] = {t->root,   t->bounds, t->pyramid, t->depths, t->offset,
                                          t->totals, t->ranges, t->after,   t->links,  t->cells};

    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++)
        orr_free(job->device, buffers[k]);
    orr_drop(job->device, t->program);
    radix_sort_release(job, &t->sort);
    memset(t, 0, sizeof *t);
}
