/* Labels: cells of one variant, input and device that differ in parameters are told apart by those parameters only. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/results.h"

static bool are_namesakes(const struct orr_result *a, const struct orr_result *b)
{
    return a != b && !strcmp(a->variant, b->variant) && !strcmp(a->dataset, b->dataset) && a->n == b->n &&
           !strcmp(a->device, b->device);
}

/* A cell that crashed early knows only some of its parameters: what one of two does not know is no difference. */
static bool differs(const struct orr_results *all, json_t *const *parsed, size_t at, const char *key)
{
    const json_t *own = json_object_get(parsed[at], key);
    for (size_t k = 0; k < all->count; k++) {
        const json_t *other = json_object_get(parsed[k], key);
        if (other && are_namesakes(&all->items[at], &all->items[k]) && !json_equal(own, other))
            return true;
    }
    return false;
}

static void write_value(FILE *to, const json_t *value)
{
    if (json_is_string(value))
        fputs(json_string_value(value), to);
    else if (json_is_number(value))
        fprintf(to, "%.6g", json_number_value(value));
    else
        fputs(json_is_true(value) ? "yes" : "no", to);
}

static void label(const struct orr_results *all, json_t *const *parsed, size_t at)
{
    struct orr_result *result = &all->items[at];
    snprintf(result->label, sizeof result->label, "%s", result->variant);
    size_t used = strlen(result->label);
    FILE *to = fmemopen(result->label + used, sizeof result->label - used, "w");
    if (!to)
        return;
    const char *key, *before = " (";
    json_t *value;
    json_object_foreach(parsed[at], key, value)
    {
        if (!differs(all, parsed, at, key))
            continue;
        fprintf(to, "%s%s=", before, key);
        write_value(to, value);
        before = ", ";
    }
    fputs(*before == ',' ? ")" : "", to);
    fclose(to);
}

int orr_results_label(struct orr_results *results)
{
    json_t **parsed = calloc(results->count + 1, sizeof *parsed);
    if (!parsed)
        return orr_fail(ORR_EMEMORY, "no memory for labels");
    for (size_t k = 0; k < results->count; k++)
        parsed[k] = json_loads(results->items[k].parameters, 0, NULL); /* NULL, no parameters: nothing differs */
    for (size_t k = 0; k < results->count; k++)
        label(results, parsed, k);
    for (size_t k = 0; k < results->count; k++)
        json_decref(parsed[k]);
    free(parsed);
    return 0;
}
