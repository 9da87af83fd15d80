/* SPDX-License-Identifier: MIT */
#include "referee/cell_run.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/boxes.h"
#include "error.h"
#include "json_member.h"
#include "measure/stats.h"
#include "plan/paper.h"
#include "plugin/plugin.h"

static int open_device(struct orr_cell_run *run, json_t **answer)
{
    return orr_referee_ask(run->referee,
                           json_pack("{s:s, s:s*, s:b}", "ask", "open", "device", run->device,
                                     "oversubscribe", run->oversubscribe),
                           answer);
}

static json_t *idle_of(const struct orr_cell_run *run)
{
    return json_object_get(run->referee->idle, orr_json_text(run->about, "device"));
}

/* A second, once a device. */
static int know_idle(struct orr_cell_run *run)
{
    json_t *answer;
    if (idle_of(run))
        return 0;
    int code = orr_referee_ask(run->referee, json_pack("{s:s, s:b}", "ask", "joules", "idle", true),
                               &answer);
    double seconds = orr_json_number(answer, "window_s");
    json_object_set_new(run->referee->idle, orr_json_text(run->about, "device"),
                        seconds > 0 ? json_real(orr_json_number(answer, "joules") / seconds)
                                    : json_null());
    json_decref(answer);
    return code;
}

int orr_cell_run_load(struct orr_cell_run *run)
{
    json_t *opened = NULL;
    bool failed = orr_referee_ask(run->referee,
                                  orr_program_pass(json_pack("{s:s, s:s*}", "ask", "load",
                                                             "variant", run->variant),
                                                   run->variant),
                                  &run->about) ||
                  open_device(run, &opened);
    /* The worker before may still hold a device that takes one process only, or its memory. */
    if (failed && run->about && !run->referee->outcome && run->referee->former.pid > 0) {
        orr_child_shutdown(&run->referee->former, true);
        orr_error_clear();
        failed = open_device(run, &opened);
    }
    json_object_update(run->about, opened);
    json_decref(opened);
    if (failed)
        return orr_error_code();
    run->dimensions = (int)orr_json_integer(run->about, "dimensions");
    run->capabilities = (uint32_t)orr_json_integer(run->about, "capabilities");
    run->on_host = orr_json_is(run->about, "device_kind", "host");
    run->counts = json_is_true(json_object_get(run->about, "counts"));
    run->costs = json_is_true(json_object_get(run->about, "costs"));
    if (run->dimensions != 2 && run->dimensions != 3)
        return orr_fail(ORR_EINTERNAL, "%s says it has %d dimensions", run->variant,
                        run->dimensions);
    return run->joules ? know_idle(run) : 0;
}

int orr_cell_run_take_set(struct orr_cell_run *run, struct orr_cached_set **out, const char *name,
                          size_t n, int level, uint64_t seed)
{
    if (orr_referee_cache_set(&run->referee->cache, out, name, n, level, seed))
        return orr_error_code();
    run->bodies = &(*out)->bodies;
    run->sha256 = (*out)->sha256;
    return run->dimensions >= run->bodies->dimensions
               ? 0
               : orr_fail(ORR_EUSAGE, "%s is for 2 dimensions and the data set %s has 3",
                          run->variant, name);
}

int orr_cell_run_check_softening(struct orr_cached_set *set, double eps)
{
    float softening = (float)eps;
    if (softening * softening >= FLT_MIN) /* devices may flush smaller values to zero */
        return 0;
    if (!set->checked) {
        int found = orr_bodies_coincident(&set->bodies, &set->first, &set->second);
        if (found < 0)
            return found;
        set->coincident = found > 0;
        set->checked = true;
    }
    if (set->coincident)
        return orr_fail(ORR_EINPUT,
                        "bodies %zu and %zu are at the same place in single precision and %s, so "
                        "their force is "
                        "infinite; give a softening length with --set eps=LENGTH",
                        set->first, set->second,
                        eps > 0 ? "the square of eps vanishes" : "eps is 0");
    return 0;
}

static double number_of(json_t *parameters, const char *name, double fallback)
{
    json_t *value = json_object_get(parameters, name);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

/* A whole number, 0 without one; -1 when it is none, or beyond what an int holds. */
static int whole_of(json_t *parameters, const char *name)
{
    double value = number_of(parameters, name, 0);
    return value >= 0 && value <= INT_MAX && value == floor(value) ? (int)value : -1;
}

/* The latest results, without what the variant does not compute. */
static void show_taken(struct orr_cell_run *run)
{
    run->forces = run->referee->shared.taken;
    for (int d = 0; run->steps == 0 && d < 3; d++)
        run->forces.pos[d] = run->forces.vel[d] = NULL;
}

static int read_parameters(struct orr_cell_run *run)
{
    json_t *p = run->parameters;
    int level = (run->capabilities & ORR_NEAR_FIELD) ? whole_of(p, "level") : 0,
        steps = (run->capabilities & ORR_INTEGRATES) ? whole_of(p, "steps") : 0;
    const char *integrator = orr_json_text(p, "integrator");
    if (level < 0 || level > ORR_MAX_LEVEL || steps < 0)
        return orr_fail(ORR_EINTERNAL, "crashed: the worker's parameters are damaged");
    run->eps = number_of(p, "eps", run->bodies->eps);
    run->dt = number_of(p, "dt", run->bodies->dt);
    run->theta = (run->capabilities & ORR_TREE_CODE) ? number_of(p, "theta", 0) : 0;
    run->level = (run->capabilities & ORR_NEAR_FIELD) ? level : -1;
    run->steps = steps;
    run->euler = integrator && !strcmp(integrator, "euler");
    show_taken(run);
    if (!integrator || run->euler || !strcmp(integrator, "leapfrog"))
        return 0;
    return orr_fail(ORR_EUSAGE, "integrator=%s: trajectories are known by leapfrog and by euler",
                    integrator);
}

void orr_cell_run_share_bodies(struct orr_cell_run *run)
{
    orr_shared_buffer_set(&run->referee->shared, run->bodies, 0, 0);
    run->masses = run->bodies->mass;
    run->masses_seed = 0;
}

void orr_cell_run_set(struct orr_cell_run *run, const char *name, const char *value)
{
    int place = 0;
    while (place < run->setting_count && strcmp(run->settings[place].name, name))
        place++;
    snprintf(run->settings[place].name, sizeof run->settings->name, "%s", name);
    snprintf(run->settings[place].value, sizeof run->settings->value, "%s", value);
    run->setting_count += place == run->setting_count;
}

int orr_cell_run_configure(struct orr_cell_run *run)
{
    json_t *answer;
    if (orr_shared_buffer_resize(&run->referee->shared, run->bodies->n))
        return orr_error_code();
    orr_cell_run_share_bodies(run);
    if (orr_referee_ask(run->referee,
                        json_pack("{s:s, s:I, s:o}", "ask", "configure", "n",
                                  (json_int_t)run->bodies->n, "settings",
                                  orr_params_settings_to_json(run->settings, run->setting_count)),
                        &answer))
        return orr_error_code();
    run->parameters = json_incref(json_object_get(answer, "parameters"));
    run->wrong_on_purpose = json_is_true(json_object_get(answer, "wrong_on_purpose"));
    json_decref(answer);
    return read_parameters(run);
}

int orr_cell_run_bound(struct orr_cell_run *run)
{
    if (run->wrong_on_purpose)
        return orr_fail(ORR_EUSAGE,
                        "%s is told to compute wrong results; only `orrery run` does that, for the "
                        "audit",
                        run->variant);
    const struct orr_bound_at at = {.variant = run->variant,
                                    .tree = run->capabilities & ORR_TREE_CODE,
                                    .settings = run->settings,
                                    .setting_count = run->setting_count,
                                    .theta = run->theta,
                                    .n = (double)run->bodies->n};
    return orr_bound_of_variant(&run->bound, &at);
}

/* A value for each call of a stage, under the name it has. */
static void take_stages(struct orr_cell_run *run, json_t *stages)
{
    const char *name;
    size_t k;
    json_t *times, *value;
    json_object_foreach (stages, name, times) {
        json_array_foreach (times, k, value) {
            orr_named_times_add(&run->stages, name, json_number_value(value));
        }
    }
}

int orr_cell_run_prepare(struct orr_cell_run *run)
{
    json_t *answer;
    int code = orr_referee_ask(run->referee, json_pack("{s:s}", "ask", "prepare"), &answer);
    take_stages(run, json_object_get(answer, "stages"));
    json_decref(answer);
    return code;
}

struct orr_cell_run orr_cell_run_again(const struct orr_cell_run *run)
{
    struct orr_cell_run again = {0};
    memcpy(&again, run, offsetof(struct orr_cell_run, about)); /* what the caller sets */
    return again;
}

int orr_cell_run_begin(struct orr_cell_run *run)
{
    return orr_cell_run_load(run) || orr_cell_run_configure(run) || orr_cell_run_prepare(run)
               ? orr_error_failed()
               : 0;
}

/* Orders that the axes may have. Boxes of a near field may be found once: they stay where they
 * are. */
static int orders_of(const struct orr_cell_run *run)
{
    return run->level >= 0                                        ? 1
           : run->bodies->dimensions == 2 || run->dimensions == 2 ? ORR_SHARED_FLAT_ORDERS
                                                                  : ORR_SHARED_ORDERS;
}

/* Uniform in [0, 1), a function of seed and body alone. */
static double random_of(uint64_t seed, uint64_t body)
{
    uint64_t state = seed + body * 0x9e3779b97f4a7c15u;
    return (double)(orr_stats_random_next(&state) >> 11) * 0x1p-53;
}

/* The masses of that seed: the bodies' own by a factor of 1/2 to 1 for all and one of 3/4 to 5/4
 * for each, rounded to float. They change every acceleration, and no box or tree. */
static void make_masses(double *out, const struct orr_bodies *bodies, uint64_t seed)
{
    double all = 0.5 + 0.5 * random_of(~seed, 0);
#pragma omp parallel for schedule(static) if (bodies->n > ORR_VERIFY_MANY)
    for (size_t i = 0; i < bodies->n; i++)
        out[i] = (float)(bodies->mass[i] * all * (0.75 + 0.5 * random_of(seed, i)));
}

/* Lends another image of the bodies with `sets` sets of new masses and keeps those that step `last`
 * gets. */
static int share_anew(struct orr_cell_run *run, int sets, int last)
{
    struct orr_shared_buffer *shared = &run->referee->shared;
    uint64_t chance = orr_cell_run_seed();
    if (run->level < 0)
        orr_shared_buffer_set(shared, run->bodies, orr_stats_random_below(&chance, run->bodies->n),
                              (unsigned)orr_stats_random_below(
                                  &chance, orders_of(run) == ORR_SHARED_FLAT_ORDERS ? 4 : 8));
    for (int k = 0; k < sets; k++) {
        uint64_t seed = orr_cell_run_seed();
        if (!run->fresh[k] && !(run->fresh[k] = malloc(shared->n * sizeof **run->fresh)))
            return orr_fail(ORR_EMEMORY, "no memory for %zu masses", shared->n);
        make_masses(run->fresh[k], run->bodies, seed);
        orr_shared_buffer_set_masses(shared, k, run->fresh[k]);
        if (k == last % sets) {
            run->masses = run->fresh[k];
            run->masses_seed = seed;
        }
    }
    return 0;
}

/* Bodies as they are. */
static void share_own(struct orr_cell_run *run)
{
    if (run->masses_seed)
        orr_cell_run_share_bodies(run);
}

/* As many as steps were asked for, finite and not negative. */
static bool are_times(const json_t *seconds, int times)
{
    size_t index;
    json_t *value;
    json_array_foreach (seconds, index, value) {
        if (!(json_number_value(value) >= 0))
            return false;
    }
    return (int)json_array_size(seconds) == times;
}

double orr_cell_run_mean(const json_t *seconds, int batch)
{
    size_t count = json_array_size(seconds),
           first = count > (size_t)batch ? count - (size_t)batch : 0;
    double sum = 0;
    for (size_t k = first; k < count; k++)
        sum += json_number_value(json_array_get(seconds, k));
    return sum / batch;
}

/* The answer to "step". Steps without an upload must do the same work, and so launch as many
 * kernels. */
static int read_times(struct orr_cell_run *run, int times, int batch, int queued)
{
    json_t *seconds = json_object_get(run->answer, "step_s"),
           *device_s = json_object_get(run->answer, "device_s");
    double queued_s = orr_json_number(run->answer, "queued_s");
    bool same = orr_json_integer(run->answer, "queued_launches") ==
                queued * orr_json_integer(run->answer, "launches");
    if (!are_times(seconds, times) || !are_times(json_object_get(run->answer, "kernel_s"), times))
        return orr_fail(ORR_EINTERNAL, "crashed: the worker's times are damaged");
    run->step_s = orr_cell_run_mean(seconds, batch);
    run->device_s = are_times(device_s, times) ? orr_cell_run_mean(device_s, batch) : NAN;
    run->queued_s = queued > 0 && same && queued_s > 0 ? queued_s / queued : NAN;
    run->batch = batch;
    take_stages(run, json_object_get(run->answer, "outside"));
    return 0;
}

/* The shared results hold nothing that could pass for one. */
static void poison(const struct orr_cell_run *run)
{
    struct orr_forces results = run->referee->shared.forces;
    for (int d = 0; run->steps == 0 && d < 3; d++)
        results.pos[d] = results.vel[d] = NULL;
    orr_verify_poison_forces(&results, run->bodies->n);
}

/* From now on no worker can change them. `order`: of the axes that the worker had. */
static int take_results(struct orr_cell_run *run, const json_t *answer, int order)
{
    const int code = orr_shared_buffer_take(&run->referee->shared, order, run->steps > 0,
                                            json_is_true(json_object_get(answer, "has_phi")),
                                            run->dimensions, &run->finite);
    run->referee->replace |= code != 0; /* its other memory may be damaged too */
    show_taken(run);
    return code;
}

int orr_cell_run_keep(struct orr_cell_run *run)
{
    struct orr_shared_buffer *shared = &run->referee->shared;
    struct orr_forces other = run->kept_forces;
    double *masses = run->kept_masses;
    if (!other.phi && orr_verify_make_forces(&other, shared->n, true)) {
        orr_verify_release_forces(&other);
        return orr_error_code();
    }
    run->kept_forces = shared->taken;
    shared->taken = other;
    for (int k = 0; k < ORR_SHARED_MASSES; k++)
        if (run->fresh[k] && run->fresh[k] == run->masses) {
            run->kept_masses = run->fresh[k];
            run->fresh[k] = masses;
        }
    return 0;
}

/* What uses more of the processor after a step is work that goes on. */
static const double REST_S = 5e-3;

int orr_cell_run_step(struct orr_cell_run *run, const struct orr_cell_steps *how)
{
    int batch = how->batch > 0 ? how->batch : 1, times = batch + how->cold;
    int sets = !how->fresh ? 1 : times < ORR_SHARED_MASSES ? times : ORR_SHARED_MASSES;
    const int orders = how->fresh ? orders_of(run) : 1,
              order = (int)(orr_cell_run_seed() / 2 % (uint64_t)orders);
    if (how->fresh && share_anew(run, sets, times - 1))
        return orr_error_code();
    if (!how->fresh)
        share_own(run);
    poison(run);
    json_decref(run->answer);
    run->answer = NULL;
    json_t *request =
        json_pack("{s:s, s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:i}", "ask", "step", "times", times,
                  "masses", sets, "order", order, "orders", orders, "idle", how->idle, "kernels",
                  how->kernels, "traced", how->traced, "queued", how->queued);
    if (orr_referee_ask(run->referee, request, &run->answer) ||
        read_times(run, times, batch, how->queued) ||
        take_results(run, run->answer, (order + times - 1) % orders))
        return orr_error_code();
    double going_on = orr_json_number(run->answer, "going_on_s");
    if (going_on <= REST_S)
        return 0;
    run->referee->replace = true;
    return orr_fail(ORR_ESUSPECT,
                    going_on < 1e9 ? "work goes on after the step, for %.0f ms"
                                   : "work goes on after the step and does not end",
                    1e3 * going_on);
}

void orr_cell_run_add_means(json_t **to, const struct orr_cell_run *run, const char *what)
{
    const char *name;
    json_t *times;
    json_object_foreach (json_object_get(run->answer, what), name, times) {
        orr_named_times_add(to, name, orr_cell_run_mean(times, run->batch));
    }
}

/* A step with the bodies' own masses in another manner; *out is that member of the answer. */
static int ask_with_own_masses(struct orr_cell_run *run, json_t *request, const char *member,
                               json_t **out)
{
    json_t *answer;
    share_own(run);
    poison(run);
    int code = orr_referee_ask(run->referee, request, &answer);
    *out = json_incref(json_object_get(answer, member));
    if (!code)
        code = take_results(run, answer, 0);
    json_decref(answer);
    return code;
}

int orr_cell_run_count(struct orr_cell_run *run, json_t **out)
{
    return ask_with_own_masses(run, json_pack("{s:s}", "ask", "count"), "procedures", out) ||
                   orr_cell_run_verify(run)
               ? orr_error_context("the counting build")
               : 0;
}

int orr_cell_run_joules(struct orr_cell_run *run, double seconds, int queued, json_t **out)
{
    *out = NULL;
    if (share_anew(run, 1, 0))
        return orr_error_code();
    poison(run);
    int code = orr_referee_ask(
        run->referee,
        json_pack("{s:s, s:f, s:i}", "ask", "joules", "seconds", seconds, "queued", queued), out);
    if (code || orr_json_integer(*out, "steps") < 1)
        return code;
    run->masses = run->fresh[0];
    if (json_is_number(idle_of(run)))
        json_object_set(*out, "idle_w", idle_of(run));
    return take_results(run, *out, 0);
}

int orr_cell_run_counters(struct orr_cell_run *run, const char *groups, json_t **out)
{
    return ask_with_own_masses(run, json_pack("{s:s, s:s}", "ask", "counters", "groups", groups),
                               "sources", out);
}

int orr_cell_run_close(struct orr_cell_run *run, json_t **answer)
{
    struct orr_referee *referee = run->referee;
    if (answer)
        *answer = NULL;
    if (referee->outcome || (referee->worker.pid <= 0 && !referee->set))
        return 0;
    return orr_referee_ask(run->referee, json_pack("{s:s}", "ask", "close"), answer);
}

void orr_cell_run_release(struct orr_cell_run *run)
{
    for (int k = 0; k < ORR_SHARED_MASSES; k++)
        free(run->fresh[k]);
    free(run->kept_masses);
    orr_verify_release_forces(&run->kept_forces);
    orr_verify_release_forces(&run->first);
    json_decref(run->stages);
    json_decref(run->about);
    json_decref(run->parameters);
    json_decref(run->answer);
    memset(run->fresh, 0, sizeof run->fresh);
    run->stages = run->about = run->parameters = run->answer = NULL;
    run->kept_masses = NULL;
}
