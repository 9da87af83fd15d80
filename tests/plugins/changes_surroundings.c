/* An accident: changes what a process has for itself - its folder, its environment, the limits on
 * its files and descriptors. Right all the same, and no other cell notices. */
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cheats.h"

static int step(struct orr_job *job)
{
    struct rlimit files, descriptors;
    if (chdir("/") || clearenv() || getrlimit(RLIMIT_FSIZE, &files) ||
        getrlimit(RLIMIT_NOFILE, &descriptors))
        return ORR_FAIL(job, ORR_EIO, "nothing can be changed");
    umask(0777);
    files.rlim_cur = 0;
    descriptors.rlim_cur = 64;
    if (setrlimit(RLIMIT_FSIZE, &files) || setrlimit(RLIMIT_NOFILE, &descriptors))
        return ORR_FAIL(job, ORR_EIO, "no limit can be set");
    return sums_step(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/changes_surroundings",
                                        .step = step};
