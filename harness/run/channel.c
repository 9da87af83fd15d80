#include "run/channel.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error.h"
#include "clock.h"

enum { CHUNK = 65536 };
/* Far more than any message has. */
enum { LONGEST_LINE = 16 << 20 };
static const double LONGEST_WAIT_S = 1e5; /* poll counts milliseconds in an int */

void orr_channel_init(struct orr_channel *channel, int fd)
{
    *channel = (struct orr_channel){.fd = fd, .peer = -1};
}

static void forget_peer(struct orr_channel *channel)
{
    if (channel->peer >= 0)
        close(channel->peer);
    channel->peer = -1;
}

void orr_channel_close(struct orr_channel *channel)
{
    if (channel->fd >= 0) {
        close(channel->fd);
        forget_peer(channel);
    }
    free(channel->text);
    *channel = (struct orr_channel){.fd = -1, .peer = -1};
}

static int send_all(int fd, const char *text, size_t size)
{
    while (size) {
        ssize_t sent = send(fd, text, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return orr_fail(ORR_EIO, "the other process is gone: %s", strerror(errno));
        text += sent;
        size -= (size_t)sent;
    }
    return 0;
}

json_t *orr_channel_reply(json_t *made, const json_t *request)
{
    json_t *reply =
        made ? made : json_pack("{s:i, s:s}", "code", orr_error_code(), "text", orr_error_text());
    json_object_set_new(reply, "say", json_string(made ? "done" : "failed"));
    json_object_set(reply, "to", json_object_get(request, "id"));
    return reply;
}

int orr_channel_send(struct orr_channel *channel, json_t *message)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    if (!text)
        return orr_fail(ORR_EMEMORY, "no memory for a message");
    size_t size = strlen(text);
    text[size] = '\n'; /* replaces the terminator: lines are sent by length */
    int code = send_all(channel->fd, text, size + 1);
    free(text);
    return code;
}

/* The first whole line of what was received, parsed and removed. */
static enum orr_heard take_line(struct orr_channel *channel, const char *newline, json_t **out)
{
    size_t length = (size_t)(newline - channel->text) + 1;
    *out = json_loadb(channel->text, length, 0, NULL);
    memmove(channel->text, channel->text + length, channel->used -= length);
    if (json_is_object(*out))
        return ORR_HEARD_MESSAGE;
    json_decref(*out);
    *out = NULL;
    return ORR_HEARD_NOISE;
}

/* Bytes read; 0 at the end. */
static ssize_t read_more(struct orr_channel *channel)
{
    if (channel->room - channel->used < CHUNK) {
        char *more = realloc(channel->text, channel->room + CHUNK);
        if (!more)
            return 0;
        channel->text = more;
        channel->room += CHUNK;
    }
    ssize_t got = read(channel->fd, channel->text + channel->used, channel->room - channel->used);
    if (got > 0)
        channel->used += (size_t)got;
    return got < 0 && errno == EINTR ? -1 : got < 0 ? 0 : got;
}

static enum orr_heard wait_for_more(struct orr_channel *channel, double deadline, int signals)
{
    struct pollfd wanted[3] = {{.fd = channel->fd, .events = POLLIN},
                               {.fd = signals, .events = POLLIN},
                               {.fd = channel->peer, .events = POLLIN}};
    for (;;) {
        double left = fmin(fmax(0, deadline - orr_clock_now()), LONGEST_WAIT_S);
        int ready = poll(wanted, 3, (int)ceil(1e3 * left));
        if (ready < 0 && errno != EINTR)
            return ORR_HEARD_END;
        if (ready > 0 && wanted[2].revents) {
            /* What it sent is still read, then the end; whoever keeps its socket adds nothing. */
            shutdown(channel->fd, SHUT_RD);
            forget_peer(channel);
        }
        if (ready > 0 && wanted[1].revents)
            return ORR_HEARD_SIGNAL;
        if (orr_clock_now() >= deadline) /* even to one that never stops talking */
            return ORR_HEARD_TIMEOUT;
        if (ready > 0)
            return ORR_HEARD_MESSAGE;
    }
}

enum orr_heard orr_channel_receive(struct orr_channel *channel, double deadline, int signals,
                                   json_t **out)
{
    *out = NULL;
    size_t searched = 0;
    for (;;) {
        char *newline = channel->used > searched
                            ? memchr(channel->text + searched, '\n', channel->used - searched)
                            : NULL;
        if (newline)
            return take_line(channel, newline, out);
        searched = channel->used;
        if (searched > LONGEST_LINE)
            return ORR_HEARD_NOISE;
        enum orr_heard heard = wait_for_more(channel, deadline, signals);
        if (heard != ORR_HEARD_MESSAGE)
            return heard;
        if (!read_more(channel))
            return ORR_HEARD_END;
    }
}
