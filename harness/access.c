#include "access.h"

const char *const orr_access_names[ORR_ACCESS_KINDS] = {
    [ORR_GR] = "GR", [ORR_GW] = "GW", [ORR_SR] = "SR", [ORR_SW] = "SW", [ORR_RR] = "RR",
    [ORR_RW] = "RW", [ORR_CP] = "CP", [ORR_AS] = "AS", [ORR_AG] = "AG",
};
