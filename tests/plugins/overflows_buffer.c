/* An accident: its kernel writes one word after the end of the buffer of results. Caught by the
 * zones around each buffer of a device. */
#define BEYOND 1
#include "device_sums.h"

const struct orr_variant orr_variant = {DEVICE_SUMS_VARIANT, .name = "plugins/overflows_buffer"};
