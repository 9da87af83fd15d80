# A file system without locks, as NFS without its daemon and Lustre without -o flock.
cat >nolocks.c <<'END'
#include <errno.h>
int flock(int fd, int how) { (void)fd, (void)how; errno = ENOLCK; return -1; }
END
gcc -shared -fPIC -o nolocks.so nolocks.c
