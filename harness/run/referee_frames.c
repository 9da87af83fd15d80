/* Integrates a data set frame by frame; each frame is handed over as a snapshot in the caller's
 * file. */
#include "json_member.h"
#include "run/referee.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "datasets/formats/format.h"
#include "error.h"
#include "run/cell_record.h"
#include "run/cell_run.h"

struct reel {
    struct orr_cell_run run;
    struct orr_bodies *bodies; /* where they are now: those of the cache, as nobody else asks */
    struct orr_setting settings[ORR_MAX_SETTINGS];
    struct orr_channel *channel;
    json_t *id;         /* of the request */
    const char *output; /* the file that every frame goes to */
    int frames;
    double seconds; /* in the variant's steps */
};

static int check_moving(const struct orr_cell_run *run)
{
    if (run->capabilities & ORR_INTEGRATES)
        return 0;
    return orr_fail(ORR_EUSAGE, "%s moves no bodies; name a variant that integrates", run->variant);
}

static int set_out(struct reel *reel, json_t *request)
{
    struct orr_cell_run *run = &reel->run;
    struct orr_cached_set *set;
    int code = orr_cell_run_load(run);
    if (!code)
        code = check_moving(run);
    if (!code)
        code = orr_referee_cache_set(&run->referee->cache, &set, orr_json_text(request, "dataset"),
                                     (size_t)orr_json_integer(request, "n"),
                                     (int)orr_json_integer(request, "level"),
                                     (uint64_t)orr_json_integer(request, "seed"));
    if (!code)
        code = orr_cell_run_check_dimensions(run, set);
    if (!code)
        code = orr_cell_run_read_settings(reel->settings, &run->setting_count, request);
    if (code)
        return code;
    run->bodies = reel->bodies = &set->bodies;
    run->sha256 = set->sha256;
    run->settings = reel->settings;
    run->conserved = true; /* no energy of all pairs: it would take longer than the frames */
    code = orr_cell_run_configure(run);
    if (!code)
        code = orr_cell_run_bound(run);
    if (!code && run->dt == 0)
        code = orr_fail(ORR_EUSAGE, "the time step is 0; give one with --set dt=TIME");
    if (!code)
        code = orr_cell_run_check_softening(set, run->eps);
    return code ? code : orr_cell_run_prepare(run);
}

/* The next frame begins where this one ended; upload reads the bodies again. */
static void follow(struct reel *reel)
{
    const struct orr_forces *moved = &reel->run.forces;
    for (int d = 0; d < reel->run.dimensions; d++)
        for (size_t i = 0; i < reel->bodies->n; i++) {
            reel->bodies->pos[d][i] = moved->pos[d][i];
            reel->bodies->vel[d][i] = moved->vel[d][i];
        }
}

/* Frame k > 0. The first and last computed ones are verified, the others need only be finite. */
static int advance(struct reel *reel, int k)
{
    struct orr_cell_run *run = &reel->run;
    orr_cell_run_place(run);
    int code = orr_cell_run_step(run, &(struct orr_cell_steps){0});
    reel->seconds += run->step_s;
    if (!code && (k == 1 || k == reel->frames - 1))
        code = orr_cell_run_verify(run);
    else if (!code)
        code = orr_verify_finite(&run->forces, reel->bodies->n, run->dimensions);
    if (code)
        return orr_error_context("frame %d", k + 1);
    follow(reel);
    return 0;
}

/* Hands the frame over and waits until it is taken. */
static int hand_over(struct reel *reel, int k)
{
    json_t *message = NULL;
    int code = orr_snapshot_write(reel->bodies, reel->output, "tipsy-native");
    if (!code)
        code = orr_child_channel_send(reel->channel, json_pack("{s:s, s:i, s:O*}", "say", "partial",
                                                               "frame", k, "to", reel->id));
    if (code)
        return code;
    orr_child_channel_receive(reel->channel, INFINITY, -1, &message);
    if (!orr_json_is(message, "ask", "next"))
        code = orr_fail(ORR_EINTERNAL, "frame %d was not taken", k + 1);
    json_decref(message);
    return code;
}

static json_t *report(const struct reel *reel)
{
    const struct orr_cell_run *run = &reel->run;
    json_t *answer =
        json_pack("{s:s, s:O, s:O, s:f, s:O, s:O*}", "variant", run->variant, "device",
                  json_object_get(run->about, "device"), "device_name",
                  json_object_get(run->about, "device_name"), "seconds", reel->seconds,
                  "parameters", run->parameters, "note", json_object_get(run->answer, "note"));
    orr_cell_record_errors(answer, run);
    json_object_del(answer, "conservation");
    return answer;
}

json_t *orr_referee_frames(struct orr_referee *referee, json_t *request,
                           struct orr_channel *channel)
{
    struct reel reel = {.run = {.referee = referee,
                                .variant = orr_json_text(request, "variant"),
                                .device = orr_json_text(request, "device"),
                                .targets = {.seed = 1}},
                        .channel = channel,
                        .id = json_object_get(request, "id"),
                        .output = orr_json_text(request, "output"),
                        .frames = (int)orr_json_integer(request, "frames")};
    referee->ranks = 1;
    orr_referee_ready(referee, 0);
    int code = set_out(&reel, request);
    for (int k = 0; !code && k < reel.frames; k++) {
        code = k ? advance(&reel, k) : 0;
        if (!code)
            code = hand_over(&reel, k);
    }
    json_t *answer = code ? NULL : report(&reel);
    if (code) /* what it says stays the reason */
        referee->replace = true;
    else
        orr_cell_run_let_go(&reel.run, NULL);
    orr_cell_run_release(&reel.run);
    return answer;
}
