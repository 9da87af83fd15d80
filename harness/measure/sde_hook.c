/* Names for PAPI's tools: `papi_native_avail -sde build/liborrery_sde.so` lists the
 * software-defined events that every counting build counts. Figures of a variant come to them in
 * the referee. Tools that start a program of their own, like papi_command_line, see none of its
 * events. */
#if defined ORR_HAVE_PAPI && __has_include(<sde_lib.h>)
#include <sde_lib.h>

#include "names.h"

/* By libsde's contract. */
papi_handle_t papi_sde_hook_list_events(papi_sde_fptr_struct_t *sde)
{
    static long long none;
    papi_handle_t handle = sde->init("orrery");
    sde->register_counter(handle, "interactions", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long,
                          &none);
    sde->describe_counter(handle, "interactions", "pairs of bodies of a step, by the variant");
    for (int k = 0; k < ORR_ACCESS_KINDS; k++) {
        sde->register_counter(handle, orr_names_access[k], PAPI_SDE_RO | PAPI_SDE_DELTA,
                              PAPI_SDE_long_long, &none);
        sde->describe_counter(handle, orr_names_access[k],
                              "of a step, by the counting build (kernels/count.h)");
    }
    return handle;
}

#else
typedef int orr_sde_hook_is_left_out; /* no file is empty */
#endif
