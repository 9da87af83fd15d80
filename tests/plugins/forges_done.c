/* Computes nothing, and writes a finished record of its own to every socket that it finds. Caught
 * since the record comes from another process, which has seen no such result. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "cheats.h"

static const char record[] =
    "\"outcome\":\"ok\",\"reason\":\"\",\"seconds\":1e-9,\"interval\":[1e-9,1e-9],"
    "\"samples\":{\"step_s\":[1e-9],\"kernel_s\":[],\"end_to_end_s\":[],\"throttled\":[]}";

static int step(struct orr_job *job)
{
    struct state *s = job->state;
    char text[512];
    struct stat what;
    memset(s->result, 0, job->bodies->n * 4 * sizeof *s->result);
    for (int fd = 3; fd < 64; fd++)
        for (int k = 0; k < 2 && !fstat(fd, &what) && S_ISSOCK(what.st_mode); k++) {
            int size =
                snprintf(text, sizeof text, "{\"say\":\"%s\",\"record\":{%s},\"lost\":false}\n",
                         k ? "done" : "partial", record);
            send(fd, text, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    return 0;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/forges_done", .step = step};
