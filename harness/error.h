/* SPDX-License-Identifier: MIT */
/* Errors: every function returns 0 or a negative code; the first message of a failure is kept per
 * thread. */
#ifndef ORR_ERROR_H
#define ORR_ERROR_H

/* Outcome classes. Each maps to one process exit code (orr_error_exit). */
enum orr_code {
    ORR_OK = 0,
    ORR_EUSAGE = -1,        /* the user asked for something that does not exist or does not fit */
    ORR_EINPUT = -2,        /* a file or data set is malformed */
    ORR_EIO = -3,           /* reading or writing failed */
    ORR_EMEMORY = -4,       /* host or device memory is exhausted */
    ORR_EDEVICE = -5,       /* the device reported an error; it may be unusable from now on */
    ORR_EBUILD = -6,        /* a kernel does not compile */
    ORR_EUNSUPPORTED = -7,  /* the device or the build lacks a capability */
    ORR_EWRONG = -8,        /* a result failed verification */
    ORR_EINTERNAL = -9,     /* a bug of Orrery, or a crash of a plugin or driver */
    ORR_ETIMEOUT = -10,     /* a process that was waited for did not finish in time */
    ORR_EINTERRUPTED = -11, /* a signal ended it */
    ORR_EBUSY = -12,        /* another program has it */
    ORR_ESUSPECT = -13      /* a time that cannot be that of the work */
};

/* Process exit codes of the command line. */
enum orr_exit {
    ORR_EXIT_OK = 0,
    ORR_EXIT_DIFFERENCE = 1, /* one that --fail-on asked for */
    ORR_EXIT_USAGE = 2,
    ORR_EXIT_WRONG = 3,
    ORR_EXIT_DEVICE = 4,
    ORR_EXIT_SOME_FAILED = 5,
    ORR_EXIT_BUSY = 6, /* another run measures on the device */
    ORR_EXIT_INTERRUPTED = 130
};

/* Records `code` and the message unless an earlier failure is still recorded, and returns
 * `code`. */
int orr_error_set(int code, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Puts "context: " before the recorded message; returns the recorded code. */
int orr_error_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

int orr_error_code(void); /* code of the recorded failure, 0 when none */
/* The same of a chain that failed: ORR_EINTERNAL where the one that failed recorded none. */
int orr_error_failed(void);
const char *orr_error_text(void);  /* its message, "" when none; one line, no trailing newline */
const char *orr_error_where(void); /* "file:line" of the first failure */
void orr_error_clear(void);
int orr_error_exit(int code); /* the exit code that belongs to an error code */

/* Returns its own `code`, which orr_error_set returns too, so that analysers see that a failure is
 * not 0. */
static inline int orr_error_same(int code, int recorded)
{
    (void)recorded;
    return code;
}
/* Evaluates `code` twice. */
#define orr_fail(code, ...) \
    orr_error_same((code), orr_error_set((code), __FILE__, __LINE__, __VA_ARGS__))

#endif
