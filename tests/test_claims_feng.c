/* SPDX-License-Identifier: MIT */
/* Feng's claims over invented cells: every verdict turns when its numbers do. */
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

static void invent_costs(double cost[COUNTS][THETAS])
{
    const double rise[THETAS] = {0, 0.01, between(0.2, 0.4), 0.99, 1};
    for (int n = 0; n < COUNTS; n++)
        for (int t = 0; t < THETAS; t++)
            cost[n][t] = 1e-6 * pow(counts[n], 0.1) * between(1, 1.002) * (1 + (5 + n) * rise[t]);
}

/* As the report says, in numbers of our own. */
static struct world as_printed(void)
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
static void put(const char *experiment, const char *variant, const char *device, int n,
                double theta, double seconds, const char *parameters, const char *extra)
{
    const char *dataset = filled("'name':'uniform-2d','n':%d", n);
    const char *settings = filled("'steps':20,'theta':%.17g%s", theta, parameters);
    put_of("feng", experiment, variant, device, dataset, settings, seconds, extra);
}

/* Of the report's program. */
static void put_own(const struct world *w, const char *experiment, int n, double theta,
                    double seconds, const char *parameters, const char *extra)
{
    const char *all = filled("%s%s", w->settings, parameters);
    put(experiment, "barnes-hut", "cuda:0", n, theta, seconds, all, extra);
}

static void put_speedups(const struct world *w)
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

static double kernel_time(const struct world *w, int sort, int kernel, int n)
{
    const double exponent = w->exponent[sort][kernel] + w->bend * log(n / 500.0);
    return w->start[sort][kernel] * pow(n / 500.0, exponent) * between(0.9999, 1.0001);
}

static void put_kernels_of(const struct world *w, const char *experiment, const char *started,
                           int sort, int n, double factor)
{
    const char *plugin = w->plugin ? filled("'plugin_sha256':'%s',", w->plugin) : "";
    const char *extra = filled(",'started':'%s',%s'phases':[", started, plugin);
    double step = 0;
    for (int p = 0; p < KERNELS; p++) {
        if (p == SORT && !sort)
            continue;
        double t = factor * kernel_time(w, sort, p, n);
        step += t;
        extra = filled("%s%s{'name':'%s','kernel_s':[%.17g,%.17g,%.17g]}", extra, p ? "," : "",
                       names[p], t * 0.9999, t, t * 1.0001);
    }
    put_own(w, experiment, n, 0.9, step, sort ? ",'sort':'on'" : ",'sort':'off'",
            filled("%s]", extra));
}

/* Figure 11 is older and says something else. */
static void put_kernels(const struct world *w)
{
    for (int sort = 0; sort < 2; sort++)
        for (int k = w->first; k < w->last; k++) {
            put_kernels_of(w, sort ? "fig8" : "fig9", "2026-01-03T00:00:00Z", sort, sizes[k], 1);
            put_kernels_of(w, "fig11", "2026-01-02T00:00:00Z", sort, sizes[k], between(1, 10));
        }
}

static void put_thetas(const struct world *w)
{
    for (int t = 0; t < GROWN; t++)
        for (int k = 0; k < SIZES; k++)
            put_own(w, "fig12", sizes[k], grown[t], 1e-3 * pow(sizes[k] / 500.0, w->growth[t]), "",
                    "");
    for (int t = 0; t < STEPPED; t++)
        put_own(w, "fig13", 50000, stepped[t], w->step[t], "", "");
}

static void put_costs(const struct world *w)
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
static void put_failed(const struct world *w, int n, const char *outcome, const char *extra)
{
    fprintf(in.file,
            "{'record':'cell','id':'c%d','round':1,'experiment':'feng/throttle',"
            "'variant':'feng/barnes-hut','device':'cuda:0','dataset':{'name':'uniform-2d','n':%d},"
            "'parameters':{'steps':20,'theta':0.9,'throttle':'spin'%s},'outcome':'%s'%s}\n",
            in.cells++, n, w->settings, outcome, extra);
}

static void put_spinning(const struct world *w, int k)
{
    if (w->unsupported)
        put_failed(w, locked[k], "unsupported", filled(",'reason':'%s'", w->unsupported));
    else
        put_failed(w, locked[k], "timed out",
                   filled(",'reason':'no result','timeout_s':120,'unfinished':{'ask':'step',"
                          "'steps':1,'seconds':%.17g}",
                          w->given_up[k]));
}

static void put_throttles(const struct world *w)
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

static void begin_world(void)
{
    start("m");
}

static void put_world(const struct world *w)
{
    put_speedups(w);
    put_kernels(w);
    put_thetas(w);
    put_costs(w);
    put_throttles(w);
}

static void invent(const struct world *w)
{
    begin_world();
    put_world(w);
    load_and_judge();
}

#include "claim_turns.h"

TEST(what_the_report_says_is_reproduced)
{
    struct world w = as_printed();
    invent(&w);
    assert_all_judged("F1\0F2\0F3\0F4\0F5\0F6\0F7\0F8\0F9\0F10\0F11\0F12\0F13\0F14\0F15\0",
                      "cuda:0", ORR_REPRODUCED);
    says_why("F1", "barnes-hut over cpu-tuned, all cores of the machine, is ");
    assert_told("F4", "cuda:0", "measured", "time at N = 1000000 over N = 500 250, 250 at");
    says_why("F4", "from N = 100000 on alone the slopes are Setup 0.73");
    says_why("F8", "with a linear axis of cost 8 of 8 curves are sigmoids");
    says_why("F8", "as vectors it is 3.00 times as large");
    assert_string_equal(told_in("F9", "mechanism", "cuda:0", "verdict"), ORR_REPRODUCED);
    says_in("F9", "mechanism", "growing pauses between them it takes 1.25, 1.25, 1.25, 1.25 times");
    assert_null(strstr(told("F5", "cuda:0", "why"), "not of the report's program"));
}

/* Cells of other settings stand for the report's where there are none, and say so. */
TEST(another_program_is_named)
{
    struct world w = as_printed();
    w.settings = ",'block_forces':0";
    invent(&w);
    assert_judged("F5", "cuda:0", ORR_REPRODUCED);
    for (const char *claim = "F1\0F2\0F3\0F4\0F5\0F6\0F7\0F8\0F12\0"; *claim;
         claim += strlen(claim) + 1)
        assert_told(claim, "cuda:0", "why", "not of the report's program, but with 256");
    struct world other = w;
    w.settings = faithful;
    w.start[0][UPDATE] = 1e-4, w.exponent[0][UPDATE] = 1.5;
    start("m");
    put_kernels(&w);
    put_kernels(&other); /* which would reproduce it */
    load_and_judge();
    assert_judged("F2", "cuda:0", ORR_NOT_REPRODUCED);
}

/* A look at cells that three processes measured: by the same plugin it hides nothing, by another it
 * says something new. */
TEST(a_look_is_judged_where_the_plugin_is_another)
{
    for (int another = 0; another < 2; another++) {
        struct world w = as_printed();
        w.plugin = "aa";
        start("m");
        put_kernels(&w);
        w.plugin = another ? "bb" : "aa";
        in.rounds = 1;
        for (int sort = 0; sort < 2; sort++)
            for (int k = w.first; k < w.last; k++)
                put_kernels_of(&w, "fig10", "2026-01-04T00:00:00Z", sort, sizes[k], 1);
        load_and_judge();
        assert_all_judged("F2\0F3\0F5\0F10\0", "cuda:0", another ? ORR_UNCLEAR : ORR_REPRODUCED);
    }
}

/* One number or a few are others than the report's: the verdict turns. */
TEST(verdicts_turn_when_numbers_do)
{
    static const char printed[] = "as printed";
    const int dip = 1 + (int)random_below(SIZES - 3);
    const struct turn turns[] = {
        {"F1", printed, ORR_PARTLY, WHERE(swap(&w.speedup[dip], &w.speedup[dip + 1]))},
        {"F1", printed, ORR_NOT_REPRODUCED,
         WHERE(for (int k = 0; k < SIZES / 2; k++) swap(&w.speedup[k], &w.speedup[SIZES - 1 - k]))},
        /* Kernels beside the build and the forces that grow faster than these. */
        {"F2", printed, ORR_NOT_REPRODUCED,
         WHERE(w.start[0][UPDATE] = 1e-4, w.exponent[0][UPDATE] = 1.5)},
        {"F11", printed, ORR_PARTLY, WHERE(w.start[0][UPDATE] = 1e-4, w.exponent[0][UPDATE] = 1.5)},
        /* Sorting helps late or never. */
        {"F3", printed, ORR_PARTLY, WHERE(w.start[1][FORCES] = 1.3 * w.start[0][FORCES])},
        {"F3 F5", printed, ORR_NOT_REPRODUCED,
         WHERE(w.start[1][FORCES] = 1.3 * w.start[0][FORCES],
               w.exponent[1][FORCES] = w.exponent[0][FORCES])},
        {"F5", printed, ORR_NOT_REPRODUCED,
         WHERE(w.exponent[1][FORCES] = w.exponent[0][FORCES] + 0.1)},
        /* Slopes are apart by what the gain says, however both lines bend; a certain but slight
         * gain is half of it. */
        {"F5", printed, ORR_REPRODUCED,
         WHERE(w.bend = 0.1, w.exponent[1][FORCES] = w.exponent[0][FORCES] - 0.15)},
        {"F5", printed, ORR_PARTLY,
         WHERE(w.bend = 0.1, w.exponent[1][FORCES] = w.exponent[0][FORCES] - 0.01)},
        {"F4", printed, ORR_PARTLY, WHERE(w.exponent[0][UPDATE] = 0.3)},
        {"F4", printed, ORR_PARTLY, WHERE(w.exponent[1][SORT] = 0.3)},
        {"F4", printed, ORR_NOT_REPRODUCED, /* and all at the same rate */
         WHERE(for (int k = 0; k < KERNELS; k++) w.exponent[0][k] = w.exponent[1][k] = 0.4)},
        {"F6", printed, ORR_PARTLY, WHERE(swap(&w.growth[1], &w.growth[2]))},
        {"F6", printed, ORR_NOT_REPRODUCED,
         WHERE(for (int t = 0; t < GROWN; t++) w.growth[t] = 1 + 0.1 * t)},
        {"F7", printed, ORR_PARTLY, WHERE(w.step[STEPPED - 1] = w.step[STEPPED - 2])},
        {"F7", printed, ORR_NOT_REPRODUCED, /* as the caption says */
         WHERE(for (int t = 0; t < STEPPED; t++) w.step[t] = 0.01 * (t + 1))},
        /* Steep at once, then down; a straight line over log theta, on no axis a sigmoid. */
        {"F8 F13", printed, ORR_PARTLY,
         WHERE(for (int n = 0; n < COUNTS; n++) w.position[n][1] = w.position[n][4])},
        {"F8", printed, ORR_NOT_REPRODUCED,
         WHERE(for (int n = 0; n < COUNTS; n++) for (int t = 0; t < THETAS; t++) w.position[n][t] =
                   w.velocity[n][t] = 100 + log(thetas[t]))},
        /* Means that do not grow; sums grow all the same. */
        {"F12", printed, ORR_PARTLY,
         WHERE(for (int n = 0; n < COUNTS; n++) for (int t = 0; t < THETAS; t++) w.position[n][t] =
                   w.position[0][t])},
        {"F14", printed, ORR_REPRODUCED,
         WHERE(for (int n = 0; n < COUNTS; n++) for (int t = 0; t < THETAS; t++) w.position[n][t] =
                   w.position[0][t])},
        {"F12 F14", printed, ORR_NOT_REPRODUCED,
         WHERE(for (int n = 0; n < COUNTS; n++) for (int t = 0; t < THETAS; t++) w.position[n][t] =
                   w.velocity[n][t] = pow(counts[n], -0.5) * (1 + t))},
        /* The build leads in the end, with sorting; another does at once; all are alike. */
        {"F10", printed, ORR_PARTLY, WHERE(w.exponent[1][BUILD] = 1.1)},
        {"F10 F15", printed, ORR_NOT_REPRODUCED,
         WHERE(w.start[0][SUMMARIZE] = w.start[1][SUMMARIZE] = 1)},
        {"F10 F15", printed, ORR_NOT_REPRODUCED,
         WHERE(for (int k = 0; k < 2 * KERNELS; k++) w.start[k % 2][k / 2] = 1e-5,
               w.exponent[k % 2][k / 2] = 0.9)}};
    assert_turns(turns, sizeof turns / sizeof *turns, begin_world, put_world);
}

/* What an extrapolated time may be off by decides nothing. */
TEST(a_slight_change_of_what_was_scaled_is_not_judged)
{
    struct world w = as_printed();
    w.speedup[SIZES - 1] = 1.9 * w.speedup[SIZES - 2]; /* of twice the bodies */
    invent(&w);
    assert_judged("F1", "cuda:0", ORR_PARTLY);
    w.beyond = SIZES - 1;
    start("m");
    put_speedups(&w);
    load_and_judge();
    assert_judged("F1", "cuda:0", ORR_REPRODUCED);
    says_why("F1", "which decides no 10 %");
}

/* Flat where the sizes do not fill the device, linear where they do; it is full where all that a
 * step does is, so that one kernel may still fail. */
TEST(kernels_that_scale_where_the_device_is_full)
{
    struct world w = as_printed();
    for (int k = 0; k < KERNELS; k++)
        w.exponent[0][k] = w.exponent[1][k] = 1;
    w.exponent[0][SETUP] = 0.3;
    invent(&w);
    assert_string_equal(told_in("F4", "where the device is full", "cuda:0", "score"),
                        "partly (6 of 7)");
    says_in("F4", "where the device is full", "up to 1000000");
    for (int k = 0; k < KERNELS; k++)
        w.exponent[0][k] = w.exponent[1][k] = 0.8; /* the rate grows to the last */
    invent(&w);
    assert_string_equal(told_in("F4", "where the device is full", "cuda:0", "verdict"),
                        ORR_NOT_MEASURABLE);
    says_in("F4", "where the device is full", "a step's rate still grows at N = 1000000");
}

/* A sigmoid over many orders of magnitude is one on a logarithmic axis only. */
TEST(a_sigmoid_on_either_axis_counts)
{
    static const double orders[THETAS] = {-9, -8.9, -6, -1, 0};
    struct world w = as_printed();
    for (int n = 0; n < COUNTS; n++)
        for (int t = 0; t < THETAS; t++)
            w.position[n][t] = pow(10, orders[t]);
    invent(&w);
    assert_judged("F8", "cuda:0", ORR_REPRODUCED);
    says_why("F8", "linear axis of cost 4 of 8 curves are sigmoids");
}

/* Costs of direct sums of one position and velocity a size, in a program's own way of integrating.
 */
static void put_rounding(const struct world *w, const char *integrator, double share)
{
    for (int n = 0; n < COUNTS; n++) {
        put("fig14", "exact", "cuda:0", counts[n], 0.5, 1, filled(",'integrator':'%s'", integrator),
            filled(",'trajectory':{'position_sum':1,'position_mean':%.17g,'speed_sum':1,"
                   "'speed_mean':%.17g,'velocity_sum':1,'velocity_mean':1}",
                   share * w->position[n][0], share * w->velocity[n][0]));
    }
}

/* What direct sums are off by is no cost of theta: it grows with N as it likes. */
TEST(rounding_earns_no_credit)
{
    struct world w = as_printed();
    for (int n = 0; n < COUNTS; n++)
        for (int t = 1; t < THETAS; t++)
            w.position[n][t] = w.velocity[n][t] = pow(counts[n], 0.5) * (1 + t);
    for (int k = 0; k < 3; k++) { /* as it is; of another integrator; too little to matter */
        start("m");
        put_costs(&w);
        put_rounding(&w, k == 1 ? "leapfrog" : "euler", k == 2 ? 0.4 : 0.9);
        load_and_judge();
        assert_judged("F14", "cuda:0", k ? ORR_PARTLY : ORR_NOT_REPRODUCED);
        assert_string_equal(told("F14", "cuda:0", "score"),
                            k ? "partly (2 of 10)" : "not reproduced");
        assert_int_equal(!k,
                         strstr(told("F12", "cuda:0", "why"),
                                "at theta = 0.05: half or more of the cost is rounding") != NULL);
    }
}

/* --- F9 --- */

static void assert_locks(const struct world *w, const char *verdict, const char *mechanism,
                         const char *why)
{
    start("m");
    put_throttles(w);
    load_and_judge();
    assert_judged("F9", "cuda:0", verdict);
    assert_string_equal(told_in("F9", "mechanism", "cuda:0", "verdict"), mechanism);
    assert_told("F9", "cuda:0", "why", why);
}

/* Magnitude alone judges; that it is slower at all is another question. */
TEST(the_throttle_matters_less)
{
    struct world w = as_printed();
    for (int k = 0; k < LOCKED; k++)
        w.spinning[k] = 2;
    assert_locks(&w, ORR_NOT_REPRODUCED, ORR_REPRODUCED, "about 1000");
    w.spinning[1] = 1.015; /* within the margin */
    assert_locks(&w, ORR_NOT_REPRODUCED, ORR_PARTLY, "about 1000");
    w.spinning[2] = 20000; /* at one size, and too much */
    assert_locks(&w, ORR_NOT_REPRODUCED, ORR_PARTLY, "about 1000");
}

/* A step that did not end took at least so long. */
TEST(what_does_not_end_is_a_lower_bound)
{
    struct world w = as_printed();
    for (int k = 0; k < LOCKED; k++)
        w.spinning[k] = 2;
    w.given_up[3] = 120; /* for 0.01 s with the barrier */
    assert_locks(&w, ORR_REPRODUCED, ORR_REPRODUCED,
                 "at N = 1000000 it did not end within 120 s, at least 12000 times as long");
    w.given_up[3] = 4; /* too short a time to tell */
    assert_locks(&w, ORR_NOT_MEASURABLE, ORR_REPRODUCED, "a longer --timeout could tell");
    w.given_up[3] = 0.015; /* shorter than others that ended */
    assert_locks(&w, ORR_NOT_MEASURABLE, ORR_REPRODUCED, "it did not end at N = 1000000");
    w.spinning[0] = 800; /* which is enough, whatever the other would take */
    assert_locks(&w, ORR_REPRODUCED, ORR_REPRODUCED, "at least 1.50 times as long");
}

TEST(where_nobody_waits_it_cannot_be_told)
{
    struct world w = as_printed();
    w.unsupported = "threads of a warp run in step";
    assert_locks(&w, ORR_NOT_MEASURABLE, ORR_NOT_MEASURABLE, w.unsupported);
    w.unsupported = NULL;
    start("m");
    rewind(in.file);
    fprintf(in.file, "{'record':'run','run':'r','started':'2026-01-01T00:00:00Z',"
                     "'machine':{'name':'m'},'devices':[{'id':'cuda:0','kind':1}]}\n");
    put_throttles(&w);
    load_and_judge();
    assert_judged("F9", "cuda:0", ORR_NOT_MEASURABLE);
    says_why("F9", "one after another on a processor");
}

/* Journals from before there was a program that spins. */
TEST(bounded_rounds_are_not_spinning)
{
    struct world w = as_printed();
    start("m");
    for (int s = 0; s < 2; s++)
        put_own(&w, "throttle", 1000, 0.9, s ? 10 : 0.01,
                s ? ",'throttle':'none'" : ",'throttle':'barrier'",
                ",'phases':[{'name':'BuildQuadTree','kernel_s':[0.1]}]");
    load_and_judge();
    assert_judged("F9", "cuda:0", ORR_INCOMPLETE);
}

TEST(what_was_not_measured_is_said)
{
    struct world w = as_printed();
    w.beyond = 6, w.last = SIZES - 1, w.costs = 2;
    invent(&w);
    assert_judged("F1", "cuda:0", ORR_REPRODUCED);
    says_why("F1", "cpu-naive extrapolated at N = 500000, 1000000");
    assert_all_judged("F2\0F3\0F4\0F8\0F10\0F12\0F13\0F14\0F15\0", "cuda:0", ORR_INCOMPLETE);
    assert_told("F3", "cuda:0", "score", "incomplete (14 of 16 measured)");
    says_why("F4", "over 7 of 8 sizes, up to N = 500000");
    says_why("F5", "; 7 of 8 sizes");
    assert_told("F8", "cuda:0", "score", "incomplete (4 of 8 measured)");
}

/* Two small sizes have no slope; the claims say what would measure them. */
TEST(too_little_is_not_judged)
{
    struct world w = as_printed();
    w.last = 2;
    start("m");
    put_kernels(&w);
    load_and_judge();
    assert_all_judged("F1\0F2\0F5\0F6\0F7\0F8\0F9\0F11\0F12\0F13\0F14\0", "cuda:0", ORR_INCOMPLETE);
    says_why("F9", "needs `orrery run feng/throttle --preset paper --device cuda:0`");
    assert_told("F2", "cuda:0", "score", "incomplete (1 of 7 measured)");
}

/* --- the functions on shapes --- */

/* The textbook's formulas for the slope of y over x. */
TEST(slopes_by_the_formulas)
{
    start("m");
    load_and_judge(); /* makes the functions */
#define POINTS \
    "(VALUES (1, 2.0), (10, 30.0), (100, 200.0), (1000, 5000.0), (-1, 7), (NULL, 7), (5, 0))"
    const double y[] = {log10(2), log10(30), log10(200), log10(5000)};
    double slope = (-1.5 * y[0] - 0.5 * y[1] + 0.5 * y[2] + 1.5 * y[3]) / 5,
           mean = (y[0] + y[1] + y[2] + y[3]) / 4;
    double left = 0;
    for (int k = 0; k < 4; k++)
        left += pow(y[k] - mean - slope * (k - 1.5), 2);
    double half = 4.30265273 * sqrt(left / 2 / 5);
    assert_true(fabs(number(&in.ledger, "SELECT loglog_slope(column1, column2) FROM " POINTS) -
                     slope) < 1e-12);
    assert_true(fabs(number(&in.ledger, "SELECT loglog_slope_low(column1, column2) FROM " POINTS) -
                     (slope - half)) < 1e-9);
    assert_true(fabs(number(&in.ledger, "SELECT loglog_slope_high(column1, column2) FROM " POINTS) -
                     (slope + half)) < 1e-9);
    assert_true(isnan(
        number(&in.ledger, "SELECT loglog_slope_low(column1, column1) FROM (VALUES (1), (2))")));
    assert_true(isnan(
        number(&in.ledger, "SELECT loglog_slope(column1, column1) FROM (VALUES (3), (3), (3))")));
}

TEST(medians_and_sigmoids)
{
    start("m");
    load_and_judge();
    finds("SELECT median(column1) FROM (VALUES (3), (NULL), (1), (2), (9))", 2.5);
#define SIGMOID(points) \
    number(&in.ledger, "SELECT sigmoid(column1, column2) FROM (VALUES " points ")")
    assert_true(fabs(SIGMOID("(1, 1), (10, 2), (100, 9), (1000, 10)") - 1.0 / 7) < 1e-9);
    /* 10 % down is level */
    assert_true(fabs(SIGMOID("(1, 1), (10, 2), (100, 9), (1000, 8.5)") - 1.0 / 7) < 1e-9);
    assert_true(SIGMOID("(1, 1), (10, 2), (100, 9), (1000, 8)") == 1);
    assert_true(SIGMOID("(1, 1), (10, 6), (100, 9), (1000, 10)") == 1); /* steepest first */
    assert_true(SIGMOID("(1, 1), (10, 2), (100, 5), (1000, 10)") == 1); /* last */
    assert_true(fabs(SIGMOID("(1, 1), (10, 4), (100, 9), (1000, 10)") - 0.6) < 1e-9);
    assert_true(SIGMOID("(1, 1), (10, 1), (100, 1), (1000, 1)") == 1);
    assert_true(isnan(SIGMOID("(1, 1), (10, 2), (100, 9)")));
}

RUN_CLAIMS_OF("feng")
