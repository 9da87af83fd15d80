/* The OpenCL backend's own types: OpenCL 1.2 through the ICD loader. */
#ifndef ORR_OPENCL_H
#define ORR_OPENCL_H

#include <CL/cl.h>

#include "device/backend.h"
#include "device/staging.h"

enum { OPENCL_MAX_EVENTS = 512, OPENCL_MAX_KERNELS = 48, OPENCL_MAX_ARGS = 32 };

struct opencl_device {
    struct orr_device base;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;           /* in order; one of these */
    cl_command_queue profiled, plain; /* until a timed span begins */
    bool busy;                        /* something was queued since the last wait */
    uint64_t freed;        /* buffers so far: an argument may name one that has their address */
    char options[128];     /* what every build gets before the variant's defines */
    bool nvidia;           /* binaries are PTX */
    bool caches_by_itself; /* the platform keeps compiled kernels; ours would double them */
    size_t alignment;      /* of parts of a buffer, bytes */
    bool timing;
    struct orr_spans spans;
    cl_ulong first,
        last;    /* earliest start and latest end of the span, ns; first > last: none yet */
    int pending; /* events not yet added up */
    struct {
        cl_event event;
        int phase;
        bool kernel; /* else a transfer */
    } events[OPENCL_MAX_EVENTS];
    struct orr_staging staging;
    cl_event staged[ORR_STAGING_SLOTS]; /* the latest copy of each slot; NULL: awaited */
};

struct opencl_buffer {
    struct orr_buffer base;
    cl_mem whole; /* with the zones */
    cl_mem lent;  /* the part between them */
};

/* An argument as it was last set; size 0: not yet. */
struct opencl_arg {
    size_t size;
    uint64_t value;
};

struct opencl_kernel {
    char name[64];
    cl_kernel kernel;
    cl_uint arg_count;
    uint64_t freed; /* buffers when they were set */
    struct opencl_arg args[OPENCL_MAX_ARGS];
};

struct orr_program {
    cl_program program;
    int count;
    struct opencl_kernel kernels[OPENCL_MAX_KERNELS];
};

/* Records "what: CL_NAME" under the orr_code that fits `status`; marks the device lost when that is
 * ORR_EDEVICE. */
int orr_opencl_fail(struct orr_device *device, cl_int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Registers and spilled bytes of kernel `name` in the verbose build log of NVIDIA's compiler; -1
 * where it is silent. */
void orr_opencl_log_resources(const char *log, const char *name, int *registers, int *spill_bytes);

/* The PTX text with `.minnctapersm N` for each kernel that has the comment `// orr_resident N`,
 * which the caller frees; NULL where no kernel has one, or memory is short. */
char *orr_ptx_with_bounds(const char *ptx);

/* Verbs of the table. */
int orr_opencl_build(struct orr_device *device, struct orr_program **out,
                     const struct orr_source *source, const char *defines);
void orr_opencl_drop(struct orr_device *device, struct orr_program *program);
int orr_opencl_alloc(struct orr_device *device, struct orr_buffer **out, size_t bytes);
void orr_opencl_free(struct orr_device *device, struct orr_buffer *buffer);
int orr_opencl_upload(struct orr_device *device, struct orr_buffer *to, const void *from,
                      size_t bytes);
int orr_opencl_download(struct orr_device *device, void *to, struct orr_buffer *from, size_t bytes);
int orr_opencl_send(struct orr_device *device, struct orr_buffer *to, size_t bytes, orr_piece *fill,
                    void *context);
int orr_opencl_receive(struct orr_device *device, struct orr_buffer *from, size_t bytes,
                       orr_piece *take, void *context);
/* Gives the ring's memory back, at the end. */
void orr_opencl_unstage(struct opencl_device *device);
int orr_opencl_copy(struct orr_device *device, struct orr_buffer *to, struct orr_buffer *from,
                    size_t bytes);
int orr_opencl_fill(struct orr_device *device, struct orr_buffer *to, uint32_t word, size_t bytes);
int orr_opencl_launch(struct orr_device *device, struct orr_program *program,
                      const struct orr_launch *launch);
int orr_opencl_time_start(struct orr_device *device);
int orr_opencl_phase(struct orr_device *device, const char *name);
int orr_opencl_time_stop(struct orr_device *device);
int orr_opencl_time_read(struct orr_device *device, struct orr_times *out);
int orr_opencl_sync(struct orr_device *device);
int orr_opencl_hurry(struct orr_device *device);
int orr_opencl_peek(struct orr_device *device, void *to, struct orr_buffer *from, ptrdiff_t at,
                    size_t bytes);
int orr_opencl_poke(struct orr_device *device, struct orr_buffer *to, ptrdiff_t at,
                    const void *from, size_t bytes);
int orr_opencl_pin(struct orr_device *device, struct orr_pinned *out, size_t bytes);
void orr_opencl_unpin(struct orr_device *device, struct orr_pinned *pinned);

/* Where the next command's event goes: NULL unless a span is timed. */
cl_event *orr_opencl_track(struct opencl_device *device);
/* After the enqueue. */
void orr_opencl_tracked(struct opencl_device *device, cl_event *event, bool kernel);
/* Drops the events of an unfinished span. */
void orr_opencl_untrack(struct opencl_device *device);

#endif
