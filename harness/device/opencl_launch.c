/* OpenCL: launches. */
#include <string.h>

#include "device/opencl.h"
#include "error.h"

static const struct opencl_kernel *find(const struct orr_program *program, const char *name)
{
    for (int k = 0; k < program->count; k++)
        if (!strcmp(program->kernels[k].name, name))
            return &program->kernels[k];
    return NULL;
}

static int set_args(struct orr_device *device, const struct opencl_kernel *kernel,
                    const struct orr_launch *launch)
{
    cl_uint given = (cl_uint)launch->arg_count + (launch->local_bytes ? 1 : 0);
    if (given != kernel->arg_count)
        return orr_fail(ORR_EINTERNAL, "kernel %s takes %u arguments, given %u%s", kernel->name,
                        kernel->arg_count, given,
                        launch->local_bytes ? " with the local memory" : "");
    cl_int status = 0;
    int k;
    for (k = 0; k < launch->arg_count && !status; k++) {
        const struct orr_arg *arg = &launch->args[k];
        const void *value =
            arg->kind == ORR_ARG_BUFFER ? (const void *)&arg->buffer->memory : &arg->value;
        status = clSetKernelArg(kernel->kernel, (cl_uint)k,
                                arg->kind == ORR_ARG_BUFFER ? sizeof(cl_mem) : arg->size, value);
    }
    if (!status && launch->local_bytes)
        status = clSetKernelArg(kernel->kernel, (cl_uint)k++, launch->local_bytes, NULL);
    return status ? orr_opencl_fail(device, status, "argument %d of kernel %s is not accepted",
                                    k - 1, kernel->name)
                  : 0;
}

int orr_opencl_launch(struct orr_device *device, struct orr_program *program,
                      const struct orr_launch *launch)
{
    struct opencl_device *opencl = (struct opencl_device *)device;
    const struct opencl_kernel *kernel = find(program, launch->kernel);
    size_t global[3], group[3];
    cl_uint dimensions = 1;
    if (!kernel)
        return orr_fail(ORR_EINTERNAL, "there is no kernel '%s' in the program", launch->kernel);
    for (cl_uint d = 0; d < 3; d++) {
        group[d] = orr_backend_at_least_one(launch->group[d]);
        if (__builtin_mul_overflow(orr_backend_at_least_one(launch->groups[d]), group[d],
                                   &global[d]))
            return orr_fail(ORR_EUNSUPPORTED, "kernel %s: too many work-items", launch->kernel);
        if (global[d] > 1)
            dimensions = d + 1;
    }
    int code = set_args(device, kernel, launch);
    if (code)
        return code;
    cl_event *event = orr_opencl_track(opencl);
    cl_int status = clEnqueueNDRangeKernel(opencl->queue, kernel->kernel, dimensions, NULL, global,
                                           group, 0, NULL, event);
    orr_opencl_tracked(opencl, event);
    if (!status)
        return 0;
    return orr_opencl_fail(
        device, status,
        "launch of %s with groups of %zux%zux%zu and %zu bytes of local memory failed",
        launch->kernel, group[0], group[1], group[2], launch->local_bytes);
}
