#include "json_member.h"

#include <stdlib.h>
#include <string.h>

const json_t *orr_json_follow(const json_t *object, const char *path)
{
    char step[64];
    while (object && *path) {
        size_t length = strcspn(path, "/");
        if (length >= sizeof step)
            return NULL;
        memcpy(step, path, length);
        step[length] = '\0';
        object = json_is_array(object) ? json_array_get(object, (size_t)atoi(step))
                                       : json_object_get(object, step);
        path += length + (path[length] == '/');
    }
    return object;
}

json_t *orr_json_list(char *const *texts, size_t count)
{
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(list, json_string(texts[k]));
    return list;
}
