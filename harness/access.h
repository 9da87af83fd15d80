/* The kinds of access by the names that journals, formulas and tables write. */
#ifndef ORR_ACCESS_H
#define ORR_ACCESS_H

#include "kernels/count.h"

extern const char *const orr_access_names[ORR_ACCESS_KINDS]; /* "GR", ... by enum orr_access */

#endif
