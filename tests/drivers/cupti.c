/* A CUPTI without a GPU: it hands out the records that FAKE_CUPTI lists, "start-end" in nanoseconds
 * with commas between, as kernels; "x" is a record of another kind. What is behind a "/" waits for
 * a forced flush. "refuse" refuses to trace. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct record {
    uint32_t kind, other[3];
    uint64_t start, end;
    char more[184]; /* as long as a real one */
};
enum { KERNEL = 10, OTHER = 1, REFUSED = 39, LIST_ENDS = 12 };

typedef void request(uint8_t **buffer, size_t *size, size_t *most);
typedef void complete(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used);
static request *ask;
static complete *give;
static int on;

unsigned cuptiGetVersion(uint32_t *version)
{
    *version = 1;
    return 0;
}

unsigned cuptiGetResultString(unsigned error, const char **text)
{
    *text = error == REFUSED ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" : "some error";
    return 0;
}

unsigned cuptiActivityRegisterCallbacks(request *lend, complete *take)
{
    ask = lend;
    give = take;
    return 0;
}

unsigned cuptiActivityEnable(unsigned kind)
{
    const char *how = getenv("FAKE_CUPTI");
    on = kind == KERNEL;
    return how && !strcmp(how, "refuse") ? REFUSED : 0;
}

unsigned cuptiActivityDisable(unsigned kind)
{
    on &= kind != KERNEL;
    return 0;
}

unsigned cuptiActivityFlushAll(uint32_t forced)
{
    const char *at = getenv("FAKE_CUPTI");
    uint8_t *buffer;
    size_t size, most, used = 0;
    if (at && strchr(at, '/'))
        at = forced ? strchr(at, '/') + 1 : at;
    else if (forced)
        return 0;
    if (!at || !on)
        return 0;
    ask(&buffer, &size, &most);
    while (*at && *at != '/' && used + sizeof(struct record) <= size) {
        struct record *record = (struct record *)(buffer + used);
        char *rest = (char *)at + 1;
        memset(record, 0xee, sizeof *record);
        record->kind = *at == 'x' ? OTHER : KERNEL;
        if (*at != 'x') {
            record->start = strtoull(at, &rest, 10);
            record->end = strtoull(rest + 1, &rest, 10);
        }
        used += sizeof *record;
        at = rest + (*rest == ',');
    }
    give(NULL, 0, buffer, size, used);
    return 0;
}

unsigned cuptiActivityGetNextRecord(uint8_t *buffer, size_t used, struct record **record)
{
    uint8_t *next = *record ? (uint8_t *)(*record + 1) : buffer;
    if (next + sizeof **record > buffer + used)
        return LIST_ENDS;
    *record = (struct record *)next;
    return 0;
}
