/* SPDX-License-Identifier: MIT */
/* Preloaded, makes Intel's OpenCL for processors pose as a GPU, so that sub-groups and atomics of
 * floats are tried where no card is. Its native_rsqrt has 12 bits, fewer than any GPU's. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <CL/cl.h>

typedef cl_int device_info(cl_device_id, cl_device_info, size_t, void *, size_t *);
typedef void CL_CALLBACK notified(cl_program, void *);
typedef cl_int build_program(cl_program, cl_uint, const cl_device_id *, const char *, notified *,
                             void *);

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *used)
{
    device_info *const real = (device_info *)dlsym(RTLD_NEXT, "clGetDeviceInfo");
    cl_int status = real ? real(device, what, size, value, used) : CL_INVALID_DEVICE;
    if (!status && what == CL_DEVICE_TYPE && value)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    return status;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, notified *notify, void *context)
{
    char text[2048];
    build_program *const real = (build_program *)dlsym(RTLD_NEXT, "clBuildProgram");
    snprintf(text, sizeof text, "%s -Dnative_rsqrt=rsqrt", options ? options : "");
    return real ? real(program, count, devices, text, notify, context) : CL_INVALID_PROGRAM;
}
