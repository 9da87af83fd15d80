/* SPDX-License-Identifier: MIT */
#include "worker/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "device/device.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "process.h"

/* --- the talk --- */

enum { CHUNK = 65536 };
/* Far more than any message has. */
enum { LONGEST_LINE = 16 << 20 };
static const double LONGEST_WAIT_S = 1e5; /* poll counts milliseconds in an int */

static void forget_peer(struct orr_channel *channel)
{
    if (channel->peer >= 0)
        close(channel->peer);
    channel->peer = -1;
}

void orr_child_channel_close(struct orr_channel *channel)
{
    if (channel->fd >= 0) {
        close(channel->fd);
        forget_peer(channel);
    }
    free(channel->text);
    *channel = (struct orr_channel){.fd = -1, .peer = -1};
}

json_t *orr_child_channel_reply(json_t *made, const json_t *request)
{
    json_t *reply =
        made ? made : json_pack("{s:i, s:s}", "code", orr_error_code(), "text", orr_error_text());
    json_object_set_new(reply, "say", json_string(made ? "done" : "failed"));
    json_object_set(reply, "to", json_object_get(request, "id"));
    return reply;
}

int orr_child_judge_answer(const json_t *answer)
{
    const char *text = orr_json_text(answer, "text");
    const int code = (int)orr_json_integer(answer, "code");
    const bool sound = code < 0 && code != ORR_EINTERRUPTED; /* only the asker can be that */
    return orr_json_is(answer, "say", "done")
               ? 0
               : orr_fail(sound ? code : ORR_EINTERNAL, "%s", text ? text : "");
}

int orr_child_channel_send(struct orr_channel *channel, json_t *message)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    int code = 0;
    json_decref(message);
    if (!text) /* it was made of bytes that are no UTF-8 */
        return orr_fail(ORR_EINTERNAL, "no message");
    size_t size = strlen(text) + 1;
    text[size - 1] = '\n'; /* replaces the terminator: lines are sent by length */
    for (size_t done = 0; done < size && !code;) {
        ssize_t sent = send(channel->fd, text + done, size - done, MSG_NOSIGNAL);
        if (sent >= 0)
            done += (size_t)sent;
        else if (errno != EINTR)
            code = orr_fail(ORR_EIO, "the other process is gone: %s", strerror(errno));
    }
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

enum orr_heard orr_child_channel_receive(struct orr_channel *channel, double deadline, int signals,
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
        if (channel->room - channel->used < CHUNK) {
            channel->room += CHUNK;
            channel->text = orr_memory_more(channel->text, channel->room);
        }
        ssize_t got =
            read(channel->fd, channel->text + channel->used, channel->room - channel->used);
        if (!got || (got < 0 && errno != EINTR))
            return ORR_HEARD_END;
        channel->used += got > 0 ? (size_t)got : 0;
    }
}

/* --- the child --- */

static const double FAREWELL_S = 2;

/* Processes killed by the OOM killer since boot; -1: unknown. */
static long long count_oom_kills(void)
{
    FILE *file = fopen("/proc/vmstat", "re");
    char line[128];
    long long kills = -1;
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "oom_kill ", 9))
            kills = atoll(line + 9);
    if (file)
        fclose(file);
    return kills;
}

/* Moves what is inherited to 3, 4 ...; above first, since a number may be wanted by another. */
enum { MOST_INHERITED = 8 };
static bool take_inherited(const int *inherited)
{
    int count = 0, above[MOST_INHERITED];
    for (; inherited && inherited[count] >= 0; count++)
        if (count == MOST_INHERITED ||
            (above[count] = fcntl(inherited[count], F_DUPFD_CLOEXEC,
                                  ORR_CHILD_INHERITED + MOST_INHERITED)) < 0)
            return false;
    for (int k = 0; k < count; k++)
        if (dup2(above[k], ORR_CHILD_INHERITED + k) < 0)
            return false;
    return true;
}

/* In the child, between fork and exec: only async-signal-safe calls. The parent handles Ctrl-C. */
static _Noreturn void become_child(const struct orr_child_plan *plan, int socket, int log)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (plan->mask)
        sigprocmask(SIG_SETMASK, plan->mask, NULL);
    /* The OOM killer should take the worker, not its parent. */
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write(fd, "1000", 4) == 4)
        close(fd);
    if (dup2(socket, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
        dup2(log, STDERR_FILENO) < 0 || !take_inherited(plan->inherited))
        _exit(127);
    execl(plan->program, "orrery", plan->role, (char *)NULL);
    _exit(127);
}

int orr_child_start(struct orr_child *out, const struct orr_child_plan *plan)
{
    *out = (struct orr_child){.log = -1, .channel.fd = -1, .oom_kills = -1};
    int pair[2] = {-1, -1};
    out->log = memfd_create("orrery-worker", MFD_CLOEXEC);
    if (out->log < 0 || fcntl(out->log, F_SETFL, O_APPEND) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        goto failed;
    /* OpenMP's threads would spin some 8 ms after a parallel region, and a thread that lost its
     * core on a busy machine waits that long. About 1 ms is still longer than any region. Whoever
     * only waits for a worker must not spin beside it. */
    setenv("GOMP_SPINCOUNT", strcmp(plan->role, "__worker") ? "0" : "20000", 1);
    out->pid = orr_process_fork();
    if (!out->pid)
        become_child(plan, pair[1], out->log);
    if (out->pid < 0)
        goto failed;
    close(pair[1]);
    orr_child_channel_init(&out->channel, pair[0]);
    out->channel.peer = orr_process_watch(out->pid);
    return 0;
failed:
    orr_fail(ORR_EIO, "cannot start a worker process: %s", strerror(errno));
    for (int k = 0; k < 2; k++)
        if (pair[k] >= 0)
            close(pair[k]);
    if (out->log >= 0)
        close(out->log);
    *out = (struct orr_child){.log = -1, .channel.fd = -1};
    return ORR_EIO;
}

json_int_t orr_child_random(void)
{
    json_int_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        number = (json_int_t)(1e9 * orr_clock_now());
    return number;
}

int orr_child_take_socket(struct orr_channel *out, const char *role)
{
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
        null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0)
        return orr_fail(ORR_EUSAGE, "%s is started by the program itself, not by hand", role);
    close(null);
    orr_child_channel_init(out, fd);
    return 0;
}

bool orr_child_has_more(const struct orr_child *child)
{
    struct pollfd wanted = {.fd = child->channel.fd, .events = POLLIN};
    return child->pid > 0 && (child->channel.used || poll(&wanted, 1, 0) > 0);
}

/* What a user can do about an end like this one; "" where nobody knows. */
static void say_remedy(char *out, size_t size, int status, const char *words)
{
    enum { FEW_FILES = 256, COULD_NOT_START = 127 };
    struct rlimit files;
    *out = '\0';
    if (WIFEXITED(status) && WEXITSTATUS(status) == COULD_NOT_START &&
        !getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < FEW_FILES)
        snprintf(out, size,
                 "; it may have no more than %ju files open, which are too few: `ulimit "
                 "-n 1024` before the run",
                 (uintmax_t)files.rlim_cur);
    else if (strstr(words, "missing symbols in the kernel binary"))
        orr_device_pocl_advice(out, size, "; ");
}

static const char *say_how_it_ended(const struct orr_child *child, int status, char *reason,
                                    size_t size)
{
    bool starved = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && child->oom_kills >= 0 &&
                   count_oom_kills() > child->oom_kills;
    char words[256], remedy[512];
    orr_process_last_words(child->log, words, sizeof words);
    say_remedy(remedy, sizeof remedy, status, words);
    const char *joint = *words ? "; last words: " : "";
    if (starved)
        snprintf(reason, size, "no memory: the system killed the worker%s%s", joint, words);
    else if (WIFSIGNALED(status))
        snprintf(reason, size, "crashed: SIG%s%s%s%s", sigabbrev_np(WTERMSIG(status)), remedy,
                 joint, words);
    else
        snprintf(reason, size, "crashed: the worker ended with status %d%s%s%s",
                 WEXITSTATUS(status), remedy, joint, words);
    return starved ? "no memory" : "crashed";
}

/* Kills it unless it has ended, and says how it ended. */
static void reap(struct orr_child *child, char *reason, size_t size)
{
    const char *lost = "crashed";
    snprintf(reason, size, "crashed");
    if (child->pid > 0) {
        int status = 0;
        /* A crashing one gets a moment, or our SIGKILL would hide its signal. */
        orr_process_wait(child->pid, 0.2);
        if (orr_process_reap(child->pid, &status))
            lost = say_how_it_ended(child, status, reason, size);
        else
            snprintf(reason, size, "crashed: the worker does not end");
    }
    orr_child_channel_close(&child->channel);
    if (child->log >= 0)
        close(child->log);
    *child = (struct orr_child){.lost = lost, .log = -1, .channel.fd = -1};
}

static enum orr_heard hear(struct orr_child *child, json_t *request,
                           const struct orr_child_wait *wait, json_t **answer)
{
    const double deadline = wait->timeout_s > 0 ? orr_clock_now() + wait->timeout_s : INFINITY;
    const json_int_t id = orr_child_random(); /* or what was not asked for would answer, too */
    json_object_set_new(request, "id", json_integer(id));
    if (!child->asked++)
        child->oom_kills = count_oom_kills();
    int ignored = ftruncate(child->log, 0);
    (void)ignored;
    if (orr_child_channel_send(&child->channel, request))
        return ORR_HEARD_END;
    for (;;) {
        enum orr_heard heard =
            orr_child_channel_receive(&child->channel, deadline, wait->signals, answer);
        const bool ours = orr_json_integer(*answer, "to") == id,
                   partial = orr_json_is(*answer, "say", "partial");
        if (heard != ORR_HEARD_MESSAGE || (ours && !partial))
            return heard;
        if (ours && wait->partial) /* else from who knows whom */
            wait->partial(*answer, wait->context);
        json_decref(*answer);
    }
}

int orr_child_ask(struct orr_child *child, json_t *request, const struct orr_child_wait *wait,
                  json_t **answer)
{
    char reason[512];
    *answer = NULL;
    enum orr_heard heard = hear(child, request, wait, answer);
    if (heard == ORR_HEARD_SIGNAL)
        return orr_fail(ORR_EINTERRUPTED, "interrupted");
    if (heard == ORR_HEARD_MESSAGE)
        return orr_child_judge_answer(*answer);
    reap(child, reason, sizeof reason);
    orr_error_clear();
    if (heard == ORR_HEARD_NOISE)
        return orr_fail(ORR_EINTERNAL, "crashed: the worker's answer is damaged");
    if (heard == ORR_HEARD_END)
        return orr_fail(!strcmp(child->lost, "no memory") ? ORR_EMEMORY : ORR_EINTERNAL, "%s",
                        reason);
    child->lost = "timed out";
    return orr_fail(ORR_EDEVICE, "no result within %g s; --timeout S allows more", wait->limit_s);
}

void orr_child_shutdown(struct orr_child *child, bool busy)
{
    char reason[512];
    if (child->pid > 0 && busy)
        kill(child->pid, SIGKILL);
    if (child->pid > 0 && !busy) {
        if (orr_child_channel_send(&child->channel, json_pack("{s:s}", "ask", "quit")))
            orr_error_clear();
        orr_process_wait(child->pid, FAREWELL_S);
    }
    reap(child, reason, sizeof reason);
    child->lost = NULL;
}
