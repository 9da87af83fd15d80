#include "program_output.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"

extern char **environ;

static char *read_all(int from)
{
    char piece[4096], *all = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&all, &size);
    for (ssize_t length; text && (length = read(from, piece, sizeof piece)) > 0;)
        fwrite(piece, 1, (size_t)length, text);
    if (text)
        fclose(text);
    return all;
}

int orr_program_output(char **out, char *const arguments[])
{
    int ends[2];
    pid_t child;
    *out = NULL;
    if (pipe2(ends, O_CLOEXEC))
        return orr_fail(ORR_EINTERNAL, "cannot make a pipe: %s", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int status = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *out = status ? NULL : read_all(ends[0]);
    close(ends[0]);
    if (status)
        return orr_fail(ORR_EUNSUPPORTED, "there is no %s here: %s", arguments[0],
                        strerror(status));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!*out)
        return orr_fail(ORR_EMEMORY, "no memory for what %s says", arguments[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
