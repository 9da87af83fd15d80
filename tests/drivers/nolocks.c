/* SPDX-License-Identifier: MIT */
/* A file system without locks, as NFS without its daemon and Lustre without -o flock. */
#include <errno.h>
#include <sys/file.h>
int flock(int fd, int operation)
{
    (void)fd, (void)operation;
    errno = ENOLCK;
    return -1;
}
