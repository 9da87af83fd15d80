/* OpenCL: names of errors, and what NVIDIA's compiler says of registers. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/opencl.h"
#include "error.h"

static const struct {
    cl_int status;
    int code;
    const char *name;
} errors[] = {
    {CL_DEVICE_NOT_AVAILABLE, ORR_EDEVICE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, ORR_EMEMORY,
     "CL_MEM_OBJECT_ALLOCATION_FAILURE: device memory is exhausted"},
    {CL_OUT_OF_RESOURCES, ORR_EDEVICE,
     "CL_OUT_OF_RESOURCES: too large a group, or the kernel went wrong"},
    {CL_OUT_OF_HOST_MEMORY, ORR_EMEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, ORR_EDEVICE,
     "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_COMMAND_QUEUE, ORR_EDEVICE,
     "CL_INVALID_COMMAND_QUEUE: the device stopped after an earlier error"},
    {CL_INVALID_CONTEXT, ORR_EDEVICE, "CL_INVALID_CONTEXT"},
    {CL_INVALID_BUFFER_SIZE, ORR_EMEMORY,
     "CL_INVALID_BUFFER_SIZE: more than the device gives at once"},
    {CL_INVALID_ARG_INDEX, ORR_EINTERNAL, "CL_INVALID_ARG_INDEX"},
    {CL_INVALID_ARG_VALUE, ORR_EINTERNAL, "CL_INVALID_ARG_VALUE"},
    {CL_INVALID_ARG_SIZE, ORR_EINTERNAL, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_KERNEL_ARGS, ORR_EINTERNAL, "CL_INVALID_KERNEL_ARGS: an argument was not set"},
    {CL_INVALID_WORK_GROUP_SIZE, ORR_EUNSUPPORTED,
     "CL_INVALID_WORK_GROUP_SIZE: choose smaller groups"},
    {CL_INVALID_WORK_ITEM_SIZE, ORR_EUNSUPPORTED,
     "CL_INVALID_WORK_ITEM_SIZE: choose smaller groups"},
    {CL_INVALID_GLOBAL_WORK_SIZE, ORR_EUNSUPPORTED, "CL_INVALID_GLOBAL_WORK_SIZE"},
};

int orr_opencl_fail(struct orr_device *device, cl_int status, const char *format, ...)
{
    char what[512], unknown[32];
    const char *name = unknown;
    int code = ORR_EDEVICE;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(unknown, sizeof unknown, "OpenCL error %d", (int)status);
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
        if (errors[k].status == status) {
            code = errors[k].code;
            name = errors[k].name;
        }
    if (code == ORR_EDEVICE)
        device->lost = true;
    return orr_fail(code, "%s: %s", what, name);
}

/* The number that stands before `unit` on its line, within [from, to); -1 when there is none. */
static int number_before(const char *from, const char *to, const char *unit)
{
    const char *at = strstr(from, unit);
    int value;
    if (!at || at >= to)
        return -1;
    while (at > from && (at[-1] < '0' || at[-1] > '9'))
        at--;
    while (at > from && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return sscanf(at, "%9d", &value) == 1 ? value : -1;
}

/* The log has, for each kernel: "Compiling entry function 'NAME' for 'sm_90'", then "... N bytes
 * spill stores, M bytes spill loads" and "Used R registers". */
void orr_opencl_log_resources(const char *log, const char *name, int *registers, int *spill_bytes)
{
    char quoted[80];
    *registers = *spill_bytes = -1;
    snprintf(quoted, sizeof quoted, "entry function '%s'", name);
    const char *from = strstr(log, quoted);
    if (!from)
        return;
    from += strlen(quoted);
    const char *to = strstr(from, "entry function '");
    if (!to)
        to = from + strlen(from);
    *registers = number_before(from, to, " registers");
    *spill_bytes = number_before(from, to, " bytes spill stores");
}
