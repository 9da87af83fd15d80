/* SPDX-License-Identifier: MIT */
/* OpenCL: compilation, the cache of binaries and resources of kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device/opencl.h"
#include "error.h"
#include "memory.h"

/* Bounds on registers for NVIDIA's OpenCL, whose language has none. Its binaries are PTX, the text
 * that CUDA's compiler makes, too, and PTX has the directive behind __launch_bounds__ (PTX ISA,
 * .minnctapersm): a kernel asks for it by RESIDENT_BOUND() of kernels/dialect.h, which leaves a
 * comment in its text. */
static const char MARK[] = "// orr_resident ", DIRECTIVE[] = ".minnctapersm ";

/* The kernel from `entry` to `end`: the start of the line behind its declared threads; NULL where
 * it declares none, or has a bound already. */
static const char *place_of_bound(const char *entry, const char *end)
{
    const char *body = strchr(entry, '{');
    const char *threads = strstr(entry, ".reqntid "), *bound = strstr(entry, DIRECTIVE);
    if (!body || body > end)
        return NULL;
    if (!threads || threads > body)
        threads = strstr(entry, ".maxntid ");
    if (!threads || threads > body || (bound && bound < body))
        return NULL;
    const char *line = strchr(threads, '\n');
    return line && line < body ? line + 1 : NULL;
}

char *orr_opencl_ptx_with_bounds(const char *ptx)
{
    static const char ENTRY[] = ".entry ";
    const char *from = ptx, *next;
    char *out;
    size_t size;
    FILE *to = orr_memory_stream(&out, &size);
    for (const char *entry = strstr(ptx, ENTRY); entry; entry = next) {
        next = strstr(entry + 1, ENTRY);
        const char *end = next ? next : entry + strlen(entry), *mark = strstr(entry, MARK);
        const char *place = mark && mark < end ? place_of_bound(entry, end) : NULL;
        if (!place)
            continue;
        const char *number = mark + strlen(MARK);
        fprintf(to, "%.*s%s%.*s\n", (int)(place - from), from, DIRECTIVE,
                (int)strspn(number, "0123456789"), number);
        from = place;
    }
    fputs(from, to);
    fclose(to);
    if (from != ptx)
        return out;
    free(out);
    return NULL;
}

/* The number in a line such as "Used 32 registers", within [from, to); -1 when there is none. */
static int number_after(const char *from, const char *to, const char *words)
{
    const char *at = strstr(from, words);
    int value;
    return at && at < to && sscanf(at + strlen(words), "%9d", &value) == 1 ? value : -1;
}

/* The log has, for each kernel: "Compiling entry function 'NAME' for 'sm_90'", then "K bytes stack
 * frame, N bytes spill stores, M bytes spill loads" and "Used R registers". */
void orr_opencl_log_resources(const char *log, const char *name, int *registers, int *spill_bytes)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "entry function '%s'", name);
    const char *from = strstr(log, quoted), *begin = from ? from + strlen(quoted) : "",
               *next = strstr(begin, "entry function '"),
               *end = next ? next : begin + strlen(begin);
    *registers = number_after(begin, end, "Used ");
    *spill_bytes = number_after(begin, end, "stack frame, ");
}

static char *build_log(struct opencl_device *device, cl_program program)
{
    size_t size = 0;
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = orr_memory_get(size + 1);
    if (size)
        clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    return log;
}

static int fail_build(struct opencl_device *device, cl_program program, cl_int status,
                      const char *name)
{
    char *log = program ? build_log(device, program) : NULL, advice[640] = "";
    const char *why = log ? orr_backend_first_error(log) : "no build log";
    int code;
    if (strstr(why, "failed to build the program")) /* PoCL, of what is no mistake in it */
        orr_device_pocl_advice(advice, sizeof advice, "; perhaps ");
    if (status == CL_OUT_OF_HOST_MEMORY || status == CL_OUT_OF_RESOURCES)
        code = orr_fail(ORR_EMEMORY, "no memory to compile %s for %s", name, device->base.info.id);
    else
        code = orr_fail(ORR_EBUILD, "%s does not compile for %s: %s%s", name, device->base.info.id,
                        why, advice);
    free(log);
    return code;
}

/* NULL where the driver refuses it. */
static cl_program program_from_binary(struct opencl_device *device, const unsigned char *binary,
                                      size_t size, const char *options)
{
    cl_int status, each;
    cl_program program =
        clCreateProgramWithBinary(device->context, 1, &device->id, &size, &binary, &each, &status);
    if (!status && !each)
        status = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if ((status || each) && program) {
        clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

/* The build log is kept with it because it tells registers. */
static cl_program program_from_cache(struct opencl_device *device, const char *key,
                                     const char *options, char **log)
{
    void *binary;
    size_t size;
    *log = orr_cache_load(key, &binary, &size);
    if (!*log)
        return NULL;
    cl_program program = program_from_binary(device, binary, size, options);
    if (!program) {
        orr_cache_forget(key);
        free(*log);
        *log = NULL;
    }
    return program;
}

/* The program's binary with a NUL behind it, which the caller frees; NULL where the driver gives
 * none. */
static unsigned char *binary_of(cl_program program, size_t *size)
{
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) || !*size)
        return NULL;
    unsigned char *binary = orr_memory_get(*size + 1);
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL)) {
        free(binary);
        binary = NULL;
    }
    return binary;
}

/* `*program` with the bounds on registers that its kernels ask for (decision 0006); as it is where
 * they ask for none or the driver refuses. */
static void bound_registers(struct opencl_device *device, cl_program *program, const char *options)
{
    size_t size = 0;
    char *ptx = (char *)binary_of(*program, &size);
    char *bounded = ptx ? orr_opencl_ptx_with_bounds(ptx) : NULL;
    cl_program better = bounded ? program_from_binary(device, (const unsigned char *)bounded,
                                                      strlen(bounded), options)
                                : NULL;
    if (better) {
        clReleaseProgram(*program);
        *program = better;
    }
    free(bounded);
    free(ptx);
}

static int program_from_source(struct opencl_device *device, cl_program *out,
                               const struct orr_source *source, const char *options, char **log)
{
    cl_int status;
    cl_program program =
        clCreateProgramWithSource(device->context, 1, (const char **)&source->text, NULL, &status);
    if (!status)
        status = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (status) {
        int code = fail_build(device, program, status, source->name);
        if (program)
            clReleaseProgram(program);
        return code;
    }
    if (device->nvidia)
        bound_registers(device, &program, options);
    *log = build_log(device, program);
    *out = program;
    return 0;
}

static int private_bytes(const struct opencl_device *device, cl_kernel kernel)
{
    cl_ulong bytes = 0;
    /* On a CPU private memory is the stack; registers are unknown. */
    if (device->base.info.kind == ORR_DEVICE_CPU ||
        clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes,
                                 &bytes, NULL))
        return -1;
    return (int)bytes;
}

static void describe_kernel(const struct opencl_device *device, const struct opencl_kernel *kernel,
                            const char *log, struct orr_kernel_info *out)
{
    cl_ulong local = 0;
    size_t group = 0;
    int spill;
    snprintf(out->name, sizeof out->name, "%s", kernel->name);
    orr_opencl_log_resources(log, kernel->name, &out->registers, &spill);
    out->spill_bytes = spill >= 0 ? spill : private_bytes(device, kernel->kernel);
    out->local_bytes = out->max_group = out->resident = -1;
    if (!clGetKernelWorkGroupInfo(kernel->kernel, device->id, CL_KERNEL_LOCAL_MEM_SIZE,
                                  sizeof local, &local, NULL))
        out->local_bytes = (int)local;
    if (!clGetKernelWorkGroupInfo(kernel->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                  sizeof group, &group, NULL))
        out->max_group = (int)group;
}

static int create_kernels(struct opencl_device *device, struct orr_program *program,
                          const char *source)
{
    cl_kernel kernels[OPENCL_MAX_KERNELS];
    cl_uint count = 0;
    cl_int status = clCreateKernelsInProgram(program->program, 0, NULL, &count);
    if (!status && count > OPENCL_MAX_KERNELS)
        return orr_fail(ORR_EBUILD, "%s has %u kernels; at most %d are supported", source, count,
                        OPENCL_MAX_KERNELS);
    if (!status && count)
        status = clCreateKernelsInProgram(program->program, count, kernels, NULL);
    if (status || !count)
        return orr_fail(ORR_EBUILD, "%s has no kernel that %s accepts", source,
                        device->base.info.id);
    program->count = (int)count;
    for (cl_uint k = 0; k < count; k++) {
        struct opencl_kernel *kernel = &program->kernels[k];
        kernel->kernel = kernels[k];
        clGetKernelInfo(kernels[k], CL_KERNEL_FUNCTION_NAME, sizeof kernel->name, kernel->name,
                        NULL);
        clGetKernelInfo(kernels[k], CL_KERNEL_NUM_ARGS, sizeof kernel->arg_count,
                        &kernel->arg_count, NULL);
    }
    return 0;
}

static int compile(struct opencl_device *device, struct orr_program *program,
                   const struct orr_source *source, const char *options, char **log, bool *cached)
{
    const struct orr_device_info *info = &device->base.info;
    const char *const parts[] = {"opencl",   source->text, options,
                                 info->name, info->driver, info->toolkit};
    char key[65];
    size_t size = 0;
    if (device->caches_by_itself)
        return program_from_source(device, &program->program, source, options, log);
    orr_cache_key(key, parts, sizeof parts / sizeof *parts);
    program->program = program_from_cache(device, key, options, log);
    *cached = program->program != NULL;
    if (*cached)
        return 0;
    int code = program_from_source(device, &program->program, source, options, log);
    unsigned char *binary = code ? NULL : binary_of(program->program, &size);
    if (binary)
        orr_cache_store(key, *log, binary, size);
    free(binary);
    return code;
}

int orr_opencl_build(struct orr_device *device, struct orr_program **out,
                     const struct orr_source *source, const char *defines)
{
    struct opencl_device *opencl = (struct opencl_device *)device;
    struct orr_kernel_info info = {0};
    char options[1024];
    char *log = NULL;
    double start = orr_clock_now();
    struct orr_program *program = orr_memory_get(sizeof *program);
    *out = NULL;
    int length =
        snprintf(options, sizeof options, "%s %s", opencl->options, defines ? defines : "");
    int code = (size_t)length < sizeof options
                   ? compile(opencl, program, source, options, &log, &info.cached)
                   : orr_fail(ORR_EINTERNAL, "the build defines of %s are too long", source->name);
    if (!code)
        code = create_kernels(opencl, program, source->name);
    info.build_s = orr_clock_now() - start;
    snprintf(info.defines, sizeof info.defines, "%.255s", options);
    for (int k = 0; !code && k < program->count; k++) {
        describe_kernel(opencl, &program->kernels[k], log ? log : "", &info);
        orr_backend_record(device, &info);
    }
    free(log);
    if (code)
        orr_opencl_drop(device, program);
    else
        *out = program;
    return code;
}

void orr_opencl_drop(struct orr_device *device, struct orr_program *program)
{
    (void)device;
    if (!program)
        return;
    for (int k = 0; k < program->count; k++)
        clReleaseKernel(program->kernels[k].kernel);
    if (program->program)
        clReleaseProgram(program->program);
    free(program);
}
