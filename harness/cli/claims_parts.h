/* What the files of `orrery claims` share. */
#ifndef ORR_CLI_CLAIMS_PARTS_H
#define ORR_CLI_CLAIMS_PARTS_H

#include <stdbool.h>

/* --calibrate of one paper, or (NULL) of all that have claims. An exit code: that of a difference
 * where a calibration fails. */
int orr_cli_claims_calibrate(const char *paper, bool as_json);

#endif
