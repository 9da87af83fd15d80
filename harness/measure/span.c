#include "measure/span.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "error.h"

static int several(const struct orr_span *span, int count, double *seconds)
{
    int code = 0;
    *seconds = INFINITY;
    for (int k = 0; k < count && !code; k++) {
        double once = 0;
        code = span->run(span->context, span->loops, &once);
        *seconds = fmin(*seconds, once);
    }
    return code;
}

static bool is_short(const struct orr_span *span, double seconds)
{
    return seconds < 0.5 * span->span_s && span->loops < span->most;
}

static void grow(struct orr_span *span, double seconds)
{
    double longer = seconds > 0 ? fmin(16, 1 + span->span_s / seconds) : 16;
    span->loops = (long)fmin((double)span->loops * longer, (double)span->most);
}

int orr_span_shortest(struct orr_span *span, double *seconds)
{
    int code = 0;
    do {
        while (!(code = several(span, 1, seconds)) && is_short(span, *seconds))
            grow(span, *seconds);
        if (!code)
            code = several(span, span->spans, seconds);
    } while (!code && is_short(span, *seconds)); /* the first one may have been disturbed */
    if (!code && !(*seconds > 0))
        code = orr_fail(ORR_EDEVICE, "no time passes");
    return code;
}

double orr_span_seconds(double otherwise)
{
    const char *text = getenv("ORRERY_SPAN_SECONDS");
    double given = text ? atof(text) : 0;
    return given > 0 ? fmin(given, otherwise) : otherwise;
}

int orr_span_launch(struct orr_device *device, struct orr_program *program,
                    const struct orr_launch *launch, struct orr_times *times)
{
    int code = device->ops->time_start(device);
    if (!code)
        code = orr_launch(device, program, launch);
    if (!code)
        code = device->ops->time_stop(device);
    return code ? code : device->ops->time_read(device, times);
}
