/* SPDX-License-Identifier: MIT */
/* An invented ledger of feng: cells in which every claim holds, of which tests change single
 * numbers. */
#ifndef ORR_TEST_FENG_WORLD_H
#define ORR_TEST_FENG_WORLD_H

#include "claims_for_tests.h"

enum { SIZES = 8, KERNELS = 7, THETAS = 5, COUNTS = 4, GROWN = 6, STEPPED = 9, LOCKED = 4 };
enum { SETUP, ROOT, BUILD, SUMMARIZE, SORT, FORCES, UPDATE };
static const int sizes[SIZES] = {500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000};
static const char *const names[KERNELS] = {"Setup", "InsertRoot",    "BuildQuadTree", "Summarize",
                                           "Sort",  "ComputeForces", "Update"};
static const double thetas[THETAS] = {0.05, 0.5, 1, 5, 50};
static const double grown[GROWN] = {0.1, 0.3, 0.5, 0.9, 2, 5}; /* theta of Figure 12 */
static const double stepped[STEPPED] = {0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.2, 2, 5}; /* of Figure 13 */
static const int counts[COUNTS] = {100, 1000, 5000, 10000};
static const int locked[LOCKED] = {1000, 10000, 100000, 1000000};

/* Everything that is invented; tests change single numbers. */
struct world {
    double speedup[SIZES];           /* barnes-hut over cpu-naive */
    int beyond;                      /* from this size on cpu-naive is extrapolated */
    double start[2][KERNELS];        /* seconds at 500 bodies, without and with sorting */
    double exponent[2][KERNELS];     /* of the number of bodies */
    double bend;                     /* that all kernels' lines have in common */
    int first, last;                 /* sizes of the kernels' times */
    double growth[GROWN];            /* exponents of Figure 12 */
    double step[STEPPED];            /* seconds of Figure 13 */
    double position[COUNTS][THETAS]; /* mean costs */
    double velocity[COUNTS][THETAS];
    int costs;               /* sizes of the costs */
    double spinning[LOCKED]; /* seconds without over seconds with the barrier */
    double given_up[LOCKED]; /* seconds after which a spinning cell was, 0 for none */
    const char *unsupported; /* why no cell spins, NULL: they do */
    const char *settings;    /* of barnes-hut: the report's, else more members of the parameters */
    const char *plugin;      /* that measured the kernels, NULL: not told */
};

static const char faithful[] = ",'block_forces':32,'integrator':'euler'";

static inline void invent_costs(double cost[COUNTS][THETAS])
{
    const double rise[THETAS] = {0, 0.01, between(0.2, 0.4), 0.99, 1};
    for (int n = 0; n < COUNTS; n++)
        for (int t = 0; t < THETAS; t++)
            cost[n][t] = 1e-6 * pow(counts[n], 0.1) * between(1, 1.002) * (1 + (5 + n) * rise[t]);
}

/* As the report says, in numbers of our own. */
static inline struct world as_printed(void)
{
    static const double start[KERNELS] = {1e-5, 2e-5, 4e-5, 1e-5, 1e-5, 1e-4, 1e-5};
    struct world w = {
        .beyond = SIZES, .first = 0, .last = SIZES, .costs = COUNTS, .settings = faithful};
    for (int k = 0; k < SIZES; k++)
        w.speedup[k] =
            k ? w.speedup[k - 1] * sizes[k] / sizes[k - 1] * between(1.1, 1.5) : between(0.5, 2);
    for (int k = 0; k < KERNELS; k++) {
        double exponent = k == SETUP || k == SUMMARIZE ? log(250) / log(2000) : between(0.8, 0.9);
        for (int sort = 0; sort < 2; sort++) {
            w.start[sort][k] = start[k];
            w.exponent[sort][k] = k == BUILD ? 0.95 : exponent;
        }
    }
    w.exponent[0][FORCES] = 1.2, w.exponent[1][FORCES] = 1.0;
    w.start[1][FORCES] = 0.6 * w.start[0][FORCES];
    for (int t = 0; t < GROWN; t++)
        w.growth[t] = 1.6 - 0.1 * t;
    for (int t = 0; t < STEPPED; t++)
        w.step[t] = between(0.9, 1.1) * 0.1 / pow(2, t);
    invent_costs(w.position);
    invent_costs(w.velocity);
    for (int k = 0; k < LOCKED; k++)
        w.spinning[k] = between(50 + 250 * k, 900 + 300 * k);
    return w;
}

/* `parameters` and `extra` are more members with a leading comma. */
static inline void put(const char *experiment, const char *variant, const char *device, int n,
                       double theta, double seconds, const char *parameters, const char *extra)
{
    const char *dataset = filled("'name':'uniform-2d','n':%d", n);
    const char *settings = filled("'steps':20,'theta':%.17g%s", theta, parameters);
    put_of("feng", experiment, variant, device, dataset, settings, seconds, extra);
}

/* Of the report's program. */
static inline void put_own(const struct world *w, const char *experiment, int n, double theta,
                           double seconds, const char *parameters, const char *extra)
{
    const char *all = filled("%s%s", w->settings, parameters);
    put(experiment, "barnes-hut", "cuda:0", n, theta, seconds, all, extra);
}

static inline void put_speedups(const struct world *w)
{
    for (int k = 0; k < SIZES; k++) {
        double own = 1e-6 * sizes[k];
        put("fig6", "cpu-naive", "host", sizes[k], 0.9, own * w->speedup[k], "",
            k >= w->beyond ? ",'extrapolated_from':'c0'" : "");
        put("fig6", "cpu-tuned", "host", sizes[k], 0.9, own * w->speedup[k] / 25, "", "");
        put_own(w, "fig6", sizes[k], 0.9, own, ",'sort':'on','throttle':'barrier'", "");
        put("fig6", "barnes-hut-modern", "cuda:0", sizes[k], 0.9, own / 5, "", "");
    }
}

static inline double kernel_time(const struct world *w, int sort, int kernel, int n)
{
    const double exponent = w->exponent[sort][kernel] + w->bend * log(n / 500.0);
    return w->start[sort][kernel] * pow(n / 500.0, exponent) * between(0.9999, 1.0001);
}

static inline void put_kernels_of(const struct world *w, const char *experiment,
                                  const char *started, int sort, int n, double factor)
{
    char extra[2048];
    double step = 0;
    int used = snprintf(extra, sizeof extra, ",'started':'%s',", started);
    if (w->plugin)
        used += snprintf(extra + used, sizeof extra - used, "'plugin_sha256':'%s',", w->plugin);
    used += snprintf(extra + used, sizeof extra - used, "'phases':[");
    for (int p = 0; p < KERNELS; p++) {
        if (p == SORT && !sort)
            continue;
        double t = factor * kernel_time(w, sort, p, n);
        step += t;
        used += snprintf(extra + used, sizeof extra - used,
                         "%s{'name':'%s','kernel_s':[%.17g,%.17g,%.17g]}", p ? "," : "", names[p],
                         t * 0.9999, t, t * 1.0001);
    }
    snprintf(extra + used, sizeof extra - used, "]");
    put_own(w, experiment, n, 0.9, step, sort ? ",'sort':'on'" : ",'sort':'off'", extra);
}

/* Figure 11 is older and says something else. */
static inline void put_kernels(const struct world *w)
{
    for (int sort = 0; sort < 2; sort++)
        for (int k = w->first; k < w->last; k++) {
            put_kernels_of(w, sort ? "fig8" : "fig9", "2026-01-03T00:00:00Z", sort, sizes[k], 1);
            put_kernels_of(w, "fig11", "2026-01-02T00:00:00Z", sort, sizes[k], between(1, 10));
        }
}

static inline void put_thetas(const struct world *w)
{
    for (int t = 0; t < GROWN; t++)
        for (int k = 0; k < SIZES; k++)
            put_own(w, "fig12", sizes[k], grown[t], 1e-3 * pow(sizes[k] / 500.0, w->growth[t]), "",
                    "");
    for (int t = 0; t < STEPPED; t++)
        put_own(w, "fig13", 50000, stepped[t], w->step[t], "", "");
}

static inline void put_costs(const struct world *w)
{
    for (int n = 0; n < w->costs; n++)
        for (int t = 0; t < THETAS; t++) {
            double position = w->position[n][t], velocity = w->velocity[n][t];
            const char *experiment = filled("fig%d", 14 + n);
            const char *extra = filled(
                ",'trajectory':{'position_sum':%.17g,'position_mean':%.17g,'speed_sum':%.17g,"
                "'speed_mean':%.17g,'velocity_sum':%.17g,'velocity_mean':%.17g}",
                position * counts[n], position, velocity * counts[n], velocity,
                3 * velocity * counts[n], 3 * velocity);
            put_own(w, experiment, counts[n], thetas[t], 1, "", extra);
        }
}

/* A cell that has no times, of one round. */
static inline void put_failed(const struct world *w, int n, const char *outcome, const char *extra)
{
    fprintf(in.file,
            "{'record':'cell','id':'c%d','round':1,'experiment':'feng/throttle',"
            "'variant':'feng/barnes-hut','device':'cuda:0','dataset':{'name':'uniform-2d','n':%d},"
            "'parameters':{'steps':20,'theta':0.9,'throttle':'spin'%s},'outcome':'%s'%s}\n",
            in.cells++, n, w->settings, outcome, extra);
}

static inline void put_spinning(const struct world *w, int k)
{
    char extra[256];
    if (w->unsupported) {
        snprintf(extra, sizeof extra, ",'reason':'%s'", w->unsupported);
        put_failed(w, locked[k], "unsupported", extra);
        return;
    }
    snprintf(extra, sizeof extra,
             ",'reason':'no result','timeout_s':120,'unfinished':{'ask':'step',"
             "'steps':1,'seconds':%.17g}",
             w->given_up[k]);
    put_failed(w, locked[k], "timed out", extra);
}

static inline void put_throttles(const struct world *w)
{
    static const char *const settings[] = {"barrier", "none", "backoff", "spin"};
    for (int k = 0; k < LOCKED; k++) {
        const double factor[] = {1, 1.5, 1.25, w->spinning[k]};
        const bool ends = !w->unsupported && w->given_up[k] == 0;
        for (int s = 0; s < (ends ? 4 : 3); s++) {
            const char *parameters = filled(",'throttle':'%s'", settings[s]);
            const char *phases =
                filled(",'phases':[{'name':'BuildQuadTree','kernel_s':[%.17g]}]", 1e-4 * factor[s]);
            put_own(w, "throttle", locked[k], 0.9, 0.01 * factor[s], parameters, phases);
        }
        if (!ends)
            put_spinning(w, k);
    }
}

static inline void invent(const struct world *w)
{
    start("m");
    put_speedups(w);
    put_kernels(w);
    put_thetas(w);
    put_costs(w);
    put_throttles(w);
    load_and_judge();
}

/* Only the cells that the claim is judged by. */
static inline void assert_verdict(const struct world *w, const char *claim, const char *verdict)
{
    static const struct {
        const char *claims;
        void (*put)(const struct world *w);
    } of[] = {{"F1 ", put_speedups},
              {"F2 F3 F4 F5 ", put_kernels},
              {"F6 F7 ", put_thetas},
              {"F8 ", put_costs}};
    start("m");
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (strstr(of[k].claims, claim))
            of[k].put(w);
    load_and_judge();
    assert_judged(claim, "cuda:0", verdict);
}

#endif
