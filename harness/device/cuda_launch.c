/* CUDA: launches. Everything that the driver would answer with a bare code is checked first and
 * said in words. */
#include <limits.h>
#include <string.h>

#include "device/cuda.h"
#include "error.h"

static struct cuda_kernel *find(struct orr_program *program, const char *name)
{
    for (int k = 0; k < program->count; k++)
        if (!strcmp(program->kernels[k].name, name))
            return &program->kernels[k];
    return NULL;
}

static int check_sizes(const struct cuda_device *cuda, const struct cuda_kernel *kernel,
                       const struct orr_launch *launch)
{
    size_t threads = 1;
    for (int d = 0; d < 3; d++) {
        if (launch->groups[d] > (size_t)cuda->max_grid[d])
            return orr_fail(ORR_EUNSUPPORTED,
                            "kernel %s: %zu groups in dimension %d, the device takes %d",
                            kernel->name, launch->groups[d], d, cuda->max_grid[d]);
        if (__builtin_mul_overflow(threads, orr_backend_at_least_one(launch->group[d]), &threads))
            threads = SIZE_MAX;
    }
    if (threads > (size_t)kernel->max_threads)
        return orr_fail(
            ORR_EUNSUPPORTED,
            "kernel %s: groups of %zu threads, it can run with %d (registers): choose less",
            kernel->name, threads, kernel->max_threads);
    return 0;
}

static int pack(const struct cuda_kernel *kernel, const struct orr_launch *launch, void **out)
{
    if (launch->arg_count > CUDA_MAX_ARGS ||
        (kernel->arg_count >= 0 && launch->arg_count != kernel->arg_count))
        return orr_fail(ORR_EINTERNAL, "kernel %s takes %d arguments, given %d", kernel->name,
                        kernel->arg_count, launch->arg_count);
    for (int k = 0; k < launch->arg_count; k++) {
        const struct orr_arg *arg = &launch->args[k];
        size_t size = arg->kind == ORR_ARG_BUFFER ? sizeof arg->buffer->pointer : arg->size;
        if (kernel->arg_count >= 0 && size != kernel->arg_sizes[k])
            return orr_fail(ORR_EINTERNAL, "argument %d of kernel %s has %zu bytes, given %zu", k,
                            kernel->name, kernel->arg_sizes[k], size);
        out[k] = arg->kind == ORR_ARG_BUFFER ? (void *)&arg->buffer->pointer : (void *)&arg->value;
    }
    return 0;
}

/* More than 48 KB of shared memory has to be asked for, once per kernel and size. */
static int allow_local(struct cuda_device *cuda, struct cuda_kernel *kernel, size_t bytes)
{
    enum { ALWAYS_ALLOWED = 48 * 1024 };
    size_t fixed = kernel->static_bytes > 0 ? (size_t)kernel->static_bytes : 0;
    if (fixed + bytes <= ALWAYS_ALLOWED || bytes <= (size_t)kernel->dynamic_limit)
        return 0;
    if (fixed + bytes > cuda->base.info.local_bytes)
        return orr_fail(ORR_EUNSUPPORTED,
                        "kernel %s: %zu bytes of local memory, the device gives %zu", kernel->name,
                        fixed + bytes, cuda->base.info.local_bytes);
    orr_cu_enum error =
        cuda->api->function_set(kernel->function, ORR_CU_FUNC_MAX_DYNAMIC_SHARED, (int)bytes);
    if (error)
        return orr_cuda_fail(&cuda->base, error, "kernel %s cannot have %zu bytes of local memory",
                             kernel->name, bytes);
    kernel->dynamic_limit = (int)bytes;
    return 0;
}

int orr_cuda_launch(struct orr_device *device, struct orr_program *program,
                    const struct orr_launch *launch)
{
    struct cuda_device *cuda = (struct cuda_device *)device;
    struct cuda_kernel *kernel = find(program, launch->kernel);
    void *arguments[CUDA_MAX_ARGS];
    unsigned grid[3], block[3];
    if (!kernel)
        return orr_fail(ORR_EINTERNAL, "there is no kernel '%s' in the program", launch->kernel);
    int code = check_sizes(cuda, kernel, launch);
    if (!code)
        code = pack(kernel, launch, arguments);
    if (!code)
        code = allow_local(cuda, kernel, launch->local_bytes);
    if (code)
        return code;
    for (int d = 0; d < 3; d++) {
        grid[d] = (unsigned)orr_backend_at_least_one(launch->groups[d]);
        block[d] = (unsigned)orr_backend_at_least_one(launch->group[d]);
    }
    orr_cu_enum error =
        cuda->api->launch(kernel->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                          (unsigned)launch->local_bytes, cuda->stream, arguments, NULL);
    return error ? orr_cuda_fail(device, error, "launch of %s failed", launch->kernel) : 0;
}
