/* SPDX-License-Identifier: MIT */
/* An invented ledger of gaburov: cells in which every claim holds, of which tests change single
 * numbers. */
#ifndef ORR_TEST_GABUROV_WORLD_H
#define ORR_TEST_GABUROV_WORLD_H

#include "claims_for_tests.h"

enum { SIZES = 7, THETAS = 6, MILLION = 1000000 };
static const int sizes[SIZES] = {10000, 30000, 100000, 300000, 1000000, 3000000, 10000000};
static const double thetas[THETAS] = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7};

/* Everything that is invented; tests change single numbers. */
struct world {
    int first, last, angles;       /* sizes and theta of the sweep */
    double power[2];               /* of theta, in the median and the 99 % of the errors */
    double spread;                 /* of N, in both */
    double small_spread;           /* the same with 8 bodies in a leaf */
    double small_ratio;            /* of the errors with 8 to those with 64, at a million */
    double group_ratio;            /* the same with groups of 8; 0: there are none */
    double tree, tree_theta;       /* of N log N and of theta, in the host's time */
    double device;                 /* of N, in the device's time */
    double idle;                   /* what a million bodies take besides, by those that it has */
    double gflops, peak;           /* of the evaluations; of the device, by its multiply-adds */
    double per_group, active;      /* bodies; share of the threads */
    double walk[2], walk_power[2]; /* GB/s at theta = 0.2; of theta */
    double whole;                  /* seconds of a call at a million */
    double speedup;                /* of N / log N */
    double direct_last;            /* beyond so many bodies it is extrapolated */
    double merger;                 /* bodies a second */
    double tree_ratio, simd_ratio, cores_ratio; /* of a thread each; of all cores each */
    double balance;                             /* host over device at a million, theta = 0.5 */
    double crowd;      /* step with other leaves and groups over 64 and 64 */
    const char *build; /* how the tree is made */
};

/* As the paper says, in numbers of our own. */
static inline struct world as_printed(void)
{
    return (struct world){.last = SIZES,
                          .angles = THETAS,
                          .power = {between(3.7, 4.3), between(3.7, 4.3)},
                          .spread = log10(between(1.8, 2.2)) / 2,
                          .small_spread = between(-0.2, -0.1),
                          .small_ratio = between(1.8, 2.2),
                          .tree = between(1, 1.04),
                          .device = between(1.001, 1.01),
                          .gflops = between(98, 110),
                          .peak = between(350, 375),
                          .per_group = between(17, 20),
                          .active = between(0.28, 0.32),
                          .walk = {between(85, 95), between(40, 50)},
                          .walk_power = {-0.5, -0.4},
                          .whole = between(0.8, 1.05),
                          .speedup = between(0.95, 1.05),
                          .direct_last = 1e6,
                          .merger = between(3.4e6, 3.6e6),
                          .tree_ratio = between(80, 150),
                          .simd_ratio = between(8, 15),
                          .cores_ratio = between(8, 15),
                          .balance = 0.34,
                          .crowd = between(1.1, 1.5),
                          .build = "recursive"};
}

static inline double n_log_n(double n)
{
    return n * log(n);
}

/* `parameters` and `extra` are more members with a leading comma. */
static inline void put(const char *experiment, const char *variant, const char *device,
                       const char *dataset, int n, double seconds, const char *parameters,
                       const char *extra)
{
    const char *input = filled("'name':'%s','n':%d,'seed':1", dataset, n);
    const char *given = filled("'eps':0.0%s", parameters);
    put_of("gaburov", experiment, variant, device, input, given, seconds, extra);
}

static inline void crowded(char out[256], const char *build, double theta, int nleaf, int ngroup,
                           int host_threads, int steps)
{
    snprintf(out, 256,
             ",'theta':%.17g,'nleaf':%d,'ngroup':%d,'host_threads':%d,'steps':%d,"
             "'tree':'%s','scan':'host','walk':'two','share':'off',"
             "'opening':'octgrav','multipole':'quadrupole'",
             theta, nleaf, ngroup, host_threads, steps, build);
}

/* The paper's own setting. */
static inline void settings(char out[256], const struct world *w, double theta, int nleaf,
                            int steps)
{
    crowded(out, w->build, theta, nleaf, 64, 1, steps);
}

static inline void errors(char out[160], double median, double p99)
{
    snprintf(out, 160, ",'error':{'median':%.17g,'p99':%.17g,'max':1,'targets':4096}", median, p99);
}

static inline double error_of(const struct world *w, int what, double n, double theta)
{
    return (what ? 5e-4 : 1e-4) * pow(theta / 0.5, w->power[what]) * pow(n / MILLION, w->spread);
}

/* One phase: three samples around its time. */
static inline int put_phase(char *to, size_t size, const char *name, double seconds)
{
    return snprintf(to, size, "%s{'name':'%s','kernel_s':[%.17g,%.17g,%.17g]}",
                    *name == 't' ? "" : ",", name, 0.9995 * seconds, seconds, 1.0005 * seconds);
}

/* Stages, phases, figures and errors of a cell of the sweep. */
static inline void describe(char *out, size_t size, const struct world *w, int n, double theta)
{
    static const char *const names[] = {"transfer", "walk 1", "walk 2", "nodes", "leaves", "back"};
    static const double shares[] = {0.05, 0.1, 0.15, 0.4, 0.2, 0.1};
    double host =
        w->balance * pow(n_log_n(n) / n_log_n(MILLION), w->tree) * pow(theta / 0.5, w->tree_theta);
    double device = (pow(1e-6 * n, w->device) + w->idle) * pow(theta / 0.5, -2);
    char error[160];
    size_t used =
        (size_t)snprintf(out, size,
                         ",'end_to_end_seconds':%.17g,'stages':[{'name':'build','seconds':%.17g,"
                         "'in_step':true},{'name':'reorder','seconds':%.17g,'in_step':true}],"
                         "'phases':[",
                         w->whole * n / MILLION, 0.7 * host, 0.3 * host);
    for (int k = 0; k < 6; k++)
        used += (size_t)put_phase(out + used, size - used, names[k], shares[k] * device);
    double flops = w->gflops * 1e9 * 0.6 * device; /* of nodes and leaves, half of each */
    errors(error, error_of(w, 0, n, theta), error_of(w, 1, n, theta));
    snprintf(out + used, size - used,
             "],'figures':{'node interactions':%.17g,'leaf interactions':%.17g,'bodies per "
             "group':%.17g,'active threads':%.17g,'walk 1 bytes':%.17g,'walk 2 bytes':%.17g},"
             "'flops_true':%.17g,'interactions':%.17g%s",
             flops / 140, flops / 76, w->per_group, w->active,
             w->walk[0] * 1e9 * pow(theta / 0.2, w->walk_power[0]) * 0.1 * device,
             w->walk[1] * 1e9 * pow(theta / 0.2, w->walk_power[1]) * 0.15 * device,
             flops / 140 * 54 + flops / 76 * 20, 1e9 * pow(1e-6 * n, w->device) * pow(theta, -2),
             error);
}

static inline void put_sweep(const struct world *w)
{
    char parameters[256], extra[2048];
    for (int k = w->first; k < w->last; k++) {
        double n = sizes[k], tree = 1e-7 * n_log_n(n);
        for (int t = 0; t < w->angles; t++) {
            settings(parameters, w, thetas[t], 64, 0);
            describe(extra, sizeof extra, w, sizes[k], thetas[t]);
            put("fig3.7", "octgrav", "cuda:0", "milky-way", sizes[k], tree / thetas[t], parameters,
                extra);
        }
        put("fig3.7", "direct", "cuda:0", "milky-way", sizes[k],
            0.01 * tree * pow(n / log(n), w->speedup), ",'steps':0",
            n > w->direct_last ? ",'extrapolated_from':'c0'" : "");
    }
}

/* Errors with 8 bodies in a leaf, `ratio` times those with 64 at a million. */
static inline void small_errors(char out[160], const struct world *w, double ratio, int n,
                                double theta)
{
    ratio *= pow(1e-6 * n, w->small_spread);
    errors(out, ratio * error_of(w, 0, MILLION, theta), ratio * error_of(w, 1, MILLION, theta));
}

/* With 8 bodies in a leaf; those with 64 are older than the sweep's and say something else. */
static inline void put_leaves(const struct world *w)
{
    char parameters[256], extra[512];
    for (int k = w->first; k < w->last && sizes[k] <= 3000000; k++)
        for (int t = 1; t < w->angles; t += 2)
            for (int nleaf = 8; nleaf <= 64; nleaf *= 8) {
                settings(parameters, w, thetas[t], nleaf, 0);
                errors(extra, 1, 1);
                if (nleaf == 8)
                    small_errors(extra, w, w->small_ratio, sizes[k], thetas[t]);
                strcat(extra, nleaf == 8 ? "" : ",'started':'2025-01-01T00:00:00Z'");
                put("nleaf8", "octgrav", "cuda:0", "milky-way", sizes[k], 1, parameters, extra);
            }
}

/* With 8 bodies in a leaf and in a group. */
static inline void put_small_groups(const struct world *w)
{
    char parameters[256], extra[512];
    for (int k = w->first; k < w->last && sizes[k] <= 3000000 && w->group_ratio > 0; k++)
        for (int t = 1; t < w->angles; t += 2) {
            crowded(parameters, w->build, thetas[t], 8, 8, 1, 0);
            small_errors(extra, w, w->group_ratio, sizes[k], thetas[t]);
            put("nleaf8", "octgrav", "cuda:0", "milky-way", sizes[k], 1, parameters, extra);
        }
}

/* Other leaves and groups; with 64 of both it is the cell of the sweep. */
static inline void put_crowds(const struct world *w)
{
    char parameters[256], extra[512];
    for (int nleaf = 8; nleaf <= 128; nleaf *= 2)
        for (int ngroup = 8; ngroup <= 128; ngroup *= 2)
            if (nleaf != 64 || ngroup != 64) {
                crowded(parameters, w->build, 0.5, nleaf, ngroup, 1, 0);
                bool small = nleaf == 8 && ngroup == 8 && w->group_ratio > 0;
                small_errors(extra, w, small ? w->group_ratio : w->small_ratio, MILLION, 0.5);
                put("nleaf-ngroup", "octgrav", "cuda:0", "milky-way", MILLION,
                    w->crowd * 1e-7 * n_log_n(MILLION) / 0.5, parameters, extra);
            }
}

static inline void put_merger(const struct world *w)
{
    char parameters[256];
    for (int steps = 4; steps <= 16; steps *= 4) {
        settings(parameters, w, 0.5, 64, steps);
        put("merger", "octgrav", "cuda:0", "merger", 800000, 1, parameters,
            filled(",'bodies_per_second':%.17g,'conservation':{'energy_drift':1.5e-5},"
                   "'error':{'median':1e-4,'p99':1e-3,'max':1},"
                   "'stages':[{'name':'build','seconds':0.1,'in_step':true}],'phases':["
                   "{'name':'nodes','kernel_s':[%.17g]}],'flops_true':%.17g",
                   steps == 16 ? w->merger : 1.0, (steps + 1) * 8e5 / w->merger,
                   20e9 * (steps + 1) * 8e5 / w->merger));
    }
}

static inline void put_headline(const struct world *w)
{
    char parameters[256], error[160];
    errors(error, 2e-4, 1e-3);
    for (int n = 100000; n <= MILLION; n *= 10) {
        const double own = 1e-6 * n, odd = n < MILLION ? 0.01 : 1; /* the larger size judges */
        for (int k = 0; k < 4; k++) {
            const int all = k % 2, sorted = k / 2;
            crowded(parameters, sorted ? "sorted" : w->build, 0.5, 64, 64, !all, 0);
            put("headline", "octgrav", "cuda:0", "plummer", n,
                own / (all ? 2 : 1) / (sorted ? 3.5 : 1), parameters, error);
        }
        put("headline", "cpu-tree", "host", "plummer", n, odd * own * w->tree_ratio,
            ",'theta':0.5,'steps':0", error);
        put("headline", "cpu-tree-simd", "host", "plummer", n, odd * own * w->simd_ratio,
            ",'theta':0.5,'steps':0,'threads':1", error);
        put("headline", "cpu-tree-simd", "host", "plummer", n, odd * own / 7 * w->cores_ratio,
            ",'theta':0.5,'steps':0,'threads':0", error);
    }
}

/* With what the paper prints. */
static inline void begin_world(void)
{
    start("m");
    assert_int_equal(orr_ledger_add_paper(&in.ledger, paper), 0);
}

static inline void put_world(const struct world *w)
{
    fprintf(in.file,
            "{'record':'ceiling','device':'cuda:0','device_name':'a card',"
            "'interactions_per_second':1e10,'fma_per_second':%.17g}\n",
            w->peak * 1e9 / 2);
    put_leaves(w);
    put_small_groups(w);
    put_sweep(w);
    if (w->last > 4)
        put_crowds(w);
    put_merger(w);
    put_headline(w);
}

static inline void invent(const struct world *w)
{
    begin_world();
    put_world(w);
    load_and_judge();
}

/* A world that is not as printed, and the verdict on a claim there. */
struct turn {
    const char *claim, *verdict;
    struct world world;
};
#define WHERE(...)                     \
    ({                                 \
        struct world w = as_printed(); \
        __VA_ARGS__;                   \
        w;                             \
    })

/* Some worlds are machines of one ledger, which is judged once. */
static inline void assert_turns(const struct turn *turns, size_t count)
{
    enum { AT_ONCE = 6 };
    char machine[16];
    for (size_t first = 0, k; first < count; first += AT_ONCE) {
        const size_t end = first + AT_ONCE < count ? first + AT_ONCE : count;
        begin_world();
        for (k = first; k < end; k++) {
            load();
            snprintf(machine, sizeof machine, "m%zu", k);
            begin_journal(machine, "");
            put_world(&turns[k].world);
        }
        load_and_judge();
        for (k = first; k < end; k++) {
            snprintf(machine, sizeof machine, "m%zu", k);
            judged_machine = machine;
            print_message("%s of world %zu\n", turns[k].claim, k);
            assert_judged(turns[k].claim, "cuda:0", turns[k].verdict);
        }
    }
    judged_machine = NULL;
}

#endif
