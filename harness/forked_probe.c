#include "forked_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "json_member.h"

static void silence(void)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* Nothing that the parent has open is lent to what is probed. */
static int close_others(int pipe_end)
{
    enum { PIPE = STDERR_FILENO + 1 };
    if (dup2(pipe_end, PIPE) < 0)
        return pipe_end;
    close_range(PIPE + 1, ~0U, 0);
    return PIPE;
}

/* The child: {"ok": result} or {"code": ..., "text": ...} through the pipe. */
static _Noreturn void serve(int pipe_end, int (*work)(json_t **, void *), void *context,
                            unsigned seconds)
{
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE, SIGILL,
                                SIGALRM, SIGPIPE, SIGINT,  SIGTERM};
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++)
        signal(fatal[k], SIG_DFL);
    silence();
    pipe_end = close_others(pipe_end);
    alarm(seconds);
    orr_error_clear();
    json_t *result = NULL;
    int code = work(&result, context);
    json_t *answer = code ? json_pack("{s:i, s:s}", "code", code, "text", orr_error_text())
                          : json_pack("{s:o}", "ok", result);
    _exit(answer && json_dumpfd(answer, pipe_end, JSON_COMPACT) == 0 ? 0 : 1);
}

static int describe_end(int status, unsigned seconds)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return orr_fail(ORR_EINTERNAL, "did not finish within %u s", seconds);
    if (WIFSIGNALED(status))
        return orr_fail(ORR_EINTERNAL, "crashed: %s", strsignal(WTERMSIG(status)));
    return orr_fail(ORR_EINTERNAL, "ended the process with status %d", WEXITSTATUS(status));
}

static int take_answer(json_t **out, json_t *answer)
{
    json_t *result = json_object_get(answer, "ok");
    if (result) {
        *out = json_incref(result);
        return 0;
    }
    int code = (int)orr_json_integer(answer, "code");
    return orr_fail(code ? code : ORR_EINTERNAL, "%s", orr_json_text(answer, "text"));
}

int orr_forked_probe(json_t **out, int (*work)(json_t **out, void *context), void *context,
                     unsigned seconds)
{
    int ends[2];
    *out = NULL;
    if (pipe2(ends, O_CLOEXEC))
        return orr_fail(ORR_EIO, "cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return orr_fail(ORR_EMEMORY, "cannot start a process: %s", strerror(errno));
    }
    if (child == 0)
        serve(ends[1], work, context, seconds);
    close(ends[1]);
    json_t *answer = json_loadfd(ends[0], JSON_DISABLE_EOF_CHECK, NULL);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    int code = status || !answer ? describe_end(status, seconds) : take_answer(out, answer);
    json_decref(answer);
    return code;
}
