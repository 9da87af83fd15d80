/* Accelerations of the user's own bodies: read, checked, computed, verified, written. */
#include "run/referee.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "datasets/formats/format.h"
#include "error.h"
#include "json_member.h"
#include "measure/stats.h"
#include "run/cell_record.h"
#include "run/cell_run.h"

enum { STEPS = 3 };

/* Moves the origin to the middle of the bounding box, where single precision is best. The domain of
 * the boxes, if any, moves along. */
static void recentre(struct orr_bodies *bodies)
{
    for (int d = 0; d < bodies->dimensions; d++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < bodies->n; i++) {
            low = fmin(low, bodies->pos[d][i]);
            high = fmax(high, bodies->pos[d][i]);
        }
        double middle = 0.5 * low + 0.5 * high;
        for (size_t i = 0; i < bodies->n; i++)
            bodies->pos[d][i] -= middle;
        if (d < 2)
            bodies->corner[d] -= middle;
    }
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
    for (size_t i = 0; i < bodies->n; i++) {
        for (int d = 0; d < 3; d++)
            if (!isfinite(bodies->pos[d][i]) || !isfinite(bodies->vel[d][i]))
                return orr_fail(ORR_EINPUT,
                                "%s: body %zu does not fit single precision; scale the units", path,
                                i);
        if (!isfinite(bodies->mass[i]))
            return orr_fail(ORR_EINPUT,
                            "%s: mass of body %zu does not fit single precision; scale the units",
                            path, i);
    }
    return 0;
}

static int read_bodies(struct orr_cached_set *out, const char *path, const struct orr_cell_run *run)
{
    int code = orr_snapshot_read(&out->bodies, path);
    if (!code)
        code = check_dimensions(&out->bodies, run, path);
    if (code)
        return code;
    recentre(&out->bodies);
    orr_bodies_round(&out->bodies);
    orr_bodies_sha256(&out->bodies, out->sha256);
    return check_range(&out->bodies, path);
}

/* Verifies; a sound variant usually fails by numbers that strain single precision. */
static int verify(struct orr_cell_run *run)
{
    const struct orr_bodies *b = run->bodies;
    double largest = 0, heaviest = 0;
    int code = orr_cell_run_verify(run);
    if (code != ORR_EWRONG)
        return code;
    for (size_t i = 0; i < b->n; i++) {
        heaviest = fmax(heaviest, b->mass[i]);
        for (int d = 0; d < 3; d++)
            largest = fmax(largest, fabs(b->pos[d][i]));
    }
    return orr_error_context(
        "the result is wrong and was not written; if these numbers strain single precision "
        "(coordinates up to %.2g from the middle, masses up to %.2g, eps %.2g), choose other "
        "units or --set eps=LENGTH",
        largest, heaviest, run->eps);
}

/* Steps, then verifies and writes; the first step is the warm-up. */
static int compute(struct orr_cell_run *run, double seconds[STEPS],
                   struct orr_named_times_set *within, const char *output)
{
    int code = orr_cell_run_prepare(run);
    for (int k = -1; !code && k < STEPS; k++) {
        code = orr_cell_run_step(run, &(struct orr_cell_steps){0});
        if (!code)
            code = orr_cell_run_add_means(within, run, "within");
        if (k >= 0)
            seconds[k] = run->step_s;
    }
    if (!code)
        code = verify(run);
    if (code)
        return code;
    const struct orr_forces *f = &run->forces;
    const float *acc[3] = {f->acc[0], f->acc[1], f->acc[2]};
    return orr_forces_write(acc, f->has_phi ? f->phi : NULL, run->bodies->n, run->dimensions,
                            output);
}

static json_t *report(const struct orr_cell_run *run, const double seconds[STEPS],
                      const struct orr_named_times_set *within)
{
    json_t *answer = json_pack(
        "{s:O, s:O, s:I, s:i, s:f, s:O, s:O}", "device", json_object_get(run->about, "device"),
        "device_name", json_object_get(run->about, "device_name"), "n", (json_int_t)run->bodies->n,
        "dimensions", run->dimensions, "seconds", orr_stats_median(seconds, STEPS), "parameters",
        run->parameters, "note", json_object_get(run->answer, "note"));
    if (answer && (orr_cell_record_errors(answer, run) ||
                   orr_cell_record_stages(answer, &run->stages, within))) {
        json_decref(answer);
        answer = NULL;
    }
    return answer;
}

json_t *orr_referee_eval(struct orr_referee *referee, json_t *request)
{
    struct orr_cached_set set = {0};
    struct orr_setting settings[ORR_MAX_SETTINGS];
    struct orr_cell_run run = {
        .referee = referee, .bodies = &set.bodies, .settings = settings, .targets = {.seed = 1}};
    double seconds[STEPS];
    struct orr_named_times_set within = {0};
    json_t *answer = NULL;
    orr_referee_ready(referee, 0);
    if (orr_cell_run_load_request(&run, request) ||
        read_bodies(&set, orr_json_text(request, "input"), &run) ||
        orr_cell_run_read_settings(settings, &run.setting_count, request))
        goto out;
    run.sha256 = set.sha256;
    if (orr_cell_run_configure(&run) || orr_cell_run_bound(&run) ||
        orr_cell_run_check_softening(&set, run.eps) ||
        compute(&run, seconds, &within, orr_json_text(request, "output")))
        goto out;
    answer = report(&run, seconds, &within);
out:
    if (!answer) /* what it says stays the reason */
        referee->replace = true;
    else
        orr_cell_run_let_go(&run, NULL);
    orr_named_times_release(&within);
    orr_cell_run_release(&run);
    orr_bodies_release(&set.bodies);
    return answer;
}
