/* Recording what is queued, to queue it again as one. What cannot be recorded runs as it always
 * does. */
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "error.h"

static bool wanted(void)
{
    const char *asked = getenv("ORRERY_RECORD");
    return !asked || strcmp(asked, "off") != 0;
}

int orr_device_record(struct orr_device *device, struct orr_recording **out,
                      int (*queue)(void *context), void *context)
{
    const uint64_t launches = device->use.launches;
    *out = NULL;
    if (!device->ops->record || !wanted())
        return 0;
    device->unrecorded = false;
    int code = device->ops->record(device);
    if (code || device->unrecorded)
        return code;
    device->recording = true;
    code = queue(context);
    device->recording = false;
    const int ended = device->ops->record_end(device, device->unrecorded || code ? NULL : out);
    device->recorded_launches = device->use.launches - launches;
    device->use.launches = launches;
    if (device->unrecorded) { /* that is why it failed, if it did */
        orr_error_clear();
        code = 0;
    }
    return code ? code : ended;
}

int orr_device_replay(struct orr_device *device, struct orr_recording *recording)
{
    int code = device->ops->replay(device, recording);
    device->use.launches += code ? 0 : device->recorded_launches;
    return code;
}

void orr_device_erase(struct orr_device *device, struct orr_recording *recording)
{
    if (recording)
        device->ops->erase(device, recording);
}
