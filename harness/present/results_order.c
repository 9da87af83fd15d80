/* The order in which layouts show inputs and results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "present/results_parts.h"

size_t orr_scope_rank(const struct orr_scope *scope, const char *variant)
{
    size_t k = 0;
    while (k < scope->paper->variants_count && strcmp(scope->paper->variants[k].name, variant))
        k++;
    return k;
}

size_t orr_axis_rank(const struct orr_scope *scope, const char *axis, const char *value)
{
    for (size_t k = 0; k < scope->experiment->axes_count; k++) {
        if (strcmp(scope->experiment->axes[k].name, axis))
            continue;
        size_t rank = 0, length = strlen(value);
        for (const char *at = scope->experiment->axes[k].values; *at; rank++) {
            size_t word = strcspn(at, ",");
            if (word == length && !strncmp(at, value, word))
                return rank;
            at += word + (at[word] == ',');
        }
    }
    return (size_t)-1;
}

/* What is not known (NAN) comes first. */
static int compare(double a, double b)
{
    return (a > b || (isnan(b) && !isnan(a))) - (a < b || (isnan(a) && !isnan(b)));
}

static int compare_inputs(const void *left, const void *right, void *context)
{
    const struct orr_input *a = left, *b = right;
    double level = orr_scope_level(context);
    int order = (a->level != level) - (b->level != level);
    if (!order)
        order = compare(a->level, b->level);
    if (!order)
        order = compare(a->per_box, b->per_box);
    if (!order)
        order = compare(a->n, b->n);
    if (!order)
        order = compare((double)orr_axis_rank(context, "dataset", a->dataset),
                        (double)orr_axis_rank(context, "dataset", b->dataset));
    return order ? order : strcmp(a->dataset, b->dataset);
}

/* strverscmp: numbers within the text in the order of numbers. */
static int compare_results(const void *left, const void *right, void *context)
{
    const struct orr_result *a = left, *b = right;
    int order = compare_inputs(&a->input, &b->input, context);
    if (!order)
        order = compare((double)orr_scope_rank(context, a->variant),
                        (double)orr_scope_rank(context, b->variant));
    if (!order)
        order = strcmp(a->variant, b->variant);
    if (!order)
        order = strcmp(a->device, b->device);
    if (!order)
        order = compare(a->steps, b->steps);
    if (!order)
        order = strcmp(a->order, b->order);
    return order ? order : strverscmp(a->parameters, b->parameters);
}

void orr_results_sort(struct orr_results *results, const struct orr_scope *scope)
{
    if (results->count)
        qsort_r(results->items, results->count, sizeof *results->items, compare_results,
                (void *)scope);
    if (results->input_count)
        qsort_r(results->inputs, results->input_count, sizeof *results->inputs, compare_inputs,
                (void *)scope);
}
