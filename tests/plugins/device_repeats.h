/* For plugins that notice a step without an upload before it. */
#ifndef DEVICE_REPEATS_H
#define DEVICE_REPEATS_H

#include "device_sums.h"

static int uploaded;

static int upload(struct orr_job *job)
{
    uploaded = 1;
    return device_bodies_upload(job);
}

/* Whether the step is the first since the upload. */
static int is_first(void)
{
    int first = uploaded;
    uploaded = 0;
    return first;
}

#endif
