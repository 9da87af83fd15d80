/* SPDX-License-Identifier: MIT */
/* Accelerations of the user's own bodies: read, checked, computed, verified, written. */
#include "referee/referee.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/boxes.h"
#include "datasets/formats/format.h"
#include "error.h"
#include "json_member.h"
#include "measure/stats.h"
#include "plan/paper.h"
#include "referee/cell_record.h"
#include "referee/cell_run.h"

/* --- bodies of the user's file, as they are given and as single precision has them --- */

struct own_bodies {
    struct orr_bodies given;      /* the file's own values */
    struct orr_cached_set shared; /* the same about given.origin, rounded to float */
    bool rounded;                 /* they differ by more than the origin */
    size_t massless;              /* bodies without mass */
    size_t weightless;            /* those whose mass rounds to 0 */
};

/* What the reference is of. */
static const struct orr_bodies *true_bodies(const struct own_bodies *bodies)
{
    return bodies->rounded ? &bodies->given : &bodies->shared.bodies;
}

/* A 2D variant takes 3D bodies only where they lie in the plane z = 0. */
static int check_dimensions(const struct orr_bodies *bodies, const struct orr_cell_run *run,
                            const char *path)
{
    if (run->dimensions == 3 || bodies->dimensions == 2)
        return 0;
    for (size_t i = 0; i < bodies->n; i++)
        if (bodies->pos[2][i] != 0)
            return orr_fail(ORR_EUSAGE, "%s: body %zu has z = %g, and %s is for 2 dimensions", path,
                            i, bodies->pos[2][i], run->variant);
    return 0;
}

static int check_range(const struct orr_bodies *bodies, const char *path)
{
    for (int c = 0; c < ORR_COLUMNS; c++)
        for (size_t i = 0; i < bodies->n; i++)
            if (!isfinite(orr_bodies_column(bodies, c)[i]))
                return orr_fail(ORR_EINPUT,
                                "%s: %sbody %zu does not fit single precision; scale the units",
                                path, c == ORR_COLUMNS - 1 ? "mass of " : "", i);
    return 0;
}

/* A few thousand bodies tell where half of all are. */
enum { ASKED = 4096 };

static double median(const double *values, size_t n)
{
    double some[ASKED];
    size_t count = n < ASKED ? n : ASKED;
    for (size_t k = 0; k < count; k++)
        some[k] = values[(size_t)((double)k * (double)n / (double)count)];
    qsort(some, count, sizeof *some, orr_stats_ascending);
    return some[(count - 1) / 2];
}

/* How far from 0 the bodies may lie, in their own extent, before another origin is worth it to
 * those that floats hold exactly. */
static const double FAR = 2;

/* Single precision is finest about the origin, which belongs where the bodies are: the middle of
 * the box would be moved by a single one far away. Where no value is rounded it stays. */
static double origin_of(const double *values, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    int rounds = 0;
#pragma omp parallel for simd schedule(static) reduction(min                      \
                                                         : low) reduction(max     \
                                                                          : high) \
    reduction(|                                                                   \
              : rounds) if (n > ORR_BODIES_MANY)
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
        rounds |= (double)(float)values[i] != values[i];
    }
    if (!rounds && fmax(fabs(low), fabs(high)) <= FAR * (high - low))
        return 0;
    return median(values, n);
}

/* Rounds a column about an origin; whether a value changed by it. */
static bool round_column(double *to, const double *from, size_t n, double origin)
{
    int rounds = 0;
#pragma omp parallel for simd schedule(static) reduction(| : rounds) if (n > ORR_BODIES_MANY)
    for (size_t i = 0; i < n; i++) {
        to[i] = (double)(float)(from[i] - origin);
        rounds |= to[i] + origin != from[i];
    }
    return rounds;
}

/* The domain of the boxes, if any, moves along. */
static int round_bodies(struct own_bodies *b)
{
    struct orr_bodies *to = &b->shared.bodies;
    int code = orr_bodies_make(to, b->given.n, b->given.dimensions);
    if (code)
        return code;
    to->eps = b->given.eps;
    to->dt = b->given.dt;
    to->edge = b->given.edge;
    for (int d = 0; d < 2; d++)
        to->corner[d] = b->given.corner[d] - b->given.origin[d];
    for (int k = 0; k < ORR_COLUMNS; k++) {
        bool rounds = round_column(orr_bodies_column(to, k), orr_bodies_column(&b->given, k), to->n,
                                   k < 3 ? b->given.origin[k] : 0);
        b->rounded |= rounds && (k < 3 || k == ORR_COLUMNS - 1); /* velocities do not act */
    }
    for (size_t i = 0; i < to->n; i++) {
        b->massless += b->given.mass[i] == 0;
        b->weightless += b->given.mass[i] > 0 && to->mass[i] == 0;
    }
    orr_bodies_sha256(to, b->shared.sha256);
    return 0;
}

/* Reads a snapshot for the variant of `run`: ORR_EUSAGE where that is of fewer dimensions,
 * ORR_EINPUT where values do not fit single precision. */
static int read_bodies(struct own_bodies *out, const char *path, const struct orr_cell_run *run)
{
    int code = orr_snapshot_read(&out->given, path);
    if (!code)
        code = check_dimensions(&out->given, run, path);
    for (int d = 0; d < 3 && !code; d++)
        out->given.origin[d] = origin_of(out->given.pos[d], out->given.n);
    if (!code)
        code = round_bodies(out);
    return code ? code : check_range(&out->shared.bodies, path);
}

/* The largest distance from the origin, along an axis, and the heaviest mass. */
static void measure_extent(double *largest, double *heaviest, const struct orr_bodies *bodies)
{
    *largest = *heaviest = 0;
    for (size_t i = 0; i < bodies->n; i++) {
        *heaviest = fmax(*heaviest, bodies->mass[i]);
        for (int d = 0; d < 3; d++)
            *largest = fmax(*largest, fabs(bodies->pos[d][i] - bodies->origin[d]));
    }
}

/* What users of that variant do where single precision does not do. */
static const char *remedy_of(const struct orr_cell_run *run)
{
    return run->steps > 0 ? "steps begin in single precision, and only --set steps=0 takes doubles"
           : run->capabilities & ORR_TAKES_DOUBLES
               ? "--set positions=pairs takes them as given"
               : "a variant that takes doubles does (`doubles` in `orrery describe VARIANT`)";
}

/* Two that rounding alone put at one place. */
static int fail_merged(const struct own_bodies *b, const struct orr_cell_run *run, double apart)
{
    const struct orr_bodies *shared = &b->shared.bodies;
    size_t first = b->shared.first, second = b->shared.second;
    double away = 0;
    for (int d = 0; d < 3; d++)
        away = fmax(away, fabs(shared->pos[d][first]));
    return orr_fail(ORR_EINPUT,
                    "bodies %zu and %zu are %.2g apart, but at one place in single precision, "
                    "whose numbers lie up to %.2g from another where these are, %.2g from most "
                    "bodies; %s",
                    first, second, apart, nextafterf((float)away, INFINITY) - (float)away, away,
                    remedy_of(run));
}

/* ORR_EINPUT where two bodies of those that `run` has are at one place and nothing softens their
 * force. */
static int check_softening(struct own_bodies *bodies, const struct orr_cell_run *run)
{
    struct orr_cached_set given = {.bodies = bodies->given};
    const struct orr_cached_set *shared = &bodies->shared;
    if (run->bodies == &bodies->given)
        return orr_cell_run_check_softening(&given, run->eps);
    int code = orr_cell_run_check_softening(&bodies->shared, run->eps);
    double apart = 0;
    for (int d = 0; d < 3 && shared->coincident && bodies->rounded; d++)
        apart =
            hypot(apart, given.bodies.pos[d][shared->first] - given.bodies.pos[d][shared->second]);
    if (!code || !(apart > 0))
        return code;
    orr_error_clear();
    return fail_merged(bodies, run, apart);
}

static void remark(json_t *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void remark(json_t *notes, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_array_append_new(notes, json_vsprintf(format, values));
    va_end(values);
}

static void remark_softening(json_t *notes, const struct orr_bodies *given, double eps)
{
    if (given->softening[1] > given->softening[0])
        remark(notes,
               "the file has softenings of its own, %g to %g, which are not used: one length is "
               "for all bodies (--set eps=LENGTH)",
               given->softening[0], given->softening[1]);
    else if (given->softening[1] > 0 && fabs(eps / given->softening[1] - 1) > 1e-6)
        remark(notes,
               "the file has a softening of its own, %g, which is not used (--set eps=%g takes it)",
               given->softening[1], given->softening[1]);
    else if (given->eps > 0 && given->eps != eps)
        remark(notes, "the file's softening, %g, is not used", given->eps);
}

static void remark_masses(json_t *notes, const struct own_bodies *bodies,
                          const struct orr_cell_run *run)
{
    size_t n = bodies->given.n;
    if (bodies->massless == n)
        remark(notes, "all masses are 0: nothing acts, and every acceleration is 0");
    if (bodies->weightless && run->bodies != &bodies->given)
        remark(notes, "%zu of %zu masses are above 0 and round to 0 in single precision",
               bodies->weightless, n);
}

/* What of the file has no part in the result, a sentence each. */
static void remark_bodies(json_t *notes, const struct own_bodies *bodies,
                          const struct orr_cell_run *run, double gravity)
{
    const struct orr_bodies *b = &bodies->given;
    if (b->gravity > 0 && fabs(b->gravity / gravity - 1) > 0.01)
        remark(notes, "in the units that the file names G is %.6g: --units file takes it",
               b->gravity);
    if (b->expansion > 0)
        remark(notes,
               "the snapshot is cosmological, at a = %g: its lengths are comoving, and physical "
               "accelerations are those written divided by a^2",
               b->expansion);
    if (b->period > 0)
        remark(notes, "its box is periodic (%g): images of bodies are not summed", b->period);
    remark_softening(notes, b, run->eps);
    remark_masses(notes, bodies, run);
}

/* --- the evaluation --- */

enum { MOST_STEPS = 3 };

/* The bounds of tree codes are fitted to the papers' data sets. Of other bodies (lattices, clumps,
 * filaments, thin disks) right trees err by up to 2.2 times as much
 * (docs/decisions/0009-error-bounds.md). */
static const double OTHER_BODIES = 2.5;

struct evaluation {
    struct orr_cell_run run;
    struct own_bodies bodies;
    struct orr_reference reference, rounded; /* of the bodies as given and as rounded, G and all */
    struct orr_errors rounding;              /* of these against those; no targets: none are */
    double seconds[MOST_STEPS];
    int steps;              /* timed ones */
    json_t *within;         /* the steps */
    double wider;           /* times the paper's bound is the one that judges */
    bool has_law, is_given; /* bounds: of the paper, of the user */
    double gravity;
    bool blames_rounding;
    size_t vanished; /* values that G made smaller than single precision has */
    char sum[320];   /* what is summed, in words */
};

/* --bound: median, 99th percentile and largest; or the median, and the others in proportion. */
static void take_bound(struct evaluation *e, json_t *given)
{
    struct orr_bound *bound = &e->run.bound;
    double median = json_number_value(json_array_get(given, 0));
    e->is_given = true;
    if (e->has_law)
        e->wider = median / bound->median;
    if (json_array_size(given) == 1) {
        orr_bound_widen(bound, e->wider);
        bound->median = median;
        return;
    }
    *bound = (struct orr_bound){.median = median,
                                .p99 = json_number_value(json_array_get(given, 1)),
                                .max = json_number_value(json_array_get(given, 2)),
                                .by_terms = e->run.capabilities & ORR_TREE_CODE};
}

static int set_bound(struct evaluation *e, json_t *request)
{
    json_t *given = json_object_get(request, "bound");
    int code = orr_cell_run_bound(&e->run);
    e->has_law = !code;
    e->wider = 1;
    if (code && json_array_size(given) != 3)
        return orr_error_context("--bound MEDIAN,P99,MAX sets one");
    orr_error_clear();
    if (given)
        take_bound(e, given);
    return 0;
}

static int explain_tree(const struct evaluation *e)
{
    const struct orr_cell_run *run = &e->run;
    char from[128] = "";
    if (!e->is_given)
        snprintf(from, sizeof from,
                 "; the bound follows theta: tree_bounds of its paper.yaml, up to %g times as wide "
                 "for other bodies than the paper's",
                 OTHER_BODIES);
    return orr_error_context("the result is wrong and was not written (%s, theta = %g, %zu bodies"
                             "%s; a smaller theta errs less, --bound MEDIAN[,P99,MAX] sets "
                             "another bound)",
                             run->variant, run->theta, run->bodies->n, from);
}

/* A sound variant usually fails by numbers that strain single precision. */
static int explain_sums(const struct evaluation *e)
{
    double largest, heaviest;
    measure_extent(&largest, &heaviest, e->run.bodies);
    return orr_error_context(
        "the result is wrong and was not written; if these numbers strain single precision "
        "(coordinates up to %.2g from where most bodies are, masses up to %.2g, eps %.2g), choose "
        "other units or --set eps=LENGTH; --bound MEDIAN[,P99,MAX] sets another bound",
        largest, heaviest, e->run.eps);
}

static int explain_rounding(const struct evaluation *e)
{
    const struct orr_spread *cost = &e->rounding.of[ORR_ERROR_RELATIVE];
    double largest, heaviest;
    measure_extent(&largest, &heaviest, e->run.bodies);
    return orr_error_context(
        "the result was not written, because single precision does not hold these bodies: rounding "
        "them, coordinates up to %.2g from where most are, costs errors of median %.1e, largest "
        "%.1e by itself; %s, and --bound MEDIAN[,P99,MAX] sets another bound",
        largest, cost->median, cost->max, remedy_of(&e->run));
}

static int explain_gravity(const struct evaluation *e)
{
    return orr_error_context("the result was not written, because single precision does not hold "
                             "it multiplied by G = %g; choose other units",
                             e->gravity);
}

/* By the paper's bound or, where other bodies may be to blame, a wider one. */
static int judge(struct evaluation *e, const struct orr_errors *errors)
{
    int code = orr_verify_judge(errors, &e->run.bound);
    if (code != ORR_EWRONG || e->is_given || !e->run.bound.by_terms || e->wider > 1)
        return code;
    orr_error_clear();
    e->wider = OTHER_BODIES;
    orr_bound_widen(&e->run.bound, e->wider);
    return orr_verify_judge(errors, &e->run.bound);
}

/* As if G were what it is. */
static int make_reference(struct orr_reference *out, const struct evaluation *e,
                          const struct orr_bodies *of)
{
    int code = orr_cell_run_reference(out, &e->run, of);
    double *const columns[] = {out->acc[0], out->acc[1], out->acc[2], out->phi, out->scale};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        for (size_t i = 0; !code && i < out->count; i++)
            columns[k][i] *= e->gravity;
    return code;
}

/* The reference of the bodies as given, and what rounding them costs by itself. */
static int weigh_rounding(struct evaluation *e)
{
    const struct orr_bodies *given = true_bodies(&e->bodies);
    if (make_reference(&e->reference, e, given))
        return orr_error_code();
    if (e->run.bodies == given)
        return 0;
    return make_reference(&e->rounded, e, e->run.bodies) ||
                   orr_verify_reference_errors(&e->rounding, &e->rounded, &e->reference)
               ? orr_error_failed()
               : 0;
}

/* A result beyond its bound: did the variant, of what it was lent, no better, or does rounding
 * alone do that? */
static int blame(struct evaluation *e)
{
    struct orr_cell_run *run = &e->run;
    struct orr_errors errors;
    char reason[200];
    if (e->vanished)
        return explain_gravity(e);
    if (!e->rounding.targets)
        return ORR_EWRONG;
    snprintf(reason, sizeof reason, "%s", orr_error_text());
    orr_error_clear();
    if (orr_verify_errors(&errors, &run->kept_forces, &e->rounded, run->dimensions) ||
        orr_verify_judge(&errors, &run->bound))
        return orr_error_code();
    e->blames_rounding = true;
    return orr_fail(ORR_EWRONG, "%s", reason);
}

/* The results as they will be written, against the bodies as they were given. */
static int judge_written(struct evaluation *e)
{
    struct orr_cell_run *run = &e->run;
    int code = weigh_rounding(e);
    if (!code)
        code = orr_verify_errors(&run->errors, &run->kept_forces, &e->reference, run->dimensions);
    if (!code)
        code = judge(e, &run->errors);
    return code == ORR_EWRONG ? blame(e) : code;
}

/* An integration's are judged where the bodies are then. It begins in single precision, whichever
 * variant makes it: what that costs is judged where it begins, against the bodies as they were
 * given. */
static int judge_moved(struct evaluation *e)
{
    int code = orr_cell_run_verify(&e->run);
    if (code == ORR_EWRONG) {
        orr_error_clear();
        code = judge(e, &e->run.errors);
    }
    if (code || e->run.bodies == true_bodies(&e->bodies))
        return code;
    code = weigh_rounding(e);
    if (!code)
        code = orr_verify_judge(&e->rounding, &e->run.bound);
    e->blames_rounding = code == ORR_EWRONG;
    return code;
}

/* Those that single precision has, but not multiplied by G, are counted. */
static size_t scale(float *values, size_t n, double by)
{
    size_t vanished = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : vanished) if (n > ORR_BODIES_MANY)
    for (size_t i = 0; i < (values && by != 1 ? n : 0); i++) {
        float scaled = (float)(by * (double)values[i]);
        vanished += fabsf(scaled) < FLT_MIN && fabsf(values[i]) >= FLT_MIN;
        values[i] = scaled;
    }
    return vanished;
}

/* Keeps the results, small-N cells take their place, as they will be written. */
static int keep_results(struct evaluation *e)
{
    struct orr_cell_run *run = &e->run;
    struct orr_forces *f = &run->kept_forces;
    int code = orr_cell_run_keep(run);
    if (code)
        return code;
    for (int k = 0; k < run->dimensions; k++)
        e->vanished += scale(f->acc[k], run->bodies->n, e->gravity);
    if (f->has_phi)
        e->vanished += scale(f->phi, run->bodies->n, e->gravity);
    struct orr_forces written = *f; /* where bodies are then is not, and nobody may have set it */
    memset(written.pos, 0, sizeof written.pos);
    memset(written.vel, 0, sizeof written.vel);
    code = orr_verify_finite(&written, run->bodies->n, run->dimensions);
    return code == ORR_EWRONG ? explain_gravity(e) : code;
}

static int explain(const struct evaluation *e)
{
    return e->blames_rounding      ? explain_rounding(e)
           : e->vanished           ? ORR_EWRONG
           : e->run.bound.by_terms ? explain_tree(e)
                                   : explain_sums(e);
}

static int verify(struct evaluation *e)
{
    struct orr_cell_run *run = &e->run;
    int code = orr_verify_finite(&run->forces, run->bodies->n, run->dimensions);
    if (code)
        return code == ORR_EWRONG ? explain_sums(e) : code;
    if (run->steps > 0)
        code = judge_moved(e);
    if (!code) {
        code = keep_results(e);
        if (code)
            return code;
        if (run->steps == 0)
            code = judge_written(e);
    }
    /* What errs more than on the paper's data sets must not do so on one of those, and a fault that
     * hides at a wide angle must not show at a narrow one. A bound that was given judges alone. */
    if (!code && run->capabilities & ORR_TREE_CODE && e->has_law && !e->is_given)
        code = orr_cell_small_n_check_eval(run, e->wider > 1, OTHER_BODIES);
    return code == ORR_EWRONG ? explain(e) : code;
}

/* Steps, then verifies. The first step is the warm-up, unless it is the only one. */
static int compute(struct evaluation *e)
{
    struct orr_cell_run *run = &e->run;
    int code = orr_cell_run_prepare(run);
    for (int k = e->steps > 1 ? -1 : 0; !code && k < e->steps; k++) {
        code = orr_cell_run_step(run, &(struct orr_cell_steps){0});
        if (!code)
            orr_cell_run_add_means(&e->within, run, "within");
        if (k >= 0)
            e->seconds[k] = run->step_s;
    }
    return code ? code : verify(e);
}

/* Variants compute with G = 1; what G is makes no difference to a relative error. */
static int set_gravity(struct evaluation *e, const json_t *wanted)
{
    e->gravity = json_is_number(wanted) ? json_number_value(wanted) : 1;
    if (!json_is_string(wanted))
        return 0;
    e->gravity = e->bodies.given.gravity;
    return e->gravity > 0
               ? 0
               : orr_fail(ORR_EUSAGE, "the snapshot names no units; --G says what G is in them");
}

/* What is summed, for whoever reads the results. */
static void describe_sum(struct evaluation *e)
{
    const struct orr_cell_run *run = &e->run;
    char what[160] = "";
    double eps = isnan(run->eps) ? 0 : run->eps;
    if (run->level >= 0) {
        struct orr_boxes boxes = orr_boxes_make(run->bodies, run->level);
        snprintf(what, sizeof what,
                 "; near field only, boxes of edge %.6g (4^%d of them): only bodies of the own box "
                 "and of those around it act",
                 boxes.per_length > 0 ? 1 / boxes.per_length : 0, run->level);
    } else if (run->theta > 0)
        snprintf(what, sizeof what, "; by a tree, theta = %g: far bodies act together", run->theta);
    snprintf(e->sum, sizeof e->sum,
             "G = %.6g, eps = %g%s: accelerations are G sum m d / (d^2 + eps^2)^1.5, in the "
             "snapshot's own units%s",
             e->gravity, eps, eps > 0 ? "" : " (no softening; --set eps=LENGTH sets one)", what);
}

static int write_results(const struct evaluation *e, const char *output)
{
    const struct orr_forces *f = &e->run.kept_forces;
    const float *acc[3] = {f->acc[0], f->acc[1], f->acc[2]};
    return orr_forces_write(acc, f->has_phi ? f->phi : NULL, &e->bodies.given, e->run.dimensions,
                            &(struct orr_forces_words){e->sum, e->run.level >= 0}, output);
}

static json_t *notes_of(const struct evaluation *e)
{
    json_t *notes = orr_json_lines(e->bodies.given.notes);
    remark_bodies(notes, &e->bodies, &e->run, e->gravity);
    if (e->vanished)
        json_array_append_new(notes, json_sprintf("%zu numbers multiplied by G = %g are below what "
                                                  "single precision holds in full",
                                                  e->vanished, e->gravity));
    if (e->run.steps > 0)
        json_array_append_new(notes, json_sprintf("bodies moved for %d steps first, and errors are "
                                                  "of accelerations where they are then; what "
                                                  "rounding costs is of those at the start",
                                                  e->run.steps));
    return notes;
}

static json_t *report(const struct evaluation *e)
{
    const struct orr_cell_run *run = &e->run;
    const struct orr_bodies *given = &e->bodies.given;
    const struct orr_spread *cost = &e->rounding.of[ORR_ERROR_RELATIVE];
    json_t *answer = json_pack(
        "{s:O, s:O, s:I, s:i, s:f, s:O, s:O, s:f, s:f, s:f, s:f, s:s, s:o}", "device",
        json_object_get(run->about, "device"), "device_name",
        json_object_get(run->about, "device_name"), "n", (json_int_t)run->bodies->n, "dimensions",
        run->dimensions, "seconds", orr_stats_median(e->seconds, (size_t)e->steps), "parameters",
        run->parameters, "note", json_object_get(run->answer, "note"), "gravity", e->gravity,
        "gravity_of_file", given->gravity, "expansion", given->expansion, "period", given->period,
        "sum", e->sum, "notes", notes_of(e));
    json_object_set_new(answer, "rounding",
                        json_pack("{s:f, s:f, s:f, s:I}", "median", cost->median, "p99", cost->p99,
                                  "max", cost->max, "targets", (json_int_t)e->rounding.targets));
    orr_cell_record_errors(answer, run, false);
    orr_cell_record_stages(answer, run->stages, e->within);
    return answer;
}

/* Whether a variant will be lent the bodies as given its answer says: their origin goes along. */
static int configure(struct evaluation *e)
{
    double *origin = e->bodies.shared.bodies.origin;
    memcpy(origin, e->bodies.given.origin, sizeof e->bodies.given.origin);
    int code = orr_cell_run_configure(&e->run);
    memset(origin, 0, sizeof e->bodies.given.origin);
    return code;
}

/* Lends the bodies as given to a variant that takes doubles. Those that move begin as floats. */
static void lend_given(struct evaluation *e)
{
    const char *positions = orr_json_text(e->run.parameters, "positions");
    if (!(e->run.capabilities & ORR_TAKES_DOUBLES) || e->run.steps > 0 ||
        (positions && strcmp(positions, "pairs")))
        return;
    e->run.bodies = true_bodies(&e->bodies);
    orr_cell_run_share_bodies(&e->run);
}

static int evaluate(struct evaluation *e, json_t *request, const char *input, const char *output)
{
    struct orr_cell_run *run = &e->run;
    run->sha256 = e->bodies.shared.sha256;
    if (orr_cell_run_load(run) || read_bodies(&e->bodies, input, run) ||
        orr_params_settings_from_json(run->settings, &run->setting_count,
                                      json_object_get(request, "settings")) ||
        set_gravity(e, json_object_get(request, "gravity")) || configure(e) ||
        set_bound(e, request))
        return orr_error_code();
    lend_given(e);
    describe_sum(e);
    return check_softening(&e->bodies, run) || compute(e) || write_results(e, output)
               ? orr_error_failed()
               : 0;
}

json_t *orr_referee_eval(struct orr_referee *referee, json_t *request)
{
    struct evaluation e = {.steps = json_is_true(json_object_get(request, "once")) ? 1 : MOST_STEPS,
                           .run = {.referee = referee,
                                   .variant = orr_json_text(request, "variant"),
                                   .device = orr_json_text(request, "device"),
                                   .targets = {.seed = 1}}};
    json_t *answer = NULL;
    char *input = orr_json_path_of(request, "input"), *output = orr_json_path_of(request, "output");
    e.run.bodies = &e.bodies.shared.bodies;
    referee->ranks = 1;
    orr_referee_ready(referee, 0);
    if (!evaluate(&e, request, input, output))
        answer = report(&e);
    if (!answer) /* what it says stays the reason */
        referee->replace = true;
    else
        orr_cell_run_close(&e.run, NULL);
    json_decref(e.within);
    orr_cell_run_release(&e.run);
    orr_reference_release(&e.reference);
    orr_reference_release(&e.rounded);
    orr_bodies_release(&e.bodies.given);
    orr_bodies_release(&e.bodies.shared.bodies);
    free(input);
    free(output);
    return answer;
}
