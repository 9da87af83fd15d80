#include "error.h"
#include "measure/access_parts.h"

int orr_access_on_host(struct orr_access *access, const char *kind, int degree, double *rate)
{
    (void)access, (void)degree, (void)rate;
    return orr_fail(ORR_EUNSUPPORTED, "the host has no %s", kind);
}
