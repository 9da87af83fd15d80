/* Honest: right forces on a device, from a step that returns before the device is done. The twin of
 * launches_in_fetch and overflows_buffer. */
#include "device_sums.h"

const struct orr_variant orr_variant = {DEVICE_SUMS_VARIANT, .name = "plugins/device_right"};
