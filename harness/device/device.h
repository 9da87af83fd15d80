/* SPDX-License-Identifier: MIT */
/* The device layer: one table of verbs per backend (host, OpenCL, CUDA); plugins call its inline
 * wrappers. */
#ifndef ORR_DEVICE_H
#define ORR_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum orr_device_kind { ORR_DEVICE_HOST, ORR_DEVICE_CPU, ORR_DEVICE_GPU, ORR_DEVICE_OTHER };

/* A device reports this without running anything. Text is always terminated; 0 or "" means unknown.
 */
struct orr_device_info {
    char id[32];     /* "host", "opencl:0.0", "cuda:0" */
    char backend[8]; /* "host", "opencl", "cuda" */
    char name[128];  /* "NVIDIA H200" */
    char vendor[64];
    char platform[48];   /* OpenCL's implementation: "PoCL 6.0", "rusticl"; "" elsewhere */
    char driver[96];     /* driver and API version */
    char toolkit[96];    /* compiler of the kernels: "NVRTC 13.0", "OpenCL C 1.2 PoCL" */
    char capability[16]; /* CUDA compute capability "9.0" */
    char pci[24];        /* of a GPU: "00000000:1b:00.0" */
    char uuid[48];       /* of a GPU: "GPU-6b3a...", the same by every backend */
    enum orr_device_kind kind;
    int compute_units;     /* multiprocessors, compute units or cores */
    int clock_mhz;         /* highest clock */
    int warp_width;        /* lanes that run in step: 32, 64, SIMD lanes on a CPU */
    int vector_width;      /* preferred float vector of one work-item; 1 on a GPU */
    size_t max_group;      /* largest work-group */
    size_t local_bytes;    /* local (shared) memory a group may use */
    uint64_t memory_bytes; /* global memory */
    uint64_t cache_bytes;  /* last-level cache */
    double memory_rate;    /* bytes a second of global memory by its clock and width; 0: not told */
    bool fp64;
    bool shuffles;      /* kernels have SHUFFLE and BALLOT of kernels/warp_atomics.h */
    bool float_atomics; /* adds floats in memory in one operation, not by compare and swap */
};

/* Resources of a compiled kernel; -1 where the backend does not tell. */
struct orr_kernel_info {
    char name[64];
    char defines[256]; /* the build defines it was compiled with */
    int registers;     /* per thread */
    int spill_bytes;   /* private memory per thread that is not in registers */
    int local_bytes;   /* static local memory per group */
    int max_group;     /* largest group this kernel can run with */
    int resident;      /* groups of max_group threads that a multiprocessor holds at once */
    double build_s;    /* seconds to compile or to load from the cache */
    bool cached;       /* came from the kernel cache */
};

/* One span of device time inside a step, named by the variant. */
struct orr_phase_time {
    char name[32];
    double seconds;
};
enum { ORR_MAX_PHASES = 64 };
struct orr_times {
    double seconds; /* device time from time_start to time_stop, by device events */
    /* Sum of the kernels' own durations, by their timestamps; NAN where not known, and why, if
     * that is worth a word. */
    double kernels_s;
    const char *unknown;
    int phase_count;
    struct orr_phase_time phases[ORR_MAX_PHASES]; /* spans of one name are summed */
};

struct orr_source {
    const char *name; /* for messages: "fujiwara_optimised" */
    const char *text; /* dialect included, ready to compile */
};

enum orr_arg_kind { ORR_ARG_BUFFER, ORR_ARG_VALUE };
struct orr_arg {
    enum orr_arg_kind kind;
    struct orr_buffer *buffer;
    union {
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
        uint64_t u64;
    } value;
    size_t size; /* bytes of value */
};
#define ORR_BUF(b) ((struct orr_arg){.kind = ORR_ARG_BUFFER, .buffer = (b), .size = sizeof(void *)})
#define ORR_I32(v) ((struct orr_arg){.kind = ORR_ARG_VALUE, .value.i32 = (v), .size = 4})
#define ORR_U32(v) ((struct orr_arg){.kind = ORR_ARG_VALUE, .value.u32 = (v), .size = 4})
#define ORR_U64(v) ((struct orr_arg){.kind = ORR_ARG_VALUE, .value.u64 = (v), .size = 8})
#define ORR_F64(v) ((struct orr_arg){.kind = ORR_ARG_VALUE, .value.f64 = (v), .size = 8})
#define ORR_F32(v) ((struct orr_arg){.kind = ORR_ARG_VALUE, .value.f32 = (v), .size = 4})

/* One launch: groups[d] x group[d] work-items in each of three dimensions (0 counts as 1). */
struct orr_launch {
    const char *kernel;
    size_t groups[3];
    size_t group[3];
    size_t
        local_bytes; /* dynamic local memory, see LOCAL_ARGUMENT in kernels/dialect.h; 0 for none */
    const struct orr_arg *args;
    int arg_count;
};

/* Host memory that the device reads and writes by itself. */
struct orr_pinned {
    void *memory;
    void *handle; /* the backend's own */
};

struct orr_device;
struct orr_buffer; /* memory on the device */
/* Fills, or reads, bytes first .. first + bytes of what is moved, at `memory`. Pieces come in order
 * and begin at multiples of ORR_PIECE_BYTES. 0 or a negative code. */
typedef int orr_piece(void *context, void *memory, size_t first, size_t bytes);
enum { ORR_PIECE_BYTES = 1 << 22 };
struct orr_program; /* compiled kernels */

/* Columns of doubles on the host, one number of each body after the other, and what becomes of them
 * on the device: rows of 1 or 4 floats. Number k of column c, less `about[c]`, is rounded to single
 * precision and stands in place c of row at + k; the other rows of `total` have `outside` in their
 * first three places and 0 in the fourth. */
struct orr_columns {
    const double *column[4]; /* `rows` numbers each; NULL: zeros */
    double about[4];
    int width;
    size_t rows, at, total;
    float outside;
};
/* The way back: place c of row at + k becomes number k of column c. */
struct orr_float_columns {
    float *column[4]; /* `rows` numbers each; NULL: left out */
    int width;
    size_t rows, at;
};
struct orr_recording;

/* Every verb returns 0 or a negative orr_code with the message recorded. Work is queued in order;
 * download and sync wait for it. After ORR_EDEVICE the device counts as lost (device->lost). */
enum { ORR_NO_SLOT = -1 };
struct orr_device_ops {
    const char *backend;
    /* Returns how many exist, of which at most `capacity` are written; 0 when the backend is not
     * here. */
    int (*list)(struct orr_device_info *out, int capacity);
    int (*open)(struct orr_device **out, const char *id);
    void (*close)(struct orr_device *device);
    int (*alloc)(struct orr_device *device, struct orr_buffer **out,
                 size_t bytes);                                         /* bytes = 0 allocates 1 */
    void (*free)(struct orr_device *device, struct orr_buffer *buffer); /* accepts NULL */
    /* guard.c's for every backend: many bytes go through the ring of staging.c, few by poke and
     * peek. */
    int (*upload)(struct orr_device *device, struct orr_buffer *to, const void *from, size_t bytes);
    int (*download)(struct orr_device *device, void *to, struct orr_buffer *from, size_t bytes);
    int (*copy)(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                size_t bytes);
    int (*fill)(struct orr_device *device, struct orr_buffer *to, uint32_t word, size_t bytes);
    /* Compiles (or takes from the cache) with `defines` such as "-DBLOCK=256 -DUNROLL_I=4". NULL,
     * and so is launch, where no kernels run. */
    int (*build)(struct orr_device *device, struct orr_program **out,
                 const struct orr_source *source, const char *defines);
    void (*drop)(struct orr_device *device, struct orr_program *program); /* accepts NULL */
    int (*launch)(struct orr_device *device, struct orr_program *program,
                  const struct orr_launch *launch);
    /* A timed span begins; it ends where the queue is when time_stop is called, which does not
     * wait; time_read waits and tells how long the latest was. What follows phase() belongs to the
     * phase `name`, NULL: to none. guard.c sums by phases: of a backend the last three may be NULL.
     */
    int (*time_start)(struct orr_device *device);
    int (*phase)(struct orr_device *device, const char *name);
    int (*time_stop)(struct orr_device *device);
    int (*time_read)(struct orr_device *device, struct orr_times *out);
    int (*sync)(struct orr_device *device);
    /* Waits for all work in the device's context, whoever queued it. A backend that sees only its
     * own queue waits for that. */
    int (*drain)(struct orr_device *device);
    /* Until the next span begins nothing is timed, and what timing costs is left out. NULL where it
     * costs nothing. */
    int (*hurry)(struct orr_device *device);
    /* Switches on, or off, what tells the kernels' own times (orr_times.kernels_s) where that slows
     * launches down. NULL where they are told anyway or never. ORR_EUNSUPPORTED with the reason. */
    int (*trace)(struct orr_device *device, bool on);
    /* Read and write `bytes` bytes at `at`, counted from the start of the buffer, which may lie in
     * the zones around it. guard.c's for every backend, by move(). */
    int (*peek)(struct orr_device *device, void *to, struct orr_buffer *from, ptrdiff_t at,
                size_t bytes);
    int (*poke)(struct orr_device *device, struct orr_buffer *to, ptrdiff_t at, const void *from,
                size_t bytes);
    /* Both NULL where the device's memory is the host's. */
    int (*pin)(struct orr_device *device, struct orr_pinned *out, size_t bytes);
    void (*unpin)(struct orr_device *device, struct orr_pinned *pinned); /* and zeroes it */
    /* Makes the caller's memory as fast to copy as what pin() makes, until unlock(), if it can: it
     * is no error if not. Both NULL where nothing does. */
    bool (*lock)(struct orr_device *device, void *memory, size_t bytes);
    void (*unlock)(struct orr_device *device, void *memory);
    /* Upload and download of what is nowhere in one piece: while one is filled, or read, others are
     * on their way. Its memory is lent for the call, and as fast to copy as the device has any. */
    int (*send)(struct orr_device *device, struct orr_buffer *to, size_t bytes, orr_piece *fill,
                void *context);
    int (*receive)(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                   orr_piece *take, void *context);
    /* Between these two, launches, copies and fills are recorded and not run; nothing else is asked
     * for meanwhile. `out` may be NULL, *out is NULL where it did not succeed. record() sets
     * `unrecorded`, and nothing follows, where the driver cannot. All four NULL where nothing is
     * ever recorded. */
    int (*record)(struct orr_device *device);
    int (*record_end)(struct orr_device *device, struct orr_recording **out);
    int (*replay)(struct orr_device *device, struct orr_recording *recording);
    void (*erase)(struct orr_device *device, struct orr_recording *recording);
    /* Writes `memory` to the buffer from byte `at` on, or reads it. In a slot of the ring of
     * staging.c the copy is queued, in order with all other work, and await waits until the latest
     * of the slot is done; in ORR_NO_SLOT, or where await is NULL, it is done on return. */
    int (*move)(struct orr_device *device, struct orr_buffer *buffer, ptrdiff_t at, void *memory,
                size_t bytes, bool writes, int slot);
    const char *clock; /* of kernels' times: "host clock"; NULL with trace */
    int (*await)(struct orr_device *device, int slot);
    /* Columns to rows, queued if they lie in memory that orr_device_lock() knows, and back, which
     * waits. guard.c's for every backend (staging.c). */
    int (*upload_columns)(struct orr_device *device, struct orr_buffer *to,
                          const struct orr_columns *from);
    int (*download_columns)(struct orr_device *device, const struct orr_float_columns *to,
                            struct orr_buffer *from);
};

/* These count what a device was asked for since it was opened. */
struct orr_device_use {
    size_t buffers;                /* live ones */
    uint64_t bytes;                /* theirs, as asked for */
    uint64_t launches;             /* kernels queued */
    uint64_t uploaded, downloaded; /* bytes */
    double moving_s;               /* seconds in verbs that move bytes, and waiting */
};

enum { ORR_MAX_KERNELS = 64 };
/* Backends put this first in their own struct. */
struct orr_device {
    const struct orr_device_ops *ops;
    struct orr_device_info info;
    bool lost; /* sticky error: the process that holds it must be replaced */
    int kernel_count;
    /* Every kernel built since it was opened or since the count was zeroed. */
    struct orr_kernel_info kernels[ORR_MAX_KERNELS];
    struct orr_device_use use;
    /* Recording: whether it is under way; that something was asked for that cannot be recorded;
     * launches of the latest. */
    bool recording, unrecorded;
    uint64_t recorded_launches;
    struct orr_guard *guard;              /* guard.c's own */
    const struct orr_device_ops *backend; /* the backend's verbs, behind those of guard.c */
    size_t zone;                          /* bytes of the zones around a buffer; 0: none */
    struct orr_staging *staging;          /* staging.c's; NULL before the first transfer */
    struct orr_locked *locked;            /* staging.c's: memory that is locked; NULL: none */
    /* The latest timed span: whether it is under way; index of the phase that follows, -1: none. */
    bool timing;
    int phase;
    struct orr_times times;
};

static inline int orr_alloc(struct orr_device *d, struct orr_buffer **out, size_t bytes)
{
    return d->ops->alloc(d, out, bytes);
}
static inline void orr_free(struct orr_device *d, struct orr_buffer *b)
{
    if (d)
        d->ops->free(d, b);
}
static inline int orr_upload(struct orr_device *d, struct orr_buffer *to, const void *from,
                             size_t bytes)
{
    return d->ops->upload(d, to, from, bytes);
}
static inline int orr_download(struct orr_device *d, void *to, struct orr_buffer *from,
                               size_t bytes)
{
    return d->ops->download(d, to, from, bytes);
}
static inline int orr_send(struct orr_device *d, struct orr_buffer *to, size_t bytes,
                           orr_piece *fill, void *context)
{
    return d->ops->send(d, to, bytes, fill, context);
}
static inline int orr_receive(struct orr_device *d, struct orr_buffer *from, size_t bytes,
                              orr_piece *take, void *context)
{
    return d->ops->receive(d, from, bytes, take, context);
}
static inline int orr_upload_columns(struct orr_device *d, struct orr_buffer *to,
                                     const struct orr_columns *from)
{
    return d->ops->upload_columns(d, to, from);
}
static inline int orr_download_columns(struct orr_device *d, const struct orr_float_columns *to,
                                       struct orr_buffer *from)
{
    return d->ops->download_columns(d, to, from);
}
static inline int orr_copy(struct orr_device *d, struct orr_buffer *to, struct orr_buffer *from,
                           size_t bytes)
{
    return d->ops->copy(d, to, from, bytes);
}
static inline int orr_fill(struct orr_device *d, struct orr_buffer *to, uint32_t word, size_t bytes)
{
    return d->ops->fill(d, to, word, bytes);
}
static inline int orr_build(struct orr_device *d, struct orr_program **out,
                            const struct orr_source *source, const char *defines)
{
    return d->ops->build(d, out, source, defines);
}
static inline void orr_drop(struct orr_device *d, struct orr_program *p)
{
    if (d)
        d->ops->drop(d, p);
}
static inline int orr_launch(struct orr_device *d, struct orr_program *p,
                             const struct orr_launch *launch)
{
    return d->ops->launch(d, p, launch);
}
static inline int orr_phase(struct orr_device *d, const char *name)
{
    return d->ops->phase(d, name);
}
static inline int orr_sync(struct orr_device *d)
{
    return d->ops->sync(d);
}

/* --- for the harness, not for plugins --- */

/* Every device present, best first: CUDA GPUs, OpenCL GPUs, other OpenCL devices, host. How many
 * were written, at most `capacity`. */
int orr_device_list(struct orr_device_info *out, int capacity);
/* The device that people call so: by its id, or the best one of cuda, opencl, gpu or cpu. NULL:
 * none. */
const struct orr_device_info *orr_device_called(const struct orr_device_info *devices, int count,
                                                const char *word);
/* The devices of a machine. Each driver is asked in a process of its own, which it may crash or
 * hold up. */
enum { ORR_DEVICE_MOST = 64 };
struct orr_names;
struct orr_device_probe {
    struct orr_device_info devices[ORR_DEVICE_MOST];
    int count;
    char gpu[128]; /* the first GPU, by which a machine is named; "" */
};
/* A driver that fails is left out with a line in `left_out`, and no process that is started from
 * now on loads it (ORRERY_DRIVERS, OCL_ICD_VENDORS). With `host_only` none is loaded.
 * ORR_EINTERRUPTED, ORR_EMEMORY. */
int orr_device_probe(struct orr_device_probe *out, bool host_only, struct orr_names *left_out);
/* If none of `devices` is OpenCL's although its drivers may be loaded, says after `before` why
 * there is none, which folder was searched, and what to do; else "". Loads no driver. */
void orr_device_no_opencl(char *out, size_t size, const char *before,
                          const struct orr_device_info *devices, int count);
/* Says after `before` that PoCL cannot load what it compiled earlier, from which folder, and what
 * to do. */
void orr_device_pocl_advice(char *out, size_t size, const char *before);
/* Opens "cuda:0", "opencl:0.1" or "host". ORR_EUNSUPPORTED naming the devices that are there when
 * it is not. */
int orr_device_open(struct orr_device **out, const char *id);
void orr_device_close(struct orr_device *device);
/* Waits for the device and looks at the zones around its buffers. ORR_EWRONG when a kernel wrote
 * there, also around a buffer that has been freed; what was reported once is not reported again.
 * One zone of a few kilobytes lies before and one behind each buffer, filled with NaNs.
 * ORRERY_GUARDS=off leaves the zones out, for sanitizers that watch each access themselves. OpenCL
 * devices with a coarser alignment than the zones have none before a buffer. */
int orr_device_check_guards(struct orr_device *device);
/* Until it is unlocked, the device moves what lies in that memory of the caller's (two pieces at
 * most) without the host: it converts columns by itself. Does nothing where a device cannot, or
 * the memory is too small to be worth it. */
void orr_device_lock(struct orr_device *device, void *memory, size_t bytes);
void orr_device_unlock(struct orr_device *device); /* all of it; waits; accepts NULL */
/* Waits for the device's queue; *seconds = how much longer all other work of this process on the
 * device took: microseconds when there was none. OpenCL and host cannot see such work. */
int orr_device_drain(struct orr_device *device, double *seconds);
/* Records what `queue` queues, to be queued again at the cost of one launch (a CUDA graph). *out is
 * NULL, which is no error, where the backend does not record, or `queue` did more than launch, copy
 * and fill: it then has done nothing, or failed for that reason. ORRERY_RECORD=off records
 * nothing. */
int orr_device_record(struct orr_device *device, struct orr_recording **out,
                      int (*queue)(void *context), void *context);
/* Queues the latest recording. */
int orr_device_replay(struct orr_device *device, struct orr_recording *recording);
void orr_device_erase(struct orr_device *device,
                      struct orr_recording *recording); /* accepts NULL */
/* Names the clock of kernels' times: "kernel timestamps", "events" or "host clock"; switches
 * tracing on and off to know. *why: why it is only "events" on a device that could do better, else
 * "". */
const char *orr_device_kernel_clock(struct orr_device *device, const char **why);

#endif
