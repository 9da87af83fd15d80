#include "run/history.h"

#include <string.h>

#include "error.h"
#include "ledger/journal.h"

int orr_history_make(struct orr_history *out)
{
    *out = (struct orr_history){.cells = json_object(), .ceilings = json_object()};
    return out->cells && out->ceilings
               ? 0
               : orr_fail(ORR_EMEMORY, "no memory for the records of a run");
}

void orr_history_release(struct orr_history *history)
{
    json_decref(history->run);
    json_decref(history->cells);
    json_decref(history->ceilings);
    *history = (struct orr_history){0};
}

int orr_history_add(struct orr_history *history, json_t *record)
{
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *id = json_string_value(json_object_get(record, "id"));
    const char *device = json_string_value(json_object_get(record, "device"));
    int failed = 0;
    if (kind && !strcmp(kind, "run") && !history->run)
        history->run = json_incref(record);
    else if (kind && id && !strcmp(kind, "cell"))
        failed = json_object_set(history->cells, id, record);
    else if (kind && device && !strcmp(kind, "ceiling"))
        failed = json_object_set(history->ceilings, device, record);
    return failed ? orr_fail(ORR_EMEMORY, "no memory for the records of a run") : 0;
}

static int add(json_t *record, void *history)
{
    return orr_history_add(history, record);
}

int orr_history_read(struct orr_history *out, const char *path)
{
    int code = orr_history_make(out);
    return code ? code : orr_journal_read(path, add, out, NULL);
}

json_t *orr_history_cell(const struct orr_history *history, const char *id)
{
    return json_object_get(history->cells, id);
}
