/* SPDX-License-Identifier: MIT */
/* The OpenCL backend's own types: OpenCL 1.2 through the ICD loader; what later versions add is
 * asked for. */
#ifndef ORR_OPENCL_H
#define ORR_OPENCL_H

#include <CL/cl.h>

#include "device/backend.h"

enum { OPENCL_MAX_EVENTS = 512, OPENCL_MAX_KERNELS = 48, OPENCL_MAX_ARGS = 32 };

struct opencl_device {
    struct orr_device base;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;           /* in order; one of these */
    cl_command_queue profiled, plain; /* until a timed span begins */
    bool busy;                        /* something was queued since the last wait */
    uint64_t freed;        /* buffers so far: an argument may name one that has their address */
    char options[160];     /* what every build gets before the variant's defines */
    bool nvidia;           /* binaries are PTX */
    bool caches_by_itself; /* the platform keeps compiled kernels; ours would double them */
    size_t alignment;      /* of parts of a buffer, bytes */
    cl_ulong first,
        last;    /* earliest start and latest end of the span, ns; first > last: none yet */
    int pending; /* events not yet added up */
    struct {
        cl_event event;
        int phase;
        bool kernel; /* else a transfer */
    } events[OPENCL_MAX_EVENTS];
    cl_event staged[ORR_STAGING_SLOTS]; /* the latest copy of each slot; NULL: awaited */
};

struct opencl_buffer {
    struct orr_buffer base;
    cl_mem whole; /* with the zones */
    cl_mem inner; /* the part between them */
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

/* Registers and spilled bytes of kernel `name` in the verbose build log of NVIDIA's compiler; -1
 * where it is silent. */
void orr_opencl_log_resources(const char *log, const char *name, int *registers, int *spill_bytes);

/* The PTX text with `.minnctapersm N` for each kernel that has the comment `// orr_resident N`,
 * which the caller frees; NULL where no kernel has one. */
char *orr_opencl_ptx_with_bounds(const char *ptx);

/* Verbs of the table. */
int orr_opencl_build(struct orr_device *device, struct orr_program **out,
                     const struct orr_source *source, const char *defines);
void orr_opencl_drop(struct orr_device *device, struct orr_program *program);

#endif
