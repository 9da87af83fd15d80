#include "plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"

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

/* What is read at once. */
enum { CHUNK = 4096 };

/* Up to the end of the line. fgets does not say how much it read, and NUL may be among it: what it
 * leaves behind its own NUL is none. */
static size_t read_chunk(char *to, FILE *from)
{
    memset(to, '\n', CHUNK);
    if (!fgets_unlocked(to, CHUNK, from)) {
        *to = '\0';
        return 0;
    }
    const char *end = memrchr(to, '\0', CHUNK);
    return end ? (size_t)(end - to) : 0;
}

int orr_plain_file_line(char **line, size_t *room, size_t *length, FILE *from, size_t limit)
{
    size_t more;
    *length = 0;
    do {
        if (*length + CHUNK > *room)
            *line = orr_memory_more(*line, *room = 2 * (*length + CHUNK));
        more = read_chunk(*line + *length, from);
        *length += more;
        if (*length > limit)
            return orr_fail(ORR_EINPUT, "the line is too long");
    } while (more && (*line)[*length - 1] != '\n');
    return *length > 0;
}
