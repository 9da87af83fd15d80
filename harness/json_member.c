/* SPDX-License-Identifier: MIT */
#include "json_member.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

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

json_t *orr_json_shown(const char *text)
{
    json_t *value = json_string(text);
    if (value || !text)
        return value;
    char *tamed = orr_text_tame(orr_memory_text(text));
    value = json_string(tamed);
    free(tamed);
    return value;
}

json_t *orr_json_path(const char *path)
{
    char *wide = orr_memory_get(2 * strlen(path) + 1), *to = wide;
    for (const unsigned char *c = (const unsigned char *)path; *c; c++)
        if (*c < 0x80) {
            *to++ = (char)*c;
        } else {
            *to++ = (char)(0xc0 | *c >> 6);
            *to++ = (char)(0x80 | (*c & 0x3f));
        }
    json_t *value = json_string(wide);
    free(wide);
    return value;
}

char *orr_json_path_of(const json_t *object, const char *name)
{
    const char *wide = orr_json_text(object, name);
    char *path = wide ? orr_memory_text(wide) : NULL, *to = path;
    for (; wide && *wide; wide++) {
        *to = *wide;
        if ((wide[0] & 0xfc) == 0xc0 && wide[1]) {
            *to = (char)((unsigned)(wide[0] & 3) << 6 | (unsigned)(wide[1] & 0x3f));
            wide++;
        }
        to++;
    }
    if (to)
        *to = '\0';
    return path;
}

json_t *orr_json_lines(const char *text)
{
    json_t *list = json_array();
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = orr_memory_part(text, length);
        json_array_append_new(list, orr_json_shown(line));
        free(line);
        text += length + (text[length] == '\n');
    }
    return list;
}

json_t *orr_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *orr_json_reals(const double *values, int count)
{
    json_t *array = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(array, orr_json_real(values[k]));
    return array;
}
