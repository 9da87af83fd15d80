/* SPDX-License-Identifier: MIT */
/* Integrates a data set frame by frame; each frame is handed over as a snapshot in the caller's
 * file. */
#include "json_member.h"
#include "referee/referee.h"

#include <math.h>

#include "datasets/formats/format.h"
#include "error.h"
#include "referee/cell_record.h"
#include "referee/cell_run.h"

struct reel {
    struct orr_cell_run run;
    struct orr_bodies *bodies; /* where they are now: those of the cache, as nobody else asks */
    struct orr_channel *channel;
    json_t *id;         /* of the request */
    const char *output; /* the file that every frame goes to */
    int frames;
    double seconds; /* in the variant's steps */
};

static int initialise(struct reel *reel, json_t *request)
{
    struct orr_cell_run *run = &reel->run;
    struct orr_cached_set *set;
    if (orr_cell_run_load(run))
        return orr_error_code();
    if (!(run->capabilities & ORR_INTEGRATES))
        return orr_fail(ORR_EUSAGE, "%s moves no bodies; name a variant that integrates",
                        run->variant);
    if (orr_cell_run_take_set(
            run, &set, orr_json_text(request, "dataset"), (size_t)orr_json_integer(request, "n"),
            (int)orr_json_integer(request, "level"), (uint64_t)orr_json_integer(request, "seed")) ||
        orr_params_settings_from_json(run->settings, &run->setting_count,
                                      json_object_get(request, "settings")))
        return orr_error_code();
    reel->bodies = &set->bodies;
    run->conserved = true; /* no energy of all pairs: it would take longer than the frames */
    if (orr_cell_run_configure(run) || orr_cell_run_bound(run))
        return orr_error_code();
    if (run->dt == 0)
        return orr_fail(ORR_EUSAGE, "the time step is 0; give one with --set dt=TIME");
    return orr_cell_run_check_softening(set, run->eps) || orr_cell_run_prepare(run)
               ? orr_error_failed()
               : 0;
}

/* Frame k > 0. The first and last computed ones are verified, the others need only be finite. */
static int advance(struct reel *reel, int k)
{
    struct orr_cell_run *run = &reel->run;
    const bool verified = k == 1 || k == reel->frames - 1;
    orr_cell_run_share_bodies(run);
    int code = orr_cell_run_step(run, &(struct orr_cell_steps){0});
    reel->seconds += run->step_s;
    if (code || (verified ? orr_cell_run_verify(run)
                          : !run->finite &&
                                orr_verify_finite(&run->forces, reel->bodies->n, run->dimensions)))
        return orr_error_context("frame %d", k + 1);
    /* The next frame begins where this one ended; upload reads the bodies again. */
    orr_verify_place(reel->bodies, &run->forces, run->dimensions);
    return 0;
}

/* Hands the frame over and waits until it is taken. */
static int hand_over(struct reel *reel, int k)
{
    json_t *message = NULL;
    if (orr_snapshot_write(reel->bodies, reel->output, "tipsy-native") ||
        orr_child_channel_send(reel->channel, json_pack("{s:s, s:i, s:O*}", "say", "partial",
                                                        "frame", k, "to", reel->id)))
        return orr_error_code();
    orr_child_channel_receive(reel->channel, INFINITY, -1, &message);
    bool taken = orr_json_is(message, "ask", "next");
    json_decref(message);
    return taken ? 0 : orr_fail(ORR_EINTERNAL, "frame %d was not taken", k + 1);
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
    const struct orr_cell_run *run = &reel.run;
    json_t *answer = NULL;
    referee->ranks = 1;
    orr_referee_ready(referee, 0);
    bool failed = initialise(&reel, request);
    for (int k = 0; !failed && k < reel.frames; k++)
        failed = (k && advance(&reel, k)) || hand_over(&reel, k);
    if (failed) { /* what it says stays the reason */
        referee->replace = true;
    } else {
        answer =
            json_pack("{s:s, s:O, s:O, s:f, s:O, s:O*}", "variant", run->variant, "device",
                      json_object_get(run->about, "device"), "device_name",
                      json_object_get(run->about, "device_name"), "seconds", reel.seconds,
                      "parameters", run->parameters, "note", json_object_get(run->answer, "note"));
        orr_cell_record_errors(answer, run, false);
        json_object_del(answer, "conservation");
        orr_cell_run_close(&reel.run, NULL);
    }
    orr_cell_run_release(&reel.run);
    return answer;
}
