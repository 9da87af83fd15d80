/* The kernels' own times in a run, and what these come from. */
#include <math.h>
#include <stdio.h>

#include "clock.h"
#include "json_member.h"
#include "run/cell_run.h"

/* Steps whose kernels are traced: so many batches, or as many as begin within that time, or within
 * that of sampling. */
enum { TRACED = 20 };
static const double TRACED_S = 1;
/* Where none of so many batches has been traced, none will be. */
enum { HOPELESS = 4 };

/* Where timestamps slow launches down, steps apart from the samples are traced, after them all. Now
 * and then a record comes late, and its batch is left out. */
static int trace_kernels(struct orr_measured *measured, struct orr_cell_run *run, double limit_s)
{
    const struct orr_cell_steps how = {
        .batch = measured->batch, .cold = measured->cold, .fresh = true, .traced = true};
    const double end = orr_clock_now() + fmin(TRACED_S, limit_s);
    int code = 0, known = 0;
    run->referee->replace = true; /* tracing may leave something behind */
    for (int k = 0; !code && k < (known ? TRACED : HOPELESS) && (!k || orr_clock_now() < end);
         k++) {
        code = orr_cell_run_step(run, &how);
        if (!code)
            code = orr_cell_run_look(run);
        if (!code && !isfinite(run->device_s)) {
            const char *why = orr_json_text(run->answer, "unknown");
            snprintf(measured->untimed, sizeof measured->untimed, "%s", why ? why : "");
        } else if (!code) {
            orr_named_times_add(&measured->clocks, "device", run->device_s);
            known++;
        }
    }
    return code;
}

int orr_cell_run_time_kernels(struct orr_measured *measured, struct orr_cell_run *run,
                              double limit_s)
{
    int code = 0, known = orr_named_times_of(&measured->clocks, "device").count;
    if (!known && run->ranks < 2 && !orr_cell_run_on_host(run) && !(run->kernels_s > 0) &&
        orr_json_integer(run->answer, "launches") > 0)
        code = trace_kernels(measured, run, limit_s);
    known = orr_named_times_of(&measured->clocks, "device").count;
    if (known)
        *measured->untimed = '\0';
    measured->kernel_clock = orr_cell_run_on_host(run) ? "host clock"
                             : known                   ? "kernel timestamps"
                                                       : "events";
    return code;
}
