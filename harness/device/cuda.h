/* SPDX-License-Identifier: MIT */
/* The CUDA backend's own types: driver API, NVRTC and NVML, all loaded at run time. */
#ifndef ORR_CUDA_H
#define ORR_CUDA_H

#include "device/backend.h"
#include "device/cuda_abi.h"

enum { CUDA_MAX_MARKS = 1024, CUDA_MAX_KERNELS = 48, CUDA_MAX_ARGS = 32 };

struct cuda_device {
    struct orr_device base;
    const struct orr_cuda_api *api;
    int handle;
    int architecture; /* 90 for capability 9.0 */
    int max_grid[3];
    struct CUctx_st *context;
    struct CUstream_st *stream; /* its own: the default stream would wait for others */
    double measured;            /* seconds of the span added up so far */
    int marks;                  /* used entries of the two arrays below */
    bool tracing;
    int traced;                                   /* launches whose records are still to come */
    struct CUevent_st *events[CUDA_MAX_MARKS];    /* the first ones exist, the rest are NULL */
    int phases[CUDA_MAX_MARKS];                   /* phase that begins at the event */
    struct CUevent_st *staged[ORR_STAGING_SLOTS]; /* the latest copy of each slot; NULL: none yet */
};

struct cuda_buffer {
    struct orr_buffer base;
    orr_cu_pointer pointer; /* behind the zone */
};

struct cuda_kernel {
    char name[64];
    struct CUfunc_st *function;
    int max_threads;
    int static_bytes, dynamic_limit; /* local memory: of its own, and asked for so far */
    int arg_count;                   /* -1: the driver does not tell */
    size_t arg_sizes[CUDA_MAX_ARGS];
};

struct orr_program {
    struct CUmod_st *module;
    int count;
    struct cuda_kernel kernels[CUDA_MAX_KERNELS];
};

/* 0 without an error; else records "what: CUDA_ERROR_NAME (text)" under the orr_code that fits, and
 * marks the device lost when that is ORR_EDEVICE. */
int orr_cuda_check(struct orr_device *device, orr_cu_enum error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A compiled image: CUBIN, or PTX (text) where NVRTC does not know the architecture. */
struct orr_cuda_image {
    void *data; /* with a 0 byte after it */
    size_t size;
};
/* Compiles without a device. `architecture` 90 means sm_90. ORR_EBUILD with the first error of the
 * log. */
int orr_cuda_compile(struct orr_cuda_image *out, const struct orr_source *source, int architecture,
                     int warp, const char *defines);
/* Names of the functions in an image, kernels among them, at most `capacity`, and how many; more
 * than that where it has more. */
int orr_cuda_image_kernels(const struct orr_cuda_image *image, char names[][64], int capacity);

/* Begins or ends tracing; one client a process. ORR_EUNSUPPORTED with the reason. */
int orr_cuda_trace_switch(bool on);
/* Forgets the records so far, those of `before` launches that have ended among them: CUPTI hands
 * records out late. */
void orr_cuda_trace_clear(int before);
/* Sum of the durations of `launches` kernels, all that ran since then, in a span of that many
 * seconds by device events, when the device is done. NAN and *why where the records are not those
 * of the launches. */
double orr_cuda_trace_sum(int launches, double span_s, const char **why);

/* Verbs of the table. */
int orr_cuda_build(struct orr_device *device, struct orr_program **out,
                   const struct orr_source *source, const char *defines);
void orr_cuda_drop(struct orr_device *device, struct orr_program *program);

#endif
