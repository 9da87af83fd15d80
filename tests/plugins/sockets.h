/* Says the same for ever to every socket that a plugin finds. */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>

static inline void talk(const char *text, size_t size)
{
    struct stat what;
    for (bool heard = true; heard;) {
        heard = false;
        for (int fd = 3; fd < 64; fd++)
            if (!fstat(fd, &what) && S_ISSOCK(what.st_mode))
                heard |= send(fd, text, size, MSG_NOSIGNAL) > 0;
    }
}

#endif
