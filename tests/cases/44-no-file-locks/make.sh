# A file system without locks, as NFS without lockd is.
cat >noflock.c <<'END'
#include <errno.h>
#include <sys/file.h>
int flock(int fd, int operation)
{
    (void)fd, (void)operation;
    errno = ENOLCK;
    return -1;
}
END
gcc -shared -fPIC -o noflock.so noflock.c
