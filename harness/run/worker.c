#include "run/worker.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* Takes the socket off standard input, and gives variants and drivers that print something harmless
 * to print to. */
static int take_socket(struct orr_channel *channel)
{
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
        null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return orr_fail(ORR_EUSAGE, "__worker is started by the program itself, not by hand");
    close(null);
    orr_channel_init(channel, fd);
    return 0;
}

static json_t *serve(struct orr_worker_cache *cache, json_t *request, struct orr_channel *channel)
{
    const char *ask = json_string_value(json_object_get(request, "ask"));
    if (ask && !strcmp(ask, "probe"))
        return orr_worker_probe();
    if (ask && !strcmp(ask, "ceiling"))
        return orr_worker_ceiling(cache, request);
    if (ask && !strcmp(ask, "cell"))
        return orr_worker_cell(cache, request, channel);
    if (ask && !strcmp(ask, "eval"))
        return orr_worker_eval(cache, request);
    if (ask && !strcmp(ask, "frames"))
        return orr_worker_frames(cache, request, channel);
    orr_fail(ORR_EINTERNAL, "a worker was asked for '%s'", ask ? ask : "nothing");
    return NULL;
}

static bool lost_a_device(const struct orr_worker_cache *cache)
{
    for (int k = 0; k < cache->device_count; k++)
        if (cache->devices[k]->lost)
            return true;
    return false;
}

/* Answers one request; whether to go on. */
static bool answer(struct orr_worker_cache *cache, json_t *request, struct orr_channel *channel)
{
    orr_error_clear();
    json_t *reply = serve(cache, request, channel);
    if (reply)
        json_object_set_new(reply, "say", json_string("done"));
    else
        reply = json_pack("{s:s, s:i, s:s}", "say", "failed", "code", orr_error_code(), "text",
                          orr_error_text());
    bool lost = lost_a_device(cache);
    json_object_set_new(reply, "lost", json_boolean(lost));
    return orr_channel_send(channel, reply) == 0 && !lost;
}

int orr_worker_serve(void)
{
    struct orr_channel channel;
    if (take_socket(&channel))
        return ORR_EXIT_USAGE;
    struct orr_worker_cache *cache = calloc(1, sizeof *cache);
    bool go_on = cache != NULL;
    while (go_on) {
        json_t *request;
        enum orr_heard heard = orr_channel_receive(&channel, INFINITY, -1, &request);
        const char *ask = json_string_value(json_object_get(request, "ask"));
        go_on = heard == ORR_HEARD_MESSAGE && ask && strcmp(ask, "quit") &&
                answer(cache, request, &channel);
        json_decref(request);
    }
    /* Drivers and plugins are not unloaded: some crash on the way out. The system takes everything
     * back. */
    _exit(ORR_EXIT_OK);
}
