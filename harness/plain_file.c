#include "plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "error.h"

/* /dev/null has an end, at once, and is commonly named for an empty file. */
static bool is_plain(const struct stat *status)
{
    return S_ISREG(status->st_mode) ||
           (S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3));
}

FILE *orr_plain_file_open(const char *path, const char **why)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *file = NULL;
    if (fd >= 0 && !fstat(fd, &status)) {
        if (is_plain(&status))
            file = fdopen(fd, "rb");
        else
            errno = S_ISDIR(status.st_mode) ? EISDIR : 0;
    }
    if (file)
        return file;
    *why = errno ? strerror(errno) : "it is not a plain file";
    if (fd >= 0)
        close(fd);
    return NULL;
}

static int grow(char **line, size_t *room)
{
    size_t wanted = *room ? 2 * *room : 1024;
    char *more = realloc(*line, wanted);
    if (!more)
        return orr_fail(ORR_EMEMORY, "no memory for a line of %zu bytes", wanted);
    *line = more;
    *room = wanted;
    return 0;
}

int orr_plain_file_line(char **line, size_t *room, size_t *length, FILE *from, size_t limit)
{
    int c;
    *length = 0;
    while ((c = getc_unlocked(from)) != EOF) {
        if (*length == limit)
            return orr_fail(ORR_EINPUT, "the line is too long");
        if (*length + 2 > *room && grow(line, room))
            return ORR_EMEMORY;
        (*line)[(*length)++] = (char)c;
        if (c == '\n')
            break;
    }
    if (*length)
        (*line)[*length] = '\0';
    return *length > 0;
}
