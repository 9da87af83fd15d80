#include "present/family.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"

double orr_family_member(const struct orr_family *family, size_t curve)
{
    const struct orr_curve *c = &family->curves.items[curve];
    if (c->input) /* over a parameter */
        return c->input->n;
    if (!family->parameter)
        return NAN;
    const json_t *value =
        json_object_get(family->curves.points[c->first].result->values, family->parameter);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool has_name(const struct orr_family *family, size_t curve)
{
    const struct orr_paper *paper = family->scope->paper;
    for (unsigned k = 0; k < paper->variants_count; k++)
        if (!strcmp(paper->variants[k].name, family->curves.items[curve].variant))
            return paper->variants[k].label && *paper->variants[k].label;
    return false;
}

bool orr_family_drawn(const struct orr_family *family, size_t curve)
{
    bool any = false;
    for (size_t k = 0; k < family->curves.count; k++)
        any = any || has_name(family, k);
    return !family->own || !any || has_name(family, curve);
}

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void collect_members(struct orr_family *out)
{
    size_t all = 0, kept = 0;
    for (size_t k = 0; k < out->curves.count; k++) {
        double member = orr_family_member(out, k);
        if (!isnan(member) && orr_family_drawn(out, k))
            out->members[all++] = member;
    }
    if (all)
        qsort(out->members, all, sizeof *out->members, compare_numbers);
    for (size_t k = 0; k < all; k++)
        if (!kept || out->members[k] != out->members[kept - 1])
            out->members[kept++] = out->members[k];
    out->count = kept;
}

static bool are_of_one_program(const struct orr_family *family, const struct orr_curve *a,
                               const struct orr_curve *b)
{
    char first[160], second[160];
    orr_setting_without(first, sizeof first, a->setting, family->parameter);
    orr_setting_without(second, sizeof second, b->setting, family->parameter);
    return !strcmp(a->variant, b->variant) && !strcmp(a->device, b->device) &&
           !strcmp(first, second);
}

static void number_programs(struct orr_family *out)
{
    for (size_t k = 0; k < out->curves.count; k++) {
        size_t same = 0;
        if (!orr_family_drawn(out, k))
            continue;
        while (!orr_family_drawn(out, same) ||
               !are_of_one_program(out, &out->curves.items[same], &out->curves.items[k]))
            same++;
        out->programs[k] = same < k ? out->programs[same] : out->program_count++;
    }
}

int orr_family_make(struct orr_family *out, bool over_parameter, bool own,
                    const struct orr_scope *scope, const struct orr_results *results)
{
    *out = (struct orr_family){.scope = scope, .own = own};
    const char *parameter = orr_curves_parameter(scope->experiment);
    if (over_parameter && !parameter)
        return orr_fail(ORR_EINPUT, "%s has the layout %s but no axis of several numbers besides n",
                        scope->name, scope->experiment->layout);
    int code =
        orr_curves_make_over(&out->curves, over_parameter ? parameter : NULL, scope, results);
    out->parameter = over_parameter ? NULL : parameter;
    out->members = calloc(out->curves.count + 1, sizeof *out->members);
    out->programs = calloc(out->curves.count + 1, sizeof *out->programs);
    if (!code && (!out->members || !out->programs))
        code = orr_fail(ORR_EMEMORY, "no memory for the figure of %s", scope->name);
    if (code)
        return code;
    collect_members(out);
    number_programs(out);
    return 0;
}

void orr_family_release(struct orr_family *family)
{
    orr_curves_release(&family->curves);
    free(family->members);
    free(family->programs);
    *family = (struct orr_family){0};
}

int orr_family_style(const struct orr_family *family, size_t curve)
{
    enum { DASH = 100, SIZES = 50 };
    double member = orr_family_member(family, curve);
    size_t colour = 0;
    while (colour < family->count && family->members[colour] != member)
        colour++;
    return (int)(1 + colour + (family->curves.parameter ? SIZES : 0) +
                 DASH * family->programs[curve]);
}

char *orr_family_program(char *out, size_t size, const struct orr_family *family, size_t curve)
{
    const struct orr_curve *c = &family->curves.items[curve];
    bool variants = false, devices = false;
    char rest[160];
    for (size_t k = 0; k < family->curves.count; k++) {
        if (!orr_family_drawn(family, k))
            continue;
        variants = variants || strcmp(family->curves.items[k].variant, c->variant) != 0;
        devices = devices || strcmp(family->curves.items[k].device, c->device) != 0;
    }
    orr_setting_without(rest, sizeof rest, c->difference, family->parameter);
    snprintf(out, size, "%s%s%s%s%s", variants ? orr_layout_label(family->scope, c->variant) : "",
             variants && *rest ? ", " : "", rest, devices && (variants || *rest) ? ", " : "",
             devices ? c->device : "");
    return out;
}

char *orr_family_label(char *out, size_t size, const struct orr_family *family, size_t curve)
{
    char program[256], member[64] = "";
    double value = orr_family_member(family, curve);
    if (!isnan(value))
        snprintf(member, sizeof member, family->parameter ? "%s = %g" : "%s = %.0f",
                 family->parameter ? family->parameter : "N", value);
    orr_family_program(program, sizeof program, family, curve);
    snprintf(out, size, "%s%s%s", member, *member && *program ? ", " : "", program);
    return out;
}

static bool is_measured(const struct orr_family *family, double n)
{
    bool any = false;
    for (size_t k = 0; k < family->curves.point_count; k++) {
        const struct orr_curve_point *p = &family->curves.points[k];
        any = any || (p->result->input.n == n && !p->result->extrapolated &&
                      orr_family_drawn(family, p->curve));
    }
    return any;
}

static bool is_named(const struct orr_family *family, double n)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", n);
    return orr_axis_rank(family->scope, "n", text) != (size_t)-1;
}

/* Keeps the measured sizes that the axis names, or all measured ones. Returns how many are left. */
static size_t keep_sizes(double *sizes, size_t count, const struct orr_family *family, bool named)
{
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (is_measured(family, sizes[k]) && (!named || is_named(family, sizes[k])))
            sizes[kept++] = sizes[k];
    return kept;
}

size_t orr_family_sizes(double *out, size_t most, const struct orr_family *family)
{
    const double *from = family->curves.parameter ? family->members : family->curves.xs;
    size_t count = family->curves.parameter ? family->count : family->curves.x_count;
    double *sizes = calloc(count + 1, sizeof *sizes);
    if (!sizes)
        return 0;
    memcpy(sizes, from, count * sizeof *sizes);
    size_t kept = keep_sizes(sizes, count, family, true);
    if (!kept) {
        memcpy(sizes, from, count * sizeof *sizes);
        kept = keep_sizes(sizes, count, family, false);
    }
    size_t chosen = kept < most ? kept : most;
    for (size_t k = 0; k < chosen; k++)
        out[k] = sizes[chosen > 1 ? (2 * k * (kept - 1) + chosen - 1) / (2 * (chosen - 1)) : 0];
    free(sizes);
    return chosen;
}
