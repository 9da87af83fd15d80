/* SPDX-License-Identifier: MIT */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"
#include "process.h"
#include "memory.h"
#include "paths.h"

static const char ASKED[] = "ORRERY_SANDBOX", FOLDER[] = "ORRERY_SANDBOX_FOLDER";
static bool entered;
static char own_folder[PATH_MAX]; /* of the command */

void orr_sandbox_ask(void)
{
    setenv(ASKED, "1", 1);
}

bool orr_sandbox_is_asked(void)
{
    const char *asked = getenv(ASKED);
    return asked && *asked;
}

bool orr_sandbox_holds(void)
{
    return entered || !orr_sandbox_is_asked();
}

/* --- files: Landlock --- */

/* Headers of older kernels lack these; system calls from 424 up have one number everywhere. */
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 };
enum {
    FILE_REFER = 1 << 13,     /* since version 2 */
    FILE_TRUNCATE = 1 << 14,  /* 3 */
    FILE_IOCTL_DEV = 1 << 15, /* 5 */
    SCOPE_SIGNAL = 1 << 1     /* 6 */
};
struct ruleset {
    uint64_t files, network, scopes;
};

enum {
    READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    /* An open file; the rest is about folders. */
    ON_FILES = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
               LANDLOCK_ACCESS_FS_EXECUTE | FILE_TRUNCATE | FILE_IOCTL_DEV,
    DEVICE = READ | LANDLOCK_ACCESS_FS_WRITE_FILE | FILE_IOCTL_DEV,
    RUN = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE,
    /* A plugin's own folder takes files, but no links, pipes, sockets and devices. */
    OWN = READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
          LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
          LANDLOCK_ACCESS_FS_MAKE_REG | FILE_REFER | FILE_TRUNCATE,
    EVERYTHING = 0x1fff
};

/* Patterns; what is not there is passed over. Landlock itself keeps environment and memory of
 * others from /proc. */
static const struct {
    const char *paths;
    int access;
} allowed[] = {
    {"{/usr,/lib*,/opt,/proc,/sys,/dev/{zero,random,urandom}}", READ},
    {"/etc/{ld.so.*,OpenCL,nvidia*,os-release,debian_version,localtime}", READ},
    /* CUDA's driver names its threads by their files here; what else a process can write of itself
     * there it has in hand anyway. */
    {"/proc/self/task", READ | LANDLOCK_ACCESS_FS_WRITE_FILE | FILE_TRUNCATE},
    {"/dev/{null,nvidia*,dri,kfd}", DEVICE},
    /* PoCL links its kernels by the linker, which the loader starts. */
    {"{/usr/bin/ld,/lib*/ld-linux-*.so*}", RUN},
};

/* The version of the kernel's Landlock; 0: none. */
static int landlock_version(void)
{
    long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

/* Rights that a kernel does not know stay zero, which it accepts. */
static struct ruleset handled(int version)
{
    return (struct ruleset){.files = EVERYTHING | (version >= 2 ? FILE_REFER : 0) |
                                     (version >= 3 ? FILE_TRUNCATE : 0) |
                                     (version >= 5 ? FILE_IOCTL_DEV : 0),
                            .scopes = version >= 6 ? SCOPE_SIGNAL : 0};
}

/* What is not there cannot be reached either. */
static int allow(int rules, const struct ruleset *all, const char *path, int access)
{
    struct stat about;
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return 0;
    uint64_t granted = (uint64_t)access & all->files;
    if (fstat(fd, &about) || !S_ISDIR(about.st_mode))
        granted &= ON_FILES;
    const struct landlock_path_beneath_attr rule = {.allowed_access = granted, .parent_fd = fd};
    const long failed = syscall(LANDLOCK_ADD, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
    return failed ? orr_fail(ORR_EUNSUPPORTED, "Landlock: %s: %s", path, strerror(errno)) : 0;
}

static int allow_pattern(int rules, const struct ruleset *all, const char *pattern, int access)
{
    glob_t found;
    int code = 0;
    if (glob(pattern, GLOB_NOSORT | GLOB_BRACE, NULL, &found))
        return 0;
    for (size_t k = 0; !code && k < found.gl_pathc; k++)
        code = allow(rules, all, found.gl_pathv[k], access);
    globfree(&found);
    return code;
}

/* Folders in an environment variable, with colons between. */
static int allow_list(int rules, const struct ruleset *all, const char *variable)
{
    const char *value = getenv(variable);
    char *copy = orr_memory_text(value ? value : ""), *rest = copy, *folder;
    int code = 0;
    while (!code && (folder = strsep(&rest, ":")))
        if (*folder == '/')
            code = allow(rules, all, folder, READ);
    free(copy);
    return code;
}

static int allow_all(int rules, const struct ruleset *all)
{
    char path[PATH_MAX];
    const char *own = getenv(FOLDER);
    bool failed = orr_paths_program(path, sizeof path) || allow(rules, all, path, READ) ||
                  orr_paths_plugins(path, sizeof path) || allow(rules, all, path, READ) ||
                  allow_list(rules, all, "LD_LIBRARY_PATH") ||
                  allow_list(rules, all, "OCL_ICD_VENDORS") || (own && allow(rules, all, own, OWN));
    for (size_t k = 0; !failed && k < sizeof allowed / sizeof *allowed; k++)
        failed = allow_pattern(rules, all, allowed[k].paths, allowed[k].access);
    return failed ? orr_error_failed() : 0;
}

static int restrict_files(void)
{
    int version = landlock_version();
    struct ruleset all = handled(version);
    if (!version)
        return orr_fail(ORR_EUNSUPPORTED,
                        "this kernel has no Landlock (Linux 5.13 and later, unless switched off)");
    int rules = (int)syscall(LANDLOCK_CREATE, &all, sizeof all, 0);
    if (rules < 0)
        return orr_fail(ORR_EUNSUPPORTED, "Landlock: %s", strerror(errno));
    int code = allow_all(rules, &all);
    if (!code && syscall(LANDLOCK_RESTRICT, rules, 0))
        code = orr_fail(ORR_EUNSUPPORTED, "Landlock: %s", strerror(errno));
    close(rules);
    return code;
}

/* --- system calls: seccomp --- */

#ifdef ORR_HAVE_SECCOMP

#include <seccomp.h>

/* These reach beyond a process and its files without any privilege; Landlock does not see them, or
 * only that of newer kernels. */
static const char *const never[] = {
    "connect", "tkill", "pidfd_send_signal",
    /* memory of others */
    "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "shmget", "shmat", "msgget",
    "semget", "mq_open", "mq_unlink",
    /* what is written without opening a file */
    "truncate", "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "setxattr",
    "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "utime", "utimes",
    "futimesat", "utimensat",
    /* ways around all this, and parts of the kernel that no variant needs */
    "unshare", "setns", "add_key", "request_key", "keyctl", "bpf", "userfaultfd",
    "open_by_handle_at"};
/* fchmodat2, setxattrat, removexattrat and file_setattr, which not every libseccomp knows. They
 * have one number everywhere. */
static const int newer[] = {452, 463, 466, 469};
/* These look as if the kernel lacked them, so that the C library takes others: their flags lie in
 * memory, and what io_uring is asked to do is not filtered. */
static const char *const absent[] = {"openat2", "clone3", "io_uring_setup"};

enum {
#ifdef __s390x__
    CLONE_FLAGS = 1,
#else
    CLONE_FLAGS = 0,
#endif
    TYPE_OF_SOCKET = 0xf,
    OWNER_OF_SOCKET = 0x8901, /* FIOSETOWN */
    GROUP_OF_SOCKET = 0x8902, /* SIOCSPGRP */
    /* Opened to read, and yet truncated. */
    TRUNCATES = O_TRUNC | O_ACCMODE
};
#define SELF UINT64_MAX /* this process */
#define IS SCMP_CMP_MASKED_EQ
#define IS_NOT SCMP_CMP_NE

/* Refused where an argument is `value`, or where its bits of `value` are `bits`. The kernel takes
 * only the lower half of what is masked by 32 bits. */
static const struct refusal {
    const char *call;
    unsigned argument;
    enum scmp_compare compare;
    scmp_datum_t value, bits;
} refusals[] = {
    /* The network, and other processes by sockets. CUDA's driver listens on a local one; those of
     * datagrams send without being connected. */
    {"socket", 0, IS_NOT, AF_UNIX, 0},
    {"socket", 1, IS, TYPE_OF_SOCKET, SOCK_DGRAM},
    {"socket", 1, IS, TYPE_OF_SOCKET, SOCK_RAW},
    {"socketpair", 1, IS, TYPE_OF_SOCKET, SOCK_DGRAM},
    {"socketpair", 1, IS, TYPE_OF_SOCKET, SOCK_RAW},
    /* signals to others, and limits of theirs */
    {"kill", 0, IS_NOT, SELF, 0},
    {"tgkill", 0, IS_NOT, SELF, 0},
    {"rt_sigqueueinfo", 0, IS_NOT, SELF, 0},
    {"rt_tgsigqueueinfo", 0, IS_NOT, SELF, 0},
    {"fcntl", 1, IS, UINT32_MAX, F_SETOWN},
    {"fcntl", 1, IS, UINT32_MAX, F_SETOWN_EX},
    {"ioctl", 1, IS, UINT32_MAX, OWNER_OF_SOCKET},
    {"ioctl", 1, IS, UINT32_MAX, GROUP_OF_SOCKET},
    {"prlimit64", 0, IS_NOT, 0, 0},
    {"openat", 2, IS, TRUNCATES, O_TRUNC},
    {"open", 1, IS, TRUNCATES, O_TRUNC},
    /* namespaces */
    {"clone", CLONE_FLAGS, IS, CLONE_NEWNS, CLONE_NEWNS},
    {"clone", CLONE_FLAGS, IS, CLONE_NEWCGROUP, CLONE_NEWCGROUP},
    {"clone", CLONE_FLAGS, IS, CLONE_NEWUTS, CLONE_NEWUTS},
    {"clone", CLONE_FLAGS, IS, CLONE_NEWIPC, CLONE_NEWIPC},
    {"clone", CLONE_FLAGS, IS, CLONE_NEWUSER, CLONE_NEWUSER},
    {"clone", CLONE_FLAGS, IS, CLONE_NEWPID, CLONE_NEWPID},
    {"clone", CLONE_FLAGS, IS, CLONE_NEWNET, CLONE_NEWNET},
};

static int refuse(scmp_filter_ctx filter, const char *const *calls, size_t count, int error)
{
    int code = 0;
    for (size_t k = 0; !code && k < count; k++) {
        const int number = seccomp_syscall_resolve_name(calls[k]);
        code = number == __NR_SCMP_ERROR
                   ? -ENOSYS
                   : seccomp_rule_add(filter, SCMP_ACT_ERRNO(error), number, 0);
    }
    return code;
}

static int refuse_where(scmp_filter_ctx filter, const struct refusal *r)
{
    scmp_datum_t value = r->value == SELF ? (scmp_datum_t)getpid() : r->value;
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), seccomp_syscall_resolve_name(r->call), 1,
                            SCMP_CMP(r->argument, r->compare, value, r->bits));
}

static int restrict_calls(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    /* Calls of other architectures, x32 among them, have other numbers. */
    int code = filter ? seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS))
                      : -ENOMEM;
    if (!code)
        code = refuse(filter, never, sizeof never / sizeof *never, EPERM);
    if (!code)
        code = refuse(filter, absent, sizeof absent / sizeof *absent, ENOSYS);
    for (size_t k = 0; !code && k < sizeof newer / sizeof *newer; k++)
        code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), newer[k], 0);
    for (size_t k = 0; !code && k < sizeof refusals / sizeof *refusals; k++)
        code = refuse_where(filter, &refusals[k]);
    if (!code && seccomp_load(filter)) /* whose result hides what the kernel said */
        code = -errno;
    seccomp_release(filter);
    return code ? orr_fail(ORR_EUNSUPPORTED, "seccomp: %s", strerror(-code)) : 0;
}

#else

static int restrict_calls(void)
{
    return orr_fail(ORR_EUNSUPPORTED,
                    "this build has no libseccomp; install libseccomp-dev and build again");
}

#endif

/* --- both --- */

/* Even root keeps nothing but its files. */
static int drop_privileges(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &header, none))
        return orr_fail(ORR_EUNSUPPORTED, "cannot give up privileges: %s", strerror(errno));
    return 0;
}

/* Caches of the device layer and of drivers, and whatever else looks for a home. */
static void move_in(const char *folder)
{
    static const char *const homes[][2] = {{"HOME", ""},
                                           {"TMPDIR", ""},
                                           {"XDG_CACHE_HOME", "/cache"},
                                           {"ORRERY_CACHE", "/kernels"},
                                           {"POCL_CACHE_DIR", "/pocl"},
                                           {"CUDA_CACHE_PATH", "/cuda"}};
    char path[PATH_MAX];
    for (size_t k = 0; k < sizeof homes / sizeof *homes; k++) {
        snprintf(path, sizeof path, "%s%s", folder, homes[k][1]);
        setenv(homes[k][0], path, 1);
    }
}

/* Landlock holds for the thread that asks for it and for what that starts. */
static int check_threads(void)
{
    struct stat about;
    if (stat("/proc/self/task", &about))
        return orr_fail(ORR_EUNSUPPORTED, "cannot count threads: /proc: %s", strerror(errno));
    if (about.st_nlink != 3) /* ".", "..", and one thread */
        return orr_fail(ORR_EUNSUPPORTED, "a thread was started before it");
    return 0;
}

int orr_sandbox_enter(void)
{
    if (orr_sandbox_holds())
        return 0;
    const char *folder = getenv(FOLDER);
    if (check_threads() || drop_privileges() || restrict_files() || restrict_calls())
        return orr_error_context("no sandbox");
    if (folder)
        move_in(folder);
    entered = true;
    return 0;
}

/* --- the command --- */

static int try_it(json_t **out, void *context)
{
    (void)context;
    int code = orr_sandbox_enter();
    *out = json_true();
    return code;
}

int orr_sandbox_open(void)
{
    enum { SECONDS = 10 };
    json_auto_t *ignored = NULL;
    if (!orr_sandbox_is_asked() || *own_folder)
        return 0;
    if (orr_forked_probe(&ignored, try_it, NULL, SECONDS) ||
        orr_paths_make_temporary(own_folder, sizeof own_folder, "sandbox-"))
        return orr_error_failed();
    setenv(FOLDER, own_folder, 1);
    return 0;
}

void orr_sandbox_close(void)
{
    orr_paths_remove_temporary(own_folder);
    unsetenv(FOLDER);
}

json_t *orr_sandbox_to_json(void)
{
    return json_sprintf("Landlock %d, seccomp", landlock_version());
}
