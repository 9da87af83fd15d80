/* SPDX-License-Identifier: MIT */
/* The verbs of one variant in the worker: it is set up, steps, and is let go. Keeps the variant's
 * own time. */
#include "worker/worker.h"

#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "machine.h"
#include "memory.h"
#include "measure/counters.h"
#include "measure/sensors.h"
#include "plugin/params.h"
#include "worker/named_times.h"

static json_t *note_of(struct orr_worker *worker)
{
    worker->job.note[sizeof worker->job.note - 1] = '\0';
    return orr_json_shown(worker->job.note);
}

/* After a call of the variant that began at `start`: counts its seconds as its own, adds its stages
 * to `stages` (NULL: drops them), and returns the seconds. */
static double account(struct orr_worker *worker, double start, json_t **stages)
{
    double seconds = orr_clock_now() - start;
    orr_named_times_take_stages(stages);
    worker->own_s += seconds;
    return seconds;
}

/* --- stages --- */

/* What a device did: kernels queued, and seconds in which bytes moved. */
struct activity {
    uint64_t launches;
    double moving_s;
};

/* Within stages, which the variant declares. A worker runs one variant at a time, and the
 * contract's mark has no context. */
static struct {
    const struct orr_device *device;
    struct activity sum, since;
    bool open;
    const char *declared; /* by the variant; goes on behind an exchange */
} staged;

static struct activity activity(void)
{
    return (struct activity){staged.device->use.launches, staged.device->use.moving_s};
}

static struct activity difference(struct activity a, struct activity b)
{
    return (struct activity){a.launches - b.launches, a.moving_s - b.moving_s};
}

static void mark_stage(const char *name)
{
    struct activity now = activity();
    if (staged.open) {
        staged.sum.launches += now.launches - staged.since.launches;
        staged.sum.moving_s += now.moving_s - staged.since.moving_s;
    }
    staged.since = now;
    staged.open = name != NULL;
    orr_named_times_mark_stage(name);
}

/* The variant's. */
static void declare_stage(const char *name)
{
    staged.declared = name;
    mark_stage(name);
}

/* The communicator's, which lies within the variant's. */
static void mark_exchange(const char *name)
{
    mark_stage(name ? name : staged.declared);
}

/* After a call, whose open stage ends with it. */
static struct activity undeclared(void)
{
    staged.declared = NULL;
    if (staged.open)
        mark_stage(NULL);
    return difference(activity(), staged.sum);
}

/* --- load, open, configure --- */

static int check_device(const struct orr_worker *worker)
{
    const struct orr_device_info *device = &worker->device->info;
    return orr_plugin_runs_on(worker->variant, device)
               ? 0
               : orr_fail(ORR_EUNSUPPORTED,
                          "%s does not run on %s (%s); choose another with --device",
                          worker->variant->name, device->id, device->name);
}

/* The device asked for, or the best that the variant runs on. */
static int open_device(struct orr_worker *worker, const char *id)
{
    char why[512];
    struct orr_device_info infos[ORR_WORKER_DEVICES];
    const struct orr_variant *variant = worker->variant;
    if (id && *id)
        return orr_worker_device(worker, &worker->device, id) || check_device(worker);
    const int count = orr_device_list(infos, ORR_WORKER_DEVICES);
    for (int k = 0; k < count; k++)
        if (orr_plugin_runs_on(variant, &infos[k]))
            return orr_worker_device(worker, &worker->device, infos[k].id);
    orr_device_no_opencl(why, sizeof why, "; ", infos, count);
    return orr_fail(ORR_EUNSUPPORTED, "%s runs on no device of this machine%s", variant->name, why);
}

/* The rank's own device. It meets the others whatever became of that: they wait for it. */
static int open_ranked(struct orr_worker *worker, const char *first, bool oversubscribe)
{
    const struct orr_rank_library *library = orr_rank_library();
    char id[32];
    worker->device = NULL;
    bool failed =
        library->own_device(id, worker->rank, first, oversubscribe) || open_device(worker, id);
    return library->connect(&worker->ranks, worker->rank, failed ? NULL : worker->device,
                            mark_exchange);
}

static json_t *answer_load(struct orr_worker *worker, json_t *request)
{
    const char *name = orr_json_text(request, "variant");
    orr_program_receive(request);
    if (!worker->variant && orr_plugin_load(&worker->plugin, name ? name : ""))
        return NULL;
    const struct orr_variant *v = worker->variant = worker->plugin.variant;
    return json_pack("{s:s, s:i, s:i, s:b, s:b, s:s, s:o, s:O*}", "name", v->name, "dimensions",
                     v->dimensions, "capabilities", (int)v->capabilities, "counts",
                     v->count != NULL, "costs", v->cost != NULL, "plugin_sha256",
                     worker->plugin.sha256, "build_flags", orr_json_shown(v->build_flags),
                     "program", worker->plugin.about);
}

static json_t *answer_open(struct orr_worker *worker, json_t *request)
{
    static const char *const kinds[] = {"host", "cpu", "gpu", "other"};
    const char *id = orr_json_text(request, "device");
    bool oversubscribe = json_is_true(json_object_get(request, "oversubscribe"));
    worker->opening_s = 0;
    if (worker->rank ? open_ranked(worker, id ? id : "", oversubscribe) : open_device(worker, id))
        return NULL;
    const struct orr_device_info *info = &worker->device->info;
    return json_pack(
        "{s:s, s:o, s:s, s:s, s:o, s:f, s:o*}", "device", info->id, "device_name",
        orr_json_shown(info->name), "device_kind", kinds[info->kind], "device_pci", info->pci,
        "found", orr_worker_device_to_json(info), "opening_s", worker->opening_s, "transport",
        worker->ranks ? orr_json_shown(orr_rank_library()->transport(worker->ranks)) : NULL);
}

static int take_bodies(struct orr_worker *worker, size_t n)
{
    struct orr_shared_buffer *shared = &worker->shared;
    const int code = orr_shared_buffer_attach(shared, n);
    if (code)
        return code;
    orr_device_lock(worker->device, shared->inputs, shared->inputs_bytes);
    orr_device_lock(worker->device, shared->results, shared->results_bytes);
    worker->bodies = shared->bodies;
    return 0;
}

/* Whether the parameters are those of a result that is wrong on purpose (variant.h). */
static bool is_wrong_on_purpose(const struct orr_variant *variant, const json_t *parameters)
{
    const char *setting = variant->wrong_on_purpose,
               *equals = setting ? strchr(setting, '=') : NULL;
    const char *value;
    char name[64];
    if (!equals)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
    value = json_string_value(json_object_get(parameters, name));
    return value && !strcmp(value, equals + 1);
}

static json_t *answer_configure(struct orr_worker *worker, json_t *request)
{
    const struct orr_variant *variant = worker->variant;
    struct orr_setting settings[ORR_MAX_SETTINGS];
    int count;
    worker->params = orr_memory_get(variant->params_size);
    if (take_bodies(worker, (size_t)orr_json_integer(request, "n")) ||
        orr_params_settings_from_json(settings, &count, json_object_get(request, "settings")) ||
        orr_params_fill(variant, &worker->bodies, settings, count, worker->params))
        return NULL;
    json_t *parameters = orr_params_to_json(variant, worker->params);
    worker->steps =
        (variant->capabilities & ORR_INTEGRATES) ? (int)orr_json_number(parameters, "steps") : 0;
    worker->forces = worker->shared.forces;
    for (int d = 0; worker->steps == 0 && d < 3; d++)
        worker->forces.pos[d] = worker->forces.vel[d] = NULL;
    return json_pack("{s:b, s:o}", "wrong_on_purpose", is_wrong_on_purpose(variant, parameters),
                     "parameters", parameters);
}

/* --- prepare --- */

/* An OpenCL driver's compiler catches fatal signals and would survive a crash in a broken state. A
 * crash must end the process, for the referee to report. SIGFPE stays the driver's: it handles
 * integer division by zero. */
static void take_signals_back(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGTERM};
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++)
        signal(fatal[k], SIG_DFL);
    signal(SIGINT, SIG_IGN);
}

static json_t *kernels_to_json(const struct orr_device *device)
{
    json_t *kernels = json_array();
    int count = device->kernel_count < ORR_MAX_KERNELS ? device->kernel_count : ORR_MAX_KERNELS;
    for (int n = 0; n < count; n++) {
        const struct orr_kernel_info *k = &device->kernels[n];
        json_array_append_new(
            kernels, json_pack("{s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:f, s:b}", "name",
                               orr_json_shown(k->name), "defines", orr_json_shown(k->defines),
                               "registers", k->registers, "spill_bytes", k->spill_bytes,
                               "local_bytes", k->local_bytes, "max_group", k->max_group, "resident",
                               k->resident, "build_s", k->build_s, "cached", k->cached));
    }
    return kernels;
}

static json_t *answer_prepare(struct orr_worker *worker, json_t *request)
{
    (void)request;
    const struct orr_variant *variant = worker->variant;
    json_t *stages = NULL;
    worker->host = (struct orr_host){
        .fail = orr_error_set, .threads = orr_machine_threads(), .stage = declare_stage};
    staged.device = worker->device;
    staged.open = false;
    staged.declared = NULL;
    worker->job = (struct orr_job){.host = &worker->host,
                                   .device = worker->device,
                                   .bodies = &worker->bodies,
                                   .params = worker->params,
                                   .ranks = worker->ranks,
                                   .state = orr_memory_get(variant->state_size)};
    worker->device->kernel_count = 0;
    worker->prepared = true; /* a partial prepare is released too */
    take_signals_back();
    double start = orr_clock_now();
    int code = variant->prepare ? variant->prepare(&worker->job) : 0;
    account(worker, start, &stages);
    take_signals_back(); /* compiling may have caught them again */
    if (!code)
        return json_pack("{s:o*}", "stages", stages);
    json_decref(stages);
    return NULL;
}

/* --- steps ---
 *
 * A call that fails gives what is not 0, and may have said nothing: it may be the variant's. */

/* Steps in the device's queue at once. */
struct queued {
    double seconds; /* until the last is done */
    uint64_t launches;
    bool recorded;          /* and replayed */
    struct orr_times times; /* of replays by ranks, of them all */
};

/* The answer to one request for steps, and its named times. */
struct steps {
    json_t *answer;
    int times;
    json_t *phases, *within; /* of the device, of the host; one value a step */
    json_t *outside;         /* of uploads and the fetch */
};

static void append(const struct steps *steps, const char *name, json_t *value)
{
    json_array_append_new(json_object_get(steps->answer, name), value);
}

static void add(const struct steps *steps, const char *name, double value)
{
    json_object_set_new(steps->answer, name,
                        json_real(orr_json_number(steps->answer, name) + value));
}

/* What the answer calls a transfer's seconds; those in which no bytes moved, outside of stages;
 * those within stages; and the kernels queued outside of stages. The second and third are at most
 * those of a processor, since a busy machine makes all of them longer. */
static const char *const UPLOAD[] = {"upload_s", "own_upload_s", "staged_upload_s",
                                     "upload_launches"},
                         *const FETCH[] = {"fetch_s", "own_fetch_s", "staged_fetch_s",
                                           "fetch_launches"};

/* Of all threads of this process, ended ones included. */
static double processor_s(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* When a transfer began, and with what in the books. */
struct beginning {
    double start, processor_s;
    struct activity before;
};

static struct beginning begin_transfer(void)
{
    const struct activity before = undeclared();
    return (struct beginning){orr_clock_now(), processor_s(CLOCK_PROCESS_CPUTIME_ID), before};
}

/* Adds it to the answer, as one of so many of its kind. `steps` NULL: it counts nowhere. */
static void end_transfer(struct orr_worker *worker, struct steps *steps,
                         const struct beginning *from, const char *const names[4], int times)
{
    const struct activity done = difference(undeclared(), from->before);
    const double seconds = orr_clock_now() - from->start,
                 declared = orr_named_times_take_stages(steps ? &steps->outside : NULL),
                 worked_s = processor_s(CLOCK_PROCESS_CPUTIME_ID) - from->processor_s;
    worker->own_s += seconds;
    if (!steps)
        return;
    add(steps, names[0], seconds / times);
    add(steps, names[1], fmin(seconds - done.moving_s - declared, worked_s) / times);
    add(steps, names[2], fmin(declared, worked_s) / times);
    const json_int_t launches = orr_json_integer(steps->answer, names[3]);
    json_object_set_new(steps->answer, names[3],
                        json_integer(launches + (json_int_t)done.launches));
}

/* Uploads that set of masses with the bodies, their axes in that order, and waits. */
static int upload(struct orr_worker *worker, json_int_t masses, json_int_t order,
                  struct steps *steps)
{
    const struct orr_bodies *shared = &worker->shared.bodies;
    for (int d = 0; d < 3; d++) {
        const int from = orr_shared_buffer_orders[order][d];
        worker->bodies.pos[d] = shared->pos[from];
        worker->bodies.vel[d] = shared->vel[from];
    }
    const struct beginning from = begin_transfer();
    worker->bodies.mass = worker->shared.masses[masses];
    int code = (worker->variant->upload && worker->variant->upload(&worker->job)) ||
               orr_sync(worker->device);
    end_transfer(worker, steps, &from, UPLOAD, steps ? steps->times : 1);
    return code;
}

/* The device's marks lie within the host's span: device time is never longer. Ranks start
 * together. */
static int step(struct orr_worker *worker, struct steps *steps)
{
    struct orr_device *device = worker->device;
    struct orr_times times = {0};
    uint64_t launches = device->use.launches;
    int code = orr_ranks_barrier(worker->ranks);
    double worked_s = processor_s(CLOCK_PROCESS_CPUTIME_ID), start = orr_clock_now();
    code = code || device->ops->time_start(device) || worker->variant->step(&worker->job) ||
           device->ops->time_stop(device) || orr_sync(device);
    const double step_s = orr_clock_now() - start;
    worked_s = processor_s(CLOCK_PROCESS_CPUTIME_ID) - worked_s;
    /* Of a processor no more than its own time, as of transfers. */
    add(steps, "work_s",
        (device->info.kind <= ORR_DEVICE_CPU ? fmin(step_s, worked_s) : step_s) / steps->times);
    code = code || device->ops->time_read(device, &times);
    account(worker, start, &steps->within);
    json_object_set_new(steps->answer, "launches",
                        json_integer((json_int_t)(device->use.launches - launches)));
    append(steps, "step_s", json_real(step_s));
    append(steps, "kernel_s", orr_json_real(times.seconds));
    if (times.kernels_s > 0)
        append(steps, "device_s", json_real(times.kernels_s));
    if (times.unknown)
        json_object_set_new(steps->answer, "unknown", orr_json_shown(times.unknown));
    for (int k = 0; !code && k < times.phase_count; k++)
        orr_named_times_add(&steps->phases, times.phases[k].name, times.phases[k].seconds);
    return code;
}

static int step_of(void *worker)
{
    struct orr_worker *w = worker;
    return w->variant->step(&w->job);
}

/* The same with the device's marks. */
static int step_timed(void *worker)
{
    struct orr_device *device = ((struct orr_worker *)worker)->device;
    return device->ops->time_start(device) || step_of(worker) || device->ops->time_stop(device)
               ? orr_error_failed()
               : 0;
}

/* A step to be replayed, NULL where it cannot be, or has stages on the host. Of ranks either all
 * have one or none. */
static int record(struct orr_worker *worker, int (*step_as)(void *worker),
                  struct orr_recording **out)
{
    struct orr_ranks *ranks = orr_ranks_size(worker->ranks) > 1 ? worker->ranks : NULL;
    *out = NULL;
    if (!(worker->variant->capabilities & ORR_REPLAYS) || (ranks && !ranks->ops->agree))
        return 0;
    double start = orr_clock_now();
    json_t *within = NULL;
    int code = orr_device_record(worker->device, out, step_as, worker) || orr_sync(worker->device);
    account(worker, start, &within);
    bool keep = *out && !within;
    if (ranks && !code)
        code = ranks->ops->agree(ranks, &keep);
    if (!keep) {
        orr_device_erase(worker->device, *out);
        *out = NULL;
    }
    json_decref(within);
    return code;
}

/* Ranks choose in the first steps who has which bodies. */
static int settle_ranks(struct orr_worker *worker)
{
    if (orr_ranks_size(worker->ranks) == 1 || !(worker->variant->capabilities & ORR_REPLAYS))
        return 0;
    double start = orr_clock_now();
    int code = 0;
    for (int k = 0; k < ORR_SETTLING_STEPS && !code; k++)
        code = step_of(worker);
    code = code || orr_sync(worker->device);
    account(worker, start, NULL);
    return code;
}

/* More steps over the same input, waited for together. `recording`: of one, or NULL. */
static int queue(struct orr_worker *worker, int times, struct orr_recording *recording,
                 struct queued *out)
{
    struct orr_device *device = worker->device;
    int code =
        (device->ops->hurry && device->ops->hurry(device)) || orr_ranks_barrier(worker->ranks);
    const bool timed = recording && orr_ranks_size(worker->ranks) > 1;
    uint64_t launches = device->use.launches;
    double start = orr_clock_now();
    code = code || (timed && device->ops->time_start(device));
    for (int k = 0; k < times && !code; k++)
        code = recording ? orr_device_replay(device, recording) : step_of(worker);
    code = code || (timed && device->ops->time_stop(device)) || orr_sync(device);
    *out = (struct queued){.seconds = account(worker, start, NULL),
                           .launches = device->use.launches - launches,
                           .recorded = recording != NULL};
    return code || (timed && device->ops->time_read(device, &out->times));
}

static int step_counted(void *worker)
{
    struct queued one;
    return queue(worker, 1, NULL, &one);
}

/* The device's phases in a replay that another one comes before: what a cold host takes to queue an
 * exchange is in none of them. Marks make it some microseconds longer each. */
static int time_replay(struct orr_worker *worker, struct orr_times *out)
{
    struct orr_device *device = worker->device;
    struct orr_recording *timed = NULL;
    int code = orr_ranks_size(worker->ranks) > 1 ? record(worker, step_timed, &timed) : 0;
    if (timed)
        code = code || orr_ranks_barrier(worker->ranks) || orr_device_replay(device, timed) ||
               orr_device_replay(device, timed) || device->ops->time_read(device, out);
    orr_device_erase(device, timed);
    return code;
}

/* One rank's part of steps that were replayed `times` times, in the form of other steps. */
static json_t *replayed_to_json(const struct orr_times *replayed, const struct queued *queued,
                                int times)
{
    json_t *phases = NULL;
    for (int k = 0; k < replayed->phase_count; k++)
        orr_named_times_add(&phases, replayed->phases[k].name, replayed->phases[k].seconds);
    return json_pack("{s:[f], s:[f], s:o*}", "step_s", queued->seconds / times, "kernel_s",
                     queued->times.seconds / times, "phases", phases);
}

static int record_and_queue(struct orr_worker *worker, int times, struct steps *steps)
{
    struct orr_recording *recording = NULL;
    struct orr_times replayed = {0};
    struct queued queued = {0};
    int code = settle_ranks(worker) || time_replay(worker, &replayed) ||
               record(worker, step_of, &recording) || queue(worker, times, recording, &queued);
    orr_device_erase(worker->device, recording);
    const bool told = replayed.seconds > 0 && queued.times.seconds > 0;
    json_object_update_new(steps->answer,
                           json_pack("{s:f, s:I, s:b, s:o*}", "queued_s", queued.seconds,
                                     "queued_launches", (json_int_t)queued.launches, "recorded",
                                     queued.recorded, "replayed",
                                     told ? replayed_to_json(&replayed, &queued, times) : NULL));
    return code;
}

static int fetch(struct orr_worker *worker, struct steps *steps)
{
    const struct beginning from = begin_transfer();
    worker->forces.has_phi = 1;
    int code = worker->variant->fetch(&worker->job, &worker->forces);
    end_transfer(worker, steps, &from, FETCH, 1);
    return code;
}

/* Longer than threads spin that wait for more, also on a busy machine. */
static const double SETTLE_S = 0.25;

/* Waiting for a device that has nothing to do takes less. */
static const double DRAINED_S = 2e-3;

/* Processor time of all threads but the caller's, which looks for threads that run: where they wait
 * for a busy core it looks often. */
static double processor_s_of_others(void)
{
    const double own = processor_s(CLOCK_THREAD_CPUTIME_ID);
    return processor_s(CLOCK_PROCESS_CPUTIME_ID) - own;
}

/* Whether a thread other than the caller's runs, or would if it had a core. */
static bool others_run(void)
{
    DIR *tasks = opendir("/proc/self/task");
    bool found = false;
    for (struct dirent *task; tasks && !found && (task = readdir(tasks));) {
        char path[300], text[512];
        snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
        FILE *file =
            atoi(task->d_name) > 0 && atoi(task->d_name) != gettid() ? fopen(path, "re") : NULL;
        if (!file)
            continue;
        size_t length = fread(text, 1, sizeof text - 1, file);
        text[length] = '\0';
        const char *name_end = strrchr(text, ')');
        found = name_end && !strncmp(name_end, ") R", 3);
        fclose(file);
    }
    if (tasks)
        closedir(tasks);
    return found;
}

/* Waits until no other thread runs, and gives the processor time that takes; INFINITY when they do
 * not end. OpenMP's, which spin for a while in case there is more, are ended first. */
static double settle_threads(void)
{
    omp_pause_resource_all(omp_pause_hard);
    double start = orr_clock_now(), before = processor_s_of_others();
    while (others_run()) {
        if (orr_clock_now() - start > SETTLE_S)
            return INFINITY;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    return processor_s_of_others() - before;
}

/* The seconds that device and threads go on after the step; and that the step stayed within its
 * buffers. */
static int settle(struct orr_worker *worker, double *seconds)
{
    double device_s = 0;
    int code = orr_device_drain(worker->device, &device_s);
    *seconds = settle_threads() + (device_s > DRAINED_S ? device_s : 0);
    return code || orr_device_check_guards(worker->device);
}

/* The kernels' own times are optional. */
static bool trace(const struct orr_worker *worker, const struct steps *steps, bool on)
{
    struct orr_device *device = worker->device;
    if (!device->ops->trace || !device->ops->trace(device, on))
        return true;
    json_object_set_new(steps->answer, "unknown", orr_json_shown(orr_error_text()));
    orr_error_clear();
    return false;
}

/* `times` steps, each after an upload of the next of `masses` sets of masses and, from `order` on,
 * of `orders` orders of the axes. */
static int take_steps(struct orr_worker *worker, json_t *request, struct steps *steps)
{
    int code = 0;
    const json_int_t sets = orr_json_integer(request, "masses"),
                     order = orr_json_integer(request, "order"),
                     orders = orr_json_integer(request, "orders");
    for (int k = 0; !code && k < steps->times; k++) {
        code = upload(worker, k % (sets ? sets : 1), (order + k) % orders, steps) ||
               step(worker, steps);
        if (k == 0 && steps->times > 1) { /* it finds idle threads and cold caches */
            json_decref(steps->phases);
            json_decref(steps->within);
            steps->phases = steps->within = NULL;
        }
    }
    return code;
}

/* Steps, `queued` more without an upload, then a fetch. */
static json_t *answer_step(struct orr_worker *worker, json_t *request)
{
    const int queued = (int)orr_json_integer(request, "queued");
    struct steps steps = {.answer =
                              json_pack("{s:[], s:[], s:[]}", "step_s", "kernel_s", "device_s"),
                          .times = (int)orr_json_integer(request, "times")};
    orr_sensors_hold(worker->sensors);
    double start = orr_clock_now(), going_on = 0;
    const bool traced =
        json_is_true(json_object_get(request, "traced")) && trace(worker, &steps, true);
    int code = take_steps(worker, request, &steps) ||
               (queued > 0 && record_and_queue(worker, queued, &steps));
    if (traced && !code)
        trace(worker, &steps, false);
    code = code || (json_is_true(json_object_get(request, "idle")) && settle(worker, &going_on)) ||
           fetch(worker, &steps);
    const struct mallinfo2 heap = mallinfo2();
    json_object_update_new(
        steps.answer,
        json_pack(
            "{s:o, s:o*, s:o*, s:o*, s:b, s:o*, s:f, s:f, s:f, s:f, s:o*}", "note", note_of(worker),
            "phases", steps.phases, "within", steps.within, "outside", steps.outside, "has_phi",
            worker->forces.has_phi != 0, "sensed", orr_sensors_since(worker->sensors, start),
            "heap_bytes", (double)(heap.uordblks + heap.hblkhd), "buffers",
            (double)worker->device->use.buffers, "buffer_bytes", (double)worker->device->use.bytes,
            "going_on_s", fmin(going_on, 1e9), "kernels",
            json_is_true(json_object_get(request, "kernels")) ? kernels_to_json(worker->device)
                                                              : NULL));
    if (!code)
        return steps.answer;
    json_decref(steps.answer);
    return NULL;
}

/* --- energy --- */

/* Before the first cell the device rests, and then is watched while it does. */
enum { SETTLED_US = 500000, IDLE_US = 500000 };

/* Steps for at least so many seconds, `queued` at a time. */
static int steps_for(struct orr_worker *worker, json_t *request, json_t *answer)
{
    double seconds = orr_json_number(request, "seconds"), busy_s = 0, start = orr_clock_now();
    json_int_t queued = orr_json_integer(request, "queued"), taken = 0;
    struct orr_recording *recording;
    struct queued batch;
    int code = record(worker, step_of, &recording);
    while (!code && (!taken || orr_clock_now() - start < seconds)) {
        code = queue(worker, (int)queued, recording, &batch);
        busy_s += batch.seconds;
        taken += queued;
    }
    orr_device_erase(worker->device, recording);
    json_object_update_new(answer, json_pack("{s:I, s:f}", "steps", taken, "busy_s", busy_s));
    return code;
}

/* Ends the window. A counter that cannot be read is a reason and costs no cell. */
static void answer_window(struct orr_joules *joules, json_t *answer)
{
    struct orr_joules_window window;
    if (!joules || orr_sensors_joules_end(joules, &window)) {
        json_object_set_new(answer, "reason", orr_json_shown(orr_error_text()));
        orr_error_clear();
        return;
    }
    json_object_update_new(answer, json_pack("{s:s, s:f, s:f}", "counter", window.counter,
                                             "window_s", window.seconds, "joules", window.joules));
    if (isfinite(window.integrated))
        json_object_set_new(answer, "integrated", json_real(window.integrated));
}

/* Steps under the energy counter, after one that is not, then a fetch; with `idle` a window of
 * rest. */
static json_t *answer_joules(struct orr_worker *worker, json_t *request)
{
    json_t *answer = json_object();
    struct orr_joules *joules = NULL;
    bool idle = json_is_true(json_object_get(request, "idle"));
    int code = 0;
    if (orr_sensors_joules_open(&joules, &worker->device->info)) {
        answer_window(NULL, answer);
        return answer;
    }
    if (idle)
        usleep(SETTLED_US);
    else
        code = upload(worker, 0, 0, NULL) || step_counted(worker);
    orr_sensors_joules_begin(joules);
    if (idle)
        usleep(IDLE_US);
    else
        code = code || steps_for(worker, request, answer);
    if (!code)
        answer_window(joules, answer);
    else
        orr_sensors_joules_end(joules, &(struct orr_joules_window){NULL});
    code = code || (!idle && fetch(worker, NULL));
    json_object_set_new(answer, "has_phi", json_boolean(worker->forces.has_phi));
    if (!code)
        return answer;
    json_decref(answer);
    return NULL;
}

/* --- counters --- */

static int restore_input(void *worker)
{
    omp_pause_resource_all(omp_pause_hard); /* the processor's see only threads made from now on */
    return upload(worker, 0, 0, NULL);
}

/* Steps under each source of counters that suits the device, then a fetch. */
static json_t *answer_counters(struct orr_worker *worker, json_t *request)
{
    const char *groups = orr_json_text(request, "groups");
    const struct orr_counted_step of = {restore_input, step_counted, worker};
    json_t *sources = json_array();
    /* The first step leaves caches and memory as a variant does. */
    int code = restore_input(worker) || step_counted(worker);
    for (const struct orr_counter_source *const *s = orr_counters_all; !code && *s; s++) {
        uint32_t wanted = orr_counters_wanted(*s, groups ? groups : "none");
        if (wanted && (*s)->suits(&worker->device->info))
            code =
                json_array_append_new(sources, orr_counters_count(*s, worker->device, wanted, &of));
    }
    if (!code && !fetch(worker, NULL))
        return json_pack("{s:o, s:b}", "sources", sources, "has_phi", worker->forces.has_phi != 0);
    json_decref(sources);
    return NULL;
}

/* --- what else a variant says --- */

static json_t *answer_count(struct orr_worker *worker, json_t *request)
{
    (void)request;
    struct orr_counts counts = {0};
    int code = upload(worker, 0, 0, NULL);
    double start = orr_clock_now();
    code = code || worker->variant->count(&worker->job, &counts) || orr_sync(worker->device);
    account(worker, start, NULL);
    if (code || fetch(worker, NULL))
        return NULL;
    json_t *procedures = json_object();
    for (int p = 0; p < counts.count && p < ORR_MAX_PROCEDURES; p++) {
        json_t *of = json_array();
        for (int k = 0; k < ORR_ACCESS_KINDS; k++)
            json_array_append_new(of, json_integer((json_int_t)counts.procedures[p].of[k]));
        json_object_set_new(procedures, counts.procedures[p].name, of);
    }
    return json_pack("{s:o, s:b}", "procedures", procedures, "has_phi",
                     worker->forces.has_phi != 0);
}

/* Figures that are not finite are left out, or null: JSON has none. */
static json_t *answer_cost(struct orr_worker *worker, json_t *request)
{
    (void)request;
    struct orr_cost cost = {0};
    if (worker->variant->cost(&worker->job, &cost))
        return NULL;
    json_t *figures = json_object();
    for (int k = 0; k < cost.figure_count && k < ORR_MAX_FIGURES; k++)
        json_object_set_new(figures, cost.figures[k].name, json_real(cost.figures[k].value));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "figures", figures, "interactions",
                     orr_json_real(cost.interactions), "flops_convention",
                     orr_json_real(cost.flops_convention), "flops_true",
                     orr_json_real(cost.flops_true), "bytes_min", orr_json_real(cost.bytes_min));
}

/* Starts the sensors; with `stop` ends them and says what they saw. */
static json_t *answer_sense(struct orr_worker *worker, json_t *request)
{
    if (json_is_true(json_object_get(request, "stop"))) {
        json_t *seen = orr_sensors_stop(worker->sensors);
        worker->sensors = NULL;
        return json_pack("{s:o}", "sensors", seen);
    }
    worker->sensors = orr_sensors_start(&worker->device->info, ORR_SENSORS_PERIOD_S);
    return json_object();
}

/* Safe in every state. */
static json_t *answer_close(struct orr_worker *worker, json_t *request)
{
    (void)request;
    struct stat printed = {0};
    if (worker->prepared && worker->variant->release) {
        double start = orr_clock_now();
        worker->variant->release(&worker->job);
        worker->own_s += orr_clock_now() - start;
    }
    worker->prepared = false;
    json_decref(orr_sensors_stop(worker->sensors));
    worker->sensors = NULL;
    free(worker->job.state);
    free(worker->params);
    worker->job.state = worker->params = NULL;
    orr_device_unlock(worker->device);
    orr_shared_buffer_release(&worker->shared);
    if (worker->device && !worker->device->lost && orr_device_check_guards(worker->device))
        return NULL;
    fflush(stdout); /* into the file of what the variant printed since the last time */
    if (fstat(worker->printed, &printed) || ftruncate(worker->printed, 0))
        printed.st_size = 0;
    return json_pack("{s:I, s:I, s:o, s:o*}", "printed", (json_int_t)printed.st_size, "buffers",
                     (json_int_t)(worker->device ? worker->device->use.buffers : 0), "note",
                     note_of(worker), "own_seconds", orr_program_own_seconds(&worker->plugin));
}

const struct orr_worker_verb orr_worker_verbs[] = {
    {"load", answer_load},         {"open", answer_open},   {"configure", answer_configure},
    {"prepare", answer_prepare},   {"step", answer_step},   {"count", answer_count},
    {"cost", answer_cost},         {"sense", answer_sense}, {"joules", answer_joules},
    {"counters", answer_counters}, {"close", answer_close}, {NULL, NULL}};
