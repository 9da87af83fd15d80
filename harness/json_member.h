/* SPDX-License-Identifier: MIT */
/* Members of JSON objects by name. A missing one, or one of another type, is NULL or 0. */
#ifndef ORR_JSON_MEMBER_H
#define ORR_JSON_MEMBER_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

static inline const char *orr_json_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static inline bool orr_json_is(const json_t *object, const char *name, const char *text)
{
    const char *own = orr_json_text(object, name);
    return own && !strcmp(own, text);
}

static inline json_int_t orr_json_integer(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static inline double orr_json_number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* An array of texts. */
json_t *orr_json_list(char *const *texts, size_t count);
/* A text that need not be UTF-8, as JSON is: with '?' for what is none, to be shown. */
json_t *orr_json_shown(const char *text);
/* The bytes of a path, which need not be UTF-8 either, as characters up to U+00FF; and the path
 * that a member holds so, to be freed, NULL when it is missing. */
json_t *orr_json_path(const char *path);
char *orr_json_path_of(const json_t *object, const char *name);
/* The lines of a text, NULL: none, as a list. */
json_t *orr_json_lines(const char *text);

/* Follows "error/bound/max" or "interval/1"; NULL when a member is missing. */
const json_t *orr_json_follow(const json_t *object, const char *path);

/* NAN and infinity have no JSON: null says that the value is not known. */
json_t *orr_json_real(double value);
json_t *orr_json_reals(const double *values, int count);

#endif
