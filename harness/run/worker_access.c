/* Access ceilings in the worker: one request a kind, so that a crash costs that one. */
#include "error.h"
#include "json_member.h"
#include "measure/access.h"
#include "run/worker.h"

static int open_access(struct orr_worker *worker, json_t *request)
{
    const struct orr_access_wish wish = {.quick = json_is_true(json_object_get(request, "quick")),
                                         .defines = orr_json_text(request, "defines")};
    struct orr_device *device;
    const char *id = orr_json_text(request, "device");
    int code = orr_worker_device(worker, &device, id ? id : "");
    if (code || (worker->access && worker->accessed == device))
        return code;
    orr_access_close(worker->access);
    worker->access = NULL;
    worker->accessed = device;
    return orr_access_open(&worker->access, device, &wish);
}

json_t *orr_worker_access(struct orr_worker *worker, json_t *request)
{
    const char *kind = orr_json_text(request, "kind");
    if (open_access(worker, request))
        return NULL;
    json_t *found =
        kind ? orr_access_measure(worker->access, kind) : orr_access_sensors(worker->access);
    if (!kind) {
        orr_access_close(worker->access);
        worker->access = NULL;
    }
    return found ? json_pack("{s:o}", kind ? "rates" : "sensors", found) : NULL;
}
