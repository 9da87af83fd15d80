/* The parts of `orrery render`. */
#ifndef ORR_CLI_RENDER_PARTS_H
#define ORR_CLI_RENDER_PARTS_H

#include <jansson.h>

#include "cli/worker_session.h"
#include "render/film.h"

struct orr_render {
    /* options */
    struct orr_words what, set;
    const char *output, *size, *window, *plane, *colours, *weight;
    const char *dataset, *device;
    double fps, smear, n, seed, frames, steps, timeout_s; /* NAN: not given */
    bool json;
    /* from them */
    bool animated; /* a GIF */
    struct orr_film film;
    size_t n_first, n_last; /* bodies in the first and the last picture */
    json_t *course;         /* what the worker says of the integration; NULL with snapshots */
};

/* The next picture's bodies; the first ones settle view and weight. Only `shown` ones are drawn.
 * `weighed`: they have masses; `name` is for messages. */
int orr_render_add(struct orr_render *render, const struct orr_bodies *bodies, bool weighed,
                   bool shown, const char *name);
/* Does this word name a variant or an experiment rather than a file? */
bool orr_render_is_course(const char *word);
/* Integrates what `what` names and adds every picture. *heard tells whether a signal ended it. */
int orr_render_course(struct orr_render *render, enum orr_heard *heard);

#endif
