/* SPDX-License-Identifier: MIT */
#include "ranks/rank_set.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "process.h"
#include "ranks/rank_launch.h"
#include "ranks/rank_merge.h"
#include "version.h"

/* MPI looks for networks and devices. */
static const double START_S = 60;
/* Others may be in a collective verb that the one that failed never enters. */
static const double AFTER_FAILURE_S = 2;
static const double FAREWELL_S = 2;
/* On a busy machine the launcher takes seconds to tell by which signal a rank ended. */
static const double LAST_WORDS_S = 5;

/* --- logs --- */

/* The end of the text, without control characters. */
static void end_of_log(int log, char *out, size_t size)
{
    off_t end = log >= 0 ? lseek(log, 0, SEEK_END) : 0,
          start = end >= (off_t)size ? end - (off_t)size + 1 : 0;
    ssize_t length = end > 0 ? pread(log, out, size - 1, start) : 0;
    out[length > 0 ? length : 0] = '\0';
}

/* The last line that says something: Open MPI frames its own with dashes. */
static void last_words(int log, char *out, size_t size)
{
    char tail[2048], *line = NULL;
    end_of_log(log, tail, sizeof tail);
    *out = '\0';
    while ((line = strrchr(tail, '\n')) || *tail) {
        char *words = line ? line + 1 : tail;
        if (strspn(words, " -\t\r") < strlen(words) && strncmp(words, "[", 1)) {
            snprintf(out, size, "%.240s", words);
            break;
        }
        *(line ? line : tail) = '\0';
    }
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

/* "signal 9" of mpirun's sentence, which it may break anywhere. */
static int signal_named(const char *text)
{
    const char *at = strstr(text, " on");
    int number = 0;
    while (at && sscanf(at, " on signal %d", &number) != 1)
        at = strstr(at + 1, " on");
    return number;
}

/* Of srun, which knows signals by what strsignal() calls them. */
static int signal_called(const char *text)
{
    for (int number = 1; number < NSIG; number++) {
        const char *name = sigdescr_np(number);
        if (name && !strncmp(text, name, strlen(name)))
            return number;
    }
    return 0;
}

int orr_rank_set_blamed(const char *text, int *number)
{
    const char *rank = strstr(text, "process rank "), *task = strstr(text, ": task ");
    int of = -1, used = 0;
    *number = 0;
    if (rank && sscanf(rank, "process rank %d", &of) == 1)
        *number = signal_named(rank);
    else if (task && sscanf(task, ": task %d: %n", &of, &used) == 1 && used)
        *number = signal_called(task + used);
    return of;
}

/* --- start --- */

/* An address of this machine's, which no file holds and nobody guesses. */
static int listen_at(char name[64], int size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
        used = sprintf(name, "orrery-%016llx%016llx", (unsigned long long)orr_child_random(),
                       (unsigned long long)orr_child_random());
    memcpy(address.sun_path + 1, name, (size_t)used);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)used);
    if (fd >= 0 && !bind(fd, (struct sockaddr *)&address, length) && !listen(fd, size))
        return fd;
    orr_fail(ORR_EIO, "cannot listen for ranks: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static int make_board(struct orr_rank_set *set)
{
    set->board_fd = memfd_create("orrery-ranks", MFD_CLOEXEC);
    void *board = MAP_FAILED;
    if (set->board_fd >= 0 && !ftruncate(set->board_fd, sizeof *set->board))
        board =
            mmap(NULL, sizeof *set->board, PROT_READ | PROT_WRITE, MAP_SHARED, set->board_fd, 0);
    set->log = memfd_create("orrery-mpirun", MFD_CLOEXEC);
    if (board == MAP_FAILED || set->log < 0 || fcntl(set->log, F_SETFL, O_APPEND))
        return orr_fail(ORR_EIO, "cannot make memory for ranks: %s", strerror(errno));
    set->board = board;
    return 0;
}

/* Hands a rank what it inherits: bodies, results, board, and where its stderr goes. */
static int hand_over(int fd, const struct orr_rank_plan *plan, int board, int log)
{
    enum { HANDED = 4 };
    const int files[HANDED] = {plan->bodies_fd, plan->results_fd, board, log};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof files)];
    } control = {0};
    char one = 0;
    struct iovec data = {&one, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof files), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), files, sizeof files);
    return sendmsg(fd, &message, MSG_NOSIGNAL) == 1
               ? 0
               : orr_fail(ORR_EIO, "cannot reach a rank: %s", strerror(errno));
}

static bool is_ours(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) && peer.uid == geteuid();
}

/* Whether what a rank says of itself fits what was started; its number, or a code. */
static int check_hello(const json_t *hello, int size)
{
    int rank = (int)orr_json_integer(hello, "rank"), said = (int)orr_json_integer(hello, "size");
    const char *failed = orr_json_text(hello, "failed"), *build = orr_json_text(hello, "build");
    if (failed)
        return orr_fail(ORR_EUNSUPPORTED, "%s", failed);
    if (said == 1 && size > 1)
        return orr_fail(ORR_EUNSUPPORTED,
                        "%d ranks were started, but each takes itself for the only one: the MPI "
                        "of liborrery_mpi.so (%s) is not that of mpirun",
                        size, orr_json_text(hello, "library"));
    if (said != size || rank < 0 || rank >= size)
        return orr_fail(ORR_EIO, "a rank says that it is %d of %d, where %d were started", rank,
                        said, size);
    if (!build || strcmp(build, ORR_VERSION " " ORR_GIT_COMMIT))
        return orr_fail(ORR_EUNSUPPORTED, "rank %d is another build of orrery: %s, not %s", rank,
                        build ? build : "", ORR_VERSION " " ORR_GIT_COMMIT);
    return rank;
}

/* One more that is there; 1, 0 where it was another program's. */
static int accept_rank(struct orr_rank_set *set, const struct orr_rank_plan *plan, int listening,
                       int place)
{
    int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 || !is_ours(fd)) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    int log = memfd_create("orrery-rank", MFD_CLOEXEC);
    orr_child_channel_init(&set->ranks[place].channel, fd);
    set->ranks[place].log = log;
    if (log < 0 || fcntl(log, F_SETFL, O_APPEND))
        return orr_fail(ORR_EIO, "cannot make a file for a rank: %s", strerror(errno));
    int code = hand_over(fd, plan, set->board_fd, log);
    return code ? code : 1;
}

/* All of them, or the launcher ended. MPI starts in each when it has started in all. */
static int accept_ranks(struct orr_rank_set *set, const struct orr_rank_plan *plan, int listening,
                        double deadline)
{
    struct pollfd wanted[2] = {{.fd = listening, .events = POLLIN},
                               {.fd = orr_process_watch(set->launcher), .events = POLLIN}};
    int code = 0, there = 0;
    char words[256];
    while (code >= 0 && there < plan->size) {
        double left = deadline - orr_clock_now();
        if (left <= 0 || poll(wanted, 2, (int)ceil(1e3 * left)) == 0) {
            code = orr_fail(ORR_EDEVICE, "%d of %d ranks came up", there, plan->size);
        } else if (wanted[0].revents) {
            code = accept_rank(set, plan, listening, there);
            there += code > 0;
        } else if (wanted[1].revents) {
            last_words(set->log, words, sizeof words);
            code = orr_fail(ORR_EIO, "the ranks do not start%s%s", *words ? ": " : "", words);
        }
    }
    if (wanted[1].fd >= 0)
        close(wanted[1].fd);
    return code < 0 ? code : 0;
}

static void forget(json_t *answers[], int size)
{
    for (int k = 0; k < size; k++) {
        json_decref(answers[k]);
        answers[k] = NULL;
    }
}

/* One of those that have not answered has something; -1: none within the time. */
static int wait_for_any(const struct orr_rank_set *set, json_t *const answers[], double deadline)
{
    struct pollfd wanted[2 * ORR_MAX_RANKS];
    for (int k = 0; k < set->size; k++) {
        const struct orr_channel *channel = &set->ranks[k].channel;
        struct pollfd *both = wanted + (size_t)2 * (size_t)k;
        both[0] = (struct pollfd){.fd = answers[k] ? -1 : channel->fd, .events = POLLIN};
        both[1] = (struct pollfd){.fd = answers[k] ? -1 : channel->peer, .events = POLLIN};
    }
    for (;;) {
        double left = fmin(deadline - orr_clock_now(), 1e5);
        if (left <= 0)
            return -1;
        if (poll(wanted, 2 * (nfds_t)set->size, (int)ceil(1e3 * left)) <= 0)
            continue;
        for (int k = 0; k < 2 * set->size; k++)
            if (wanted[k].revents)
                return k / 2;
    }
}

/* The number of the rank that came in that place, or a code. */
static int hear_hello(struct orr_rank_set *set, json_t **hello, int place, double deadline)
{
    char words[256];
    enum orr_heard heard =
        orr_child_channel_receive(&set->ranks[place].channel, deadline, -1, hello);
    if (heard == ORR_HEARD_MESSAGE)
        return check_hello(*hello, set->size);
    last_words(set->ranks[place].log, words, sizeof words);
    return orr_fail(ORR_EIO, "a rank does not come up%s%s", *words ? ": " : "", words);
}

/* Puts those that came in some order into that of their ranks. Any of them may be the one that
 * fails, while the others wait for it in MPI. */
static int order_ranks(struct orr_rank_set *set, double deadline)
{
    json_t *hellos[ORR_MAX_RANKS] = {NULL};
    struct orr_rank_set ordered = *set;
    bool known[ORR_MAX_RANKS] = {false};
    int code = 0;
    for (int left = set->size; left; left--) {
        int place = wait_for_any(set, hellos, deadline);
        int rank =
            place < 0 ? orr_fail(ORR_EDEVICE, "%d of %d ranks came up", set->size - left, set->size)
                      : hear_hello(set, &hellos[place], place, deadline);
        if (rank >= 0 && known[rank])
            rank = orr_fail(ORR_EIO, "two ranks say that they are %d", rank);
        code = rank < 0 ? rank : 0;
        if (code)
            break;
        known[rank] = true;
        set->ranks[place].channel.peer =
            orr_process_watch((pid_t)orr_json_integer(hellos[place], "pid"));
        ordered.ranks[rank] = set->ranks[place];
    }
    forget(hellos, set->size);
    if (!code)
        *set = ordered;
    return code;
}

int orr_rank_set_start(struct orr_rank_set **out, const struct orr_rank_plan *plan)
{
    struct orr_rank_launch launch;
    char name[64];
    struct orr_rank_set *set = *out = orr_memory_get(sizeof *set);
    set->size = plan->size;
    set->log = set->lost = set->board_fd = -1;
    for (int k = 0; k < ORR_MAX_RANKS; k++) {
        orr_child_channel_init(&set->ranks[k].channel, -1);
        set->ranks[k].log = -1;
    }
    double deadline = fmin(plan->deadline, orr_clock_now() + START_S);
    int listening = -1;
    bool failed = orr_rank_launch_check() || (listening = listen_at(name, plan->size)) < 0 ||
                  orr_rank_launch_plan(&launch, plan->size, name) || make_board(set) ||
                  orr_rank_launch_start(&set->launcher, &launch, set->log) ||
                  accept_ranks(set, plan, listening, deadline) || order_ranks(set, deadline);
    if (listening >= 0)
        close(listening);
    if (failed)
        orr_rank_set_reap(out, ORR_HEARD_END, NULL, 0);
    return failed ? orr_error_failed() : 0;
}

/* --- asking --- */

static enum orr_heard collect(struct orr_rank_set *set, json_int_t id, double deadline,
                              json_t *answers[])
{
    int missing = set->size;
    double until = deadline;
    while (missing) {
        int rank = wait_for_any(set, answers, until);
        json_t *message = NULL;
        enum orr_heard heard =
            rank < 0 ? ORR_HEARD_TIMEOUT
                     : orr_child_channel_receive(&set->ranks[rank].channel, until, -1, &message);
        if (heard != ORR_HEARD_MESSAGE) {
            set->lost = rank;
            for (int k = 0; k < set->size; k++)
                set->unanswered |= answers[k] ? 0 : (uint64_t)1 << k;
            return heard;
        }
        if (orr_json_integer(message, "to") != id) {
            json_decref(message);
            continue;
        }
        if (orr_json_is(message, "say", "failed"))
            until = fmin(until, orr_clock_now() + AFTER_FAILURE_S);
        answers[rank] = message;
        missing--;
    }
    return ORR_HEARD_MESSAGE;
}

/* The first that failed, as if all had. */
static bool has_failed(json_t *answers[], int size)
{
    for (int k = 0; k < size; k++)
        if (orr_json_is(answers[k], "say", "failed"))
            return true;
    return false;
}

/* Sends `request` to all (takes the reference) and waits for all answers. Once one says "failed",
 * the others get a moment: those that are late then have none. */
static enum orr_heard ask_all(struct orr_rank_set *set, json_t *request, double deadline,
                              json_t *answers[])
{
    const json_int_t id = orr_child_random();
    json_object_set_new(request, "id", json_integer(id));
    set->lost = -1;
    set->unanswered = 0;
    enum orr_heard heard = ORR_HEARD_MESSAGE;
    for (int k = 0; k < set->size; k++) {
        answers[k] = NULL;
        int ignored = ftruncate(set->ranks[k].log, 0);
        (void)ignored;
        if (orr_child_channel_send(&set->ranks[k].channel, json_incref(request))) {
            orr_error_clear();
            set->lost = set->lost < 0 ? k : set->lost;
            heard = ORR_HEARD_END;
        }
    }
    json_decref(request);
    if (heard == ORR_HEARD_MESSAGE)
        heard = collect(set, id, deadline, answers);
    /* What failed says more than who waits for it in vain. */
    if (heard == ORR_HEARD_TIMEOUT && has_failed(answers, set->size))
        return ORR_HEARD_MESSAGE;
    return heard;
}

/* Ranks that do not fit together must not serve another cell. */
static json_t *misfits(void)
{
    json_t *answer = json_pack("{s:s, s:i, s:s, s:b}", "say", "failed", "code", orr_error_code(),
                               "text", orr_error_text(), "lost", 1);
    orr_error_clear();
    return answer;
}

enum orr_heard orr_rank_set_ask(struct orr_rank_set **of, json_t *request, double deadline,
                                json_t **answer)
{
    struct orr_rank_set *set = *of;
    json_t *answers[ORR_MAX_RANKS], *asked = json_incref(request);
    const int size = set->size;
    enum orr_heard heard = ask_all(set, request, deadline, answers);
    *answer = NULL;
    if (heard == ORR_HEARD_MESSAGE) {
        bool stuck = false; /* a rank still waits for the one that failed */
        for (int k = 0; k < size; k++)
            stuck = stuck || !answers[k];
        *answer = orr_rank_merge(orr_json_text(asked, "ask"), answers, size);
        if (!*answer)
            *answer = misfits();
        if (stuck)
            orr_rank_set_reap(of, ORR_HEARD_TIMEOUT, NULL, 0);
    }
    forget(answers, size);
    json_decref(asked);
    return heard;
}

bool orr_rank_set_has_more(const struct orr_rank_set *set)
{
    for (int k = 0; k < set->size; k++) {
        struct pollfd wanted = {.fd = set->ranks[k].channel.fd, .events = POLLIN};
        if (set->ranks[k].channel.used || poll(&wanted, 1, 0) > 0)
            return true;
    }
    return false;
}

/* --- the end --- */

/* Those of `unanswered` that entered other than that many exchanges; whether there are any. */
static bool list_ranks(char *out, size_t room, const struct orr_ranks_board *board, int size,
                       uint64_t unanswered, uint64_t but)
{
    size_t used = 0;
    *out = '\0';
    for (int k = 0; k < size && used < room; k++)
        if (unanswered >> k & 1 && atomic_load(&board->ranks[k].entered) != but)
            used += (size_t)snprintf(out + used, room - used, "%srank %d", used ? ", " : "", k);
    return used && used < room;
}

void orr_rank_set_tell_hung(char *out, size_t room, const struct orr_ranks_board *board, int size,
                            uint64_t unanswered)
{
    uint64_t most = 0;
    int first = -1;
    for (int k = 0; k < size; k++) {
        uint64_t entered = atomic_load(&board->ranks[k].entered);
        if (first < 0 || entered > most) {
            most = entered;
            first = k;
        }
    }
    const uint64_t all = size < 64 ? ((uint64_t)1 << size) - 1 : UINT64_MAX;
    const bool behind = list_ranks(out, room, board, size, unanswered, most);
    size_t used = strlen(out);
    if (behind)
        snprintf(out + used, room - used,
                 " did not come to exchange %llu (%.23s), where rank %d waits",
                 (unsigned long long)most, board->ranks[first].what, first);
    else if (atomic_load(&board->ranks[first].left) < most)
        snprintf(out, room, "all ranks are in exchange %llu (%.23s)", (unsigned long long)most,
                 board->ranks[first].what);
    else if ((unanswered & all) != all &&
             list_ranks(out, room, board, size, unanswered, UINT64_MAX))
        snprintf(out + strlen(out), room - strlen(out), " gave no answer, where the others did");
    else
        snprintf(out, room, "no rank is in an exchange");
}

static void tell_crash(struct orr_rank_set *set, char *reason, size_t size)
{
    char text[2048], words[256] = "";
    int number, blamed;
    end_of_log(set->log, text, sizeof text);
    blamed = orr_rank_set_blamed(text, &number);
    int rank = blamed >= 0 && blamed < set->size ? blamed : set->lost;
    if (rank >= 0)
        last_words(set->ranks[rank].log, words, sizeof words);
    int used = snprintf(reason, size, "crashed: rank %d of %d", rank, set->size);
    if (number > 0 && sigabbrev_np(number))
        used += snprintf(reason + used, size - (size_t)used, ", SIG%s", sigabbrev_np(number));
    if (*words)
        snprintf(reason + used, size - (size_t)used, "; last words: %s", words);
}

/* The launcher gets a moment to tell how a rank ended, and to remove its files. */
static void end_launcher(struct orr_rank_set *set, bool wait_first)
{
    int status;
    if (set->launcher <= 0)
        return;
    if (!wait_first || !orr_process_wait(set->launcher, LAST_WORDS_S)) {
        kill(set->launcher, SIGTERM);
        orr_process_wait(set->launcher, FAREWELL_S);
    }
    orr_process_reap(set->launcher, &status);
    set->launcher = 0;
}

void orr_rank_set_reap(struct orr_rank_set **of, enum orr_heard heard, char *reason, size_t size)
{
    struct orr_rank_set *set = *of;
    if (reason && heard == ORR_HEARD_TIMEOUT)
        orr_rank_set_tell_hung(reason, size, set->board, set->size, set->unanswered);
    end_launcher(set, heard == ORR_HEARD_END);
    if (reason && heard != ORR_HEARD_TIMEOUT)
        tell_crash(set, reason, size);
    for (int k = 0; k < set->size; k++) {
        orr_child_channel_close(&set->ranks[k].channel);
        if (set->ranks[k].log >= 0)
            close(set->ranks[k].log);
    }
    if (set->board)
        munmap(set->board, sizeof *set->board);
    if (set->board_fd >= 0)
        close(set->board_fd);
    if (set->log >= 0)
        close(set->log);
    free(set);
    *of = NULL;
}

void orr_rank_set_shutdown(struct orr_rank_set **of)
{
    struct orr_rank_set *set = *of;
    for (int k = 0; k < set->size; k++)
        if (orr_child_channel_send(&set->ranks[k].channel, json_pack("{s:s}", "ask", "quit")))
            orr_error_clear();
    orr_rank_set_reap(of, ORR_HEARD_END, NULL, 0);
}
