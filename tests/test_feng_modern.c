/* feng/barnes-hut-modern: its forces against fp64, its tree array by array, bodies that make trees difficult;
 * feng/exact beside it. */
#include "feng_modern_run.h"

/* --- a plain Barnes-Hut in fp64: a cell for every body, the paper's criterion for each body by itself --- */

struct node {
    double x, y, mass, width;
    int child[4], body; /* body: of a cell that holds one, else -1 */
};

/* The quadtree over ids[0 ... count - 1] with its lower-left corner at x0, y0. Returns the new node's index. */
static int plant(struct node *nodes, int *used, const struct orr_bodies *b, int *ids, int count, const double corner[2],
                 double width)
{
    int at = (*used)++, part[4] = {0}, *sorted = malloc((size_t)count * 4 * sizeof *sorted);
    struct node node = {.width = width, .child = {-1, -1, -1, -1}, .body = count == 1 ? ids[0] : -1};

    for (int k = 0; k < count; k++) {
        double x = b->pos[0][ids[k]], y = b->pos[1][ids[k]], mass = b->mass[ids[k]];
        int quarter = (x >= corner[0] + width / 2) + 2 * (y >= corner[1] + width / 2);
        sorted[quarter * count + part[quarter]++] = ids[k];
        node.x += mass * x;
        node.y += mass * y;
        node.mass += mass;
    }
    node.x /= node.mass;
    node.y /= node.mass;
    for (int q = 0; q < 4 && count > 1; q++) {
        double lower[2] = {corner[0] + (q & 1) * width / 2, corner[1] + q / 2 * width / 2};
        if (part[q])
            node.child[q] = plant(nodes, used, b, sorted + q * count, part[q], lower, width / 2);
    }
    free(sorted);
    nodes[at] = node;
    return at;
}

static void pull(double acc[2], const struct node *nodes, int at, const struct orr_bodies *b, size_t i, double theta)
{
    const struct node *node = &nodes[at];
    double dx = node->x - b->pos[0][i], dy = node->y - b->pos[1][i], d2 = dx * dx + dy * dy, eps = (float)b->eps;

    if (node->body < 0 && !(node->width * node->width < theta * theta * d2)) {
        for (int q = 0; q < 4; q++)
            if (node->child[q] >= 0)
                pull(acc, nodes, node->child[q], b, i, theta);
    } else if (node->body != (int)i) {
        double r2 = d2 + eps * eps, s = node->mass / (r2 * sqrt(r2));
        acc[0] += s * dx;
        acc[1] += s * dy;
    }
}

static void plain_barnes_hut(double (*acc)[2], const struct orr_bodies *b, double theta)
{
    struct node *nodes = malloc(60 * b->n * sizeof *nodes);
    int *ids = malloc(b->n * sizeof *ids), used = 0;
    double low[2], high[2];

    for (int d = 0; d < 2; d++) {
        low[d] = high[d] = b->pos[d][0];
        for (size_t i = 0; i < b->n; i++) {
            low[d] = fmin(low[d], b->pos[d][i]);
            high[d] = fmax(high[d], b->pos[d][i]);
        }
    }
    for (size_t i = 0; i < b->n; i++)
        ids[i] = (int)i;
    plant(nodes, &used, b, ids, (int)b->n, low, fmax(high[0] - low[0], high[1] - low[1]) * 1.000001);
    memset(acc, 0, b->n * sizeof *acc);
    for (size_t i = 0; i < b->n; i++)
        pull(acc[i], nodes, 0, b, i, theta);
    free(nodes);
    free(ids);
}

static void direct_sums(double (*acc)[2], const struct orr_bodies *b)
{
    for (size_t i = 0; i < b->n; i++) {
        double sum[3];
        direct(sum, b, i);
        acc[i][0] = sum[0];
        acc[i][1] = sum[1];
    }
}

/* Median error of the variant on `device` with `settings`. */
static double variant_error(struct orr_device *device, const struct orr_bodies *b, const double (*truth)[2],
                            const char *settings)
{
    double(*acc)[2] = malloc(b->n * sizeof *acc), error;
    struct run r;

    run_make(&r, &modern, device, b, settings);
    for (size_t i = 0; i < b->n; i++) {
        acc[i][0] = (double)r.out.acc[0][i];
        acc[i][1] = (double)r.out.acc[1][i];
    }
    error = median_error((const double(*)[2])acc, truth, b->n);
    run_release(&r);
    free(acc);
    return error;
}

/* --- forces --- */

static void zero_theta(struct orr_device *device)
{
    static const size_t sizes[] = {1, 2, 3, 8, 9, 31, 65, 257, 1000};
    static const char *const settings[] = {"theta=0", "theta=0 leaf=1", "theta=0 leaf=20 bodies=1", "theta=0 levels=3"};
    struct run r;

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct orr_bodies b = random_bodies(sizes[k], 2048, k % 2 ? 0 : 1);
        run_make(&r, &modern, device, &b, settings[k % 4]);
        check_direct(&r, settings[k % 4], 3e-6);
        run_release(&r);
        run_make(&r, &exact, device, &b, "precision=single");
        check_direct(&r, "single", 3e-6);
        run_release(&r);
        if (device->info.fp64) {
            run_make(&r, &exact, device, &b, "precision=double");
            check_direct(&r, "double", 3e-7); /* the result is rounded to single */
            run_release(&r);
        }
        orr_bodies_release(&b);
    }
}

static void test_zero_theta_is_the_direct_sum(void **state)
{
    (void)state;
    everywhere(zero_theta);
}

static void error_of_theta(struct orr_device *device)
{
    static const char *const settings[] = {"theta=0.2", "theta=0.35", "theta=0.5", "theta=0.8", "theta=1.5"};
    static const double thetas[] = {0.2, 0.35, 0.5, 0.8, 1.5};
    struct orr_bodies b = random_bodies(1500, 2048, 1);
    double(*truth)[2] = malloc(b.n * sizeof *truth), (*plain)[2] = malloc(b.n * sizeof *plain), last = 0;

    direct_sums(truth, &b);
    for (int k = 0; k < 5; k++) {
        double error = variant_error(device, &b, (const double(*)[2])truth, settings[k]);
        plain_barnes_hut(plain, &b, thetas[k]);
        double allowed = median_error((const double(*)[2])plain, (const double(*)[2])truth, b.n);
        if (!(error > last) || !(error <= allowed))
            fail_msg("%s on %s: median error %g after %g, plainly %g", settings[k], device->info.id, error, last,
                     allowed);
        last = error;
    }
    free(truth);
    free(plain);
    orr_bodies_release(&b);
}

static void test_error_grows_with_theta_and_is_no_larger_than_plain(void **state)
{
    (void)state;
    everywhere(error_of_theta);
}

/* The share of the forces that does not cancel. */
static double imbalance(struct orr_device *device, const struct orr_bodies *b, const char *settings)
{
    double sum[3] = {0};
    struct run r;

    run_make(&r, &modern, device, b, settings);
    for (size_t i = 0; i < b->n; i++) {
        double x = b->mass[i] * (double)r.out.acc[0][i], y = b->mass[i] * (double)r.out.acc[1][i];
        sum[0] += x;
        sum[1] += y;
        sum[2] += hypot(x, y);
    }
    run_release(&r);
    return hypot(sum[0], sum[1]) / sum[2];
}

static void momentum(struct orr_device *device)
{
    struct orr_bodies b = random_bodies(1111, 2048, 1);

    assert_true(imbalance(device, &b, "theta=0") < 1e-5);
    assert_true(imbalance(device, &b, "theta=0.5") < 1e-2);
    orr_bodies_release(&b);
}

static void test_momentum(void **state)
{
    (void)state;
    everywhere(momentum);
}

static void repeated(struct orr_device *device)
{
    struct orr_bodies b = random_bodies(999, 64, 0.5);

    for (int k = 0; k < 2; k++) {
        const char *settings = k ? "theta=0.7 steps=3 dt=0.01" : "theta=0.7";
        struct orr_cost cost[2];
        struct run first, again;
        run_make(&first, &modern, device, &b, settings);
        assert_int_equal(first.variant->cost(&first.job, &cost[0]), 0);
        for (int round = 0; round < 8; round++) {
            run_make(&again, &modern, device, &b, settings);
            run_step(&again, round % 2);
            for (int d = 0; d < 2; d++)
                assert_memory_equal(first.out.acc[d], again.out.acc[d], b.n * sizeof(float));
            assert_int_equal(again.variant->cost(&again.job, &cost[1]), 0);
            assert_true(cost[0].interactions == cost[1].interactions && cost[0].interactions > 0);
            run_release(&again);
        }
        run_release(&first);
    }
    orr_bodies_release(&b);
}

static void test_same_bits_again(void **state)
{
    (void)state;
    everywhere(repeated);
}

/* theta = 0 evaluates every ordered pair once. */
static void counted(struct orr_device *device)
{
    struct orr_bodies b = random_bodies(333, 10, 0.1);
    struct orr_cost cost;
    struct run r;

    run_make(&r, &modern, device, &b, "theta=0 steps=2 dt=0.0001");
    assert_int_equal(r.variant->cost(&r.job, &cost), 0);
    assert_true(cost.interactions == 3.0 * 333 * 332);
    run_release(&r);
    orr_bodies_release(&b);
}

static void test_interactions(void **state)
{
    (void)state;
    everywhere(counted);
}

static void refused(struct orr_device *device)
{
    struct orr_bodies b = random_bodies(10, 10, 0.1);
    struct run r;

    assert_int_equal(run_prepare(&r, &modern, device, &b, "block=12"), ORR_EUSAGE);
    run_release(&r);
    assert_int_equal(run_prepare(&r, &modern, device, &b, "steps=1 dt=0"), ORR_EUSAGE);
    run_release(&r);
    orr_bodies_release(&b);
    orr_error_clear();
}

static void test_refusals(void **state)
{
    (void)state;
    everywhere(refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_theta_is_the_direct_sum),
        cmocka_unit_test(test_error_grows_with_theta_and_is_no_larger_than_plain),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_same_bits_again),
        cmocka_unit_test(test_interactions),
        cmocka_unit_test(test_refusals),
    };

    print_seed();
    return cmocka_run_group_tests_name("feng modern", tests, load, unload);
}
