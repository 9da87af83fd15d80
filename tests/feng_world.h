/* An invented ledger of feng: cells in which every claim holds, of which tests change single
 * numbers. */
#ifndef ORR_TEST_FENG_WORLD_H
#define ORR_TEST_FENG_WORLD_H

#include <math.h>

#include "claims_for_tests.h"

enum { SIZES = 8, KERNELS = 7, THETAS = 5, COUNTS = 4 };
enum { SETUP, ROOT, BUILD, SUMMARIZE, SORT, FORCES, UPDATE };
static const int sizes[SIZES] = {500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000};
static const char *const names[KERNELS] = {"Setup", "InsertRoot",    "BuildQuadTree", "Summarize",
                                           "Sort",  "ComputeForces", "Update"};
static const double thetas[THETAS] = {0.05, 0.5, 1, 5, 50};
static const int counts[COUNTS] = {100, 1000, 5000, 10000};

/* Everything that is invented; tests change single numbers. */
struct world {
    double speedup[SIZES];           /* barnes-hut over cpu-naive */
    int beyond;                      /* from this size on cpu-naive is extrapolated */
    double start[2][KERNELS];        /* seconds at 500 bodies, without and with sorting */
    double exponent[2][KERNELS];     /* of the number of bodies */
    double bend;                     /* that all kernels' lines have in common */
    int first, last;                 /* sizes of the kernels' times */
    double growth[THETAS];           /* exponents of Figure 12 */
    double step[THETAS];             /* seconds of Figure 13 */
    double position[COUNTS][THETAS]; /* mean costs */
    double velocity[COUNTS][THETAS];
    int costs;             /* sizes of the costs */
    double unthrottled[2]; /* seconds without over seconds with the barrier */
};

static inline void invent_costs(double cost[COUNTS][THETAS])
{
    double factor = between(5, 20);
    const double rise[THETAS] = {0, 0.01, between(0.2, 0.4), 0.99, 1};
    for (int n = 0; n < COUNTS; n++)
        for (int t = 0; t < THETAS; t++)
            cost[n][t] = 1e-6 * sqrt(counts[n]) * between(1, 1.05) * (1 + factor * rise[t]);
}

/* As the report says, in numbers of our own. */
static inline struct world as_printed(void)
{
    static const double start[KERNELS] = {1e-5, 2e-5, 4e-5, 1e-5, 1e-5, 1e-4, 1e-5};
    struct world w = {.beyond = SIZES, .first = 0, .last = SIZES, .costs = COUNTS};
    for (int k = 0; k < SIZES; k++)
        w.speedup[k] = (k ? w.speedup[k - 1] : between(0.5, 2)) * between(1.2, 3);
    for (int k = 0; k < KERNELS; k++) {
        double exponent = k == SETUP || k == SUMMARIZE ? log(250) / log(2000) : between(0.8, 0.9);
        for (int sort = 0; sort < 2; sort++) {
            w.start[sort][k] = start[k];
            w.exponent[sort][k] = k == BUILD ? 1.1 : exponent;
        }
    }
    w.exponent[0][FORCES] = 1.2, w.exponent[1][FORCES] = 1.0;
    w.start[1][FORCES] = 0.6 * w.start[0][FORCES];
    for (int t = 0; t < THETAS; t++) {
        w.growth[t] = 1.6 - 0.1 * t;
        w.step[t] = between(0.9, 1.1) * 0.1 / pow(2, t);
    }
    invent_costs(w.position);
    invent_costs(w.velocity);
    w.unthrottled[0] = between(600, 900), w.unthrottled[1] = between(1000, 2000);
    return w;
}

/* `parameters` and `extra` are more members with a leading comma. */
static inline void put(struct invented *in, const char *experiment, const char *variant,
                       const char *device, int n, double theta, double seconds,
                       const char *parameters, const char *extra)
{
    char dataset[64], settings[256];
    snprintf(dataset, sizeof dataset, "\"name\":\"uniform-2d\",\"n\":%d", n);
    snprintf(settings, sizeof settings, "\"steps\":20,\"theta\":%.17g%s", theta, parameters);
    put_of(in, "feng", experiment, variant, device, dataset, settings, seconds, extra);
}

static inline void put_speedups(struct invented *in, const struct world *w)
{
    for (int k = 0; k < SIZES; k++) {
        double own = 1e-6 * sizes[k];
        put(in, "fig6", "cpu-naive", "host", sizes[k], 0.9, own * w->speedup[k], "",
            k >= w->beyond ? ",\"extrapolated_from\":\"c0\"" : "");
        put(in, "fig6", "cpu-tuned", "host", sizes[k], 0.9, own * w->speedup[k] / 25, "", "");
        put(in, "fig6", "barnes-hut", "cuda:0", sizes[k], 0.9, own,
            ",\"sort\":\"on\",\"throttle\":\"barrier\"", "");
        put(in, "fig6", "barnes-hut-modern", "cuda:0", sizes[k], 0.9, own / 5, "", "");
    }
}

static inline double kernel_time(const struct world *w, int sort, int kernel, int n)
{
    const double exponent = w->exponent[sort][kernel] + w->bend * log(n / 500.0);
    return w->start[sort][kernel] * pow(n / 500.0, exponent) * between(0.9999, 1.0001);
}

static inline void put_kernels_of(struct invented *in, const struct world *w,
                                  const char *experiment, const char *started, int sort, int n,
                                  double factor)
{
    char extra[2048];
    int used = snprintf(extra, sizeof extra, ",\"started\":\"%s\",\"phases\":[", started);
    for (int p = 0; p < KERNELS; p++) {
        if (p == SORT && !sort)
            continue;
        double t = factor * kernel_time(w, sort, p, n);
        used += snprintf(extra + used, sizeof extra - used,
                         "%s{\"name\":\"%s\",\"kernel_s\":[%.17g,%.17g,%.17g]}", p ? "," : "",
                         names[p], t * 0.9999, t, t * 1.0001);
    }
    snprintf(extra + used, sizeof extra - used, "]");
    put(in, experiment, "barnes-hut", "cuda:0", n, 0.9, 1,
        sort ? ",\"sort\":\"on\"" : ",\"sort\":\"off\"", extra);
}

/* Figure 11 is older and says something else. */
static inline void put_kernels(struct invented *in, const struct world *w)
{
    for (int sort = 0; sort < 2; sort++)
        for (int k = w->first; k < w->last; k++) {
            put_kernels_of(in, w, sort ? "fig8" : "fig9", "2026-01-03T00:00:00Z", sort, sizes[k],
                           1);
            put_kernels_of(in, w, "fig11", "2026-01-02T00:00:00Z", sort, sizes[k], between(1, 10));
        }
}

static inline void put_thetas(struct invented *in, const struct world *w)
{
    for (int t = 0; t < THETAS; t++) {
        for (int k = 0; k < SIZES; k++)
            put(in, "fig12", "barnes-hut", "cuda:0", sizes[k], thetas[t],
                1e-3 * pow(sizes[k] / 500.0, w->growth[t]), "", "");
        put(in, "fig13", "barnes-hut", "cuda:0", 50000, thetas[t], w->step[t], "", "");
    }
}

static inline void put_costs(struct invented *in, const struct world *w)
{
    for (int n = 0; n < w->costs; n++)
        for (int t = 0; t < THETAS; t++) {
            char experiment[8], extra[512];
            double position = w->position[n][t], velocity = w->velocity[n][t];
            snprintf(experiment, sizeof experiment, "fig%d", 14 + n);
            snprintf(extra, sizeof extra,
                     ",\"trajectory\":{\"position_sum\":%.17g,\"position_mean\":%.17g,\"speed_"
                     "sum\":%.17g,"
                     "\"speed_mean\":%.17g,\"velocity_sum\":%.17g,\"velocity_mean\":%.17g}",
                     position * counts[n], position, velocity * counts[n], velocity,
                     3 * velocity * counts[n], 3 * velocity);
            put(in, experiment, "barnes-hut", "cuda:0", counts[n], thetas[t], 1, "", extra);
        }
}

static inline void put_throttles(struct invented *in, const struct world *w)
{
    for (int k = 0; k < 2; k++) {
        static const char *const settings[] = {"barrier", "none", "backoff"};
        const double factor[] = {1, w->unthrottled[k], 1.25};
        for (int s = 0; s < 3; s++) {
            char parameters[64], phases[128];
            snprintf(parameters, sizeof parameters, ",\"throttle\":\"%s\"", settings[s]);
            snprintf(phases, sizeof phases,
                     ",\"phases\":[{\"name\":\"BuildQuadTree\",\"kernel_s\":[%.17g]}]",
                     1e-4 * factor[s]);
            put(in, "throttle", "barnes-hut", "cuda:0", k ? 100000 : 1000, 0.9, 1, parameters,
                phases);
        }
    }
}

static inline void invent(struct invented *in, const struct world *w)
{
    start(in, "m");
    put_speedups(in, w);
    put_kernels(in, w);
    put_thetas(in, w);
    put_costs(in, w);
    put_throttles(in, w);
    load_and_judge(in);
}

static inline void assert_verdict(const struct world *w, const char *claim, const char *verdict)
{
    struct invented in;
    invent(&in, w);
    assert_verdict_and_close(&in, claim, verdict);
}

#endif
