/* SPDX-License-Identifier: MIT */
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "measure/access.h"
#include "measure/ceiling.h"
#include "memory.h"
#include "worker/child.h"
#include "sandbox.h"

int orr_worker_device(struct orr_worker *worker, struct orr_device **out, const char *id)
{
    for (int k = 0; k < worker->device_count; k++)
        if (!strcmp(worker->infos[k].id, id)) {
            *out = worker->devices[k];
            (*out)->info = worker->infos[k];
            return 0;
        }
    if (worker->device_count == ORR_WORKER_DEVICES)
        return orr_fail(ORR_EINTERNAL, "more than %d devices in one worker", ORR_WORKER_DEVICES);
    double start = orr_clock_now();
    int code = orr_device_open(out, id);
    worker->opening_s += orr_clock_now() - start;
    if (!code) {
        worker->infos[worker->device_count] = (*out)->info;
        worker->devices[worker->device_count++] = *out;
    }
    return code;
}

json_t *orr_worker_device_to_json(const struct orr_device_info *i)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:I, "
        "s:I, s:I, s:I, s:b}",
        "id", i->id, "backend", i->backend, "name", i->name, "vendor", i->vendor, "platform",
        i->platform, "driver", i->driver, "toolkit", i->toolkit, "capability", i->capability, "pci",
        i->pci, "uuid", i->uuid, "kind", (int)i->kind, "compute_units", i->compute_units,
        "clock_mhz", i->clock_mhz, "warp_width", i->warp_width, "vector_width", i->vector_width,
        "max_group", (json_int_t)i->max_group, "local_bytes", (json_int_t)i->local_bytes,
        "memory_bytes", (json_int_t)i->memory_bytes, "cache_bytes", (json_int_t)i->cache_bytes,
        "fp64", i->fp64);
}

/* A record of the journal. */
static json_t *ceiling_to_json(const struct orr_device *device, const struct orr_ceiling *ceiling,
                               const json_t *sensors)
{
    json_t *pairs = json_object();
    for (int kind = ORR_CEILING_FIRST_PAIR; kind < ORR_CEILING_KINDS; kind++)
        json_object_set_new(pairs, orr_ceiling_name(kind), json_real(ceiling->pairs[kind]));
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:o, s:O*, s:O*}", "record", "ceiling", "device",
                     device->info.id, "device_name", device->info.name, "interactions_per_second",
                     ceiling->interactions_per_second, "fma_per_second", ceiling->fma_per_second,
                     "pairs", pairs, "clock_mhz", json_object_get(sensors, "clock_mhz_median"),
                     "throttle_reasons", json_object_get(sensors, "throttle_reasons"));
}

static json_t *measure_ceiling(struct orr_worker *worker, json_t *request)
{
    const char *id = orr_json_text(request, "device");
    struct orr_device *device;
    struct orr_ceiling ceiling;
    json_t *sensors;
    if (orr_worker_device(worker, &device, id ? id : "") ||
        orr_ceiling_measure(device, &ceiling, &sensors))
        return NULL;
    json_t *answer = json_pack("{s:o}", "record", ceiling_to_json(device, &ceiling, sensors));
    json_decref(sensors);
    return answer;
}

/* --- access ceilings: one request a kind, so that a crash costs that one --- */

static json_t *measure_access(struct orr_worker *worker, json_t *request)
{
    const struct orr_access_options options = {.quick =
                                                   json_is_true(json_object_get(request, "quick")),
                                               .defines = orr_json_text(request, "defines")};
    const char *kind = orr_json_text(request, "kind"), *id = orr_json_text(request, "device");
    struct orr_device *device;
    if (orr_worker_device(worker, &device, id ? id : ""))
        return NULL;
    if (!worker->access || worker->accessed != device) {
        json_decref(orr_access_close(worker->access));
        worker->accessed = device;
        if (orr_access_open(&worker->access, device, &options))
            return NULL;
    }
    json_t *found =
        kind ? orr_access_measure(worker->access, kind, NULL) : orr_access_close(worker->access);
    if (!kind)
        worker->access = NULL;
    return found ? json_pack("{s:o}", kind ? "rates" : "sensors", found) : NULL;
}

/* --- the loop --- */

static json_t *serve(struct orr_worker *worker, json_t *request)
{
    const char *ask = orr_json_text(request, "ask");
    if (orr_json_is(request, "ask", "ceiling"))
        return measure_ceiling(worker, request);
    if (orr_json_is(request, "ask", "access"))
        return measure_access(worker, request);
    for (const struct orr_worker_verb *verb = orr_worker_verbs; ask && verb->ask; verb++)
        if (!strcmp(ask, verb->ask))
            return verb->answer(worker, request);
    orr_fail(ORR_EINTERNAL, "a worker was asked for '%s'", ask ? ask : "nothing");
    return NULL;
}

/* Answers one request after the other. A worker that lost a device is replaced. Drivers and plugins
 * are not unloaded: some crash on the way out. The system takes everything back. */
static _Noreturn void serve_channel(struct orr_worker *worker, struct orr_channel *channel)
{
    for (bool go_on = true; go_on;) {
        json_t *request;
        orr_child_channel_receive(channel, INFINITY, -1, &request); /* NULL without a message */
        const bool quit = orr_json_is(request, "ask", "quit");
        go_on = orr_json_text(request, "ask") && !quit;
        if (go_on) {
            orr_error_clear();
            worker->own_s = 0;
            json_t *reply = orr_child_channel_reply(serve(worker, request), request);
            bool lost = false;
            for (int k = 0; k < worker->device_count; k++)
                lost |= worker->devices[k]->lost;
            json_object_set_new(reply, "own_s", json_real(worker->own_s));
            json_object_set_new(reply, "lost", json_boolean(lost));
            go_on = !orr_child_channel_send(channel, reply);
        }
        json_decref(request);
        if (quit && worker->rank)
            orr_rank_library()->leave(worker->rank);
    }
    _exit(ORR_EXIT_OK);
}

static int initialise_worker(struct orr_worker *worker, struct orr_channel *channel,
                             const char *rank_of)
{
    const struct orr_rank_library *ranks = rank_of ? orr_rank_library() : NULL;
    if (ranks     ? ranks->join(&worker->rank, channel, rank_of)
        : rank_of ? orr_error_failed()
                  : orr_child_take_socket(channel, "__worker"))
        return orr_error_code();
    /* Standard output, where variants and drivers may print, goes to a file of its own. */
    worker->printed = memfd_create("orrery-stdout", MFD_CLOEXEC);
    if (worker->printed < 0 || fcntl(worker->printed, F_SETFL, O_APPEND) ||
        dup2(worker->printed, STDOUT_FILENO) < 0)
        return orr_fail(ORR_EIO, "cannot catch what a variant prints: %s", strerror(errno));
    return orr_sandbox_enter();
}

int orr_worker_serve(const char *rank_of)
{
    struct orr_channel channel;
    struct orr_worker *worker = orr_memory_get(sizeof *worker);
    if (!initialise_worker(worker, &channel, rank_of))
        serve_channel(worker, &channel);
    fprintf(stderr, "%s\n", orr_error_text());
    free(worker);
    return ORR_EXIT_USAGE;
}
