#include "present/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/layout.h"

const struct orr_line *orr_lines_find(const struct orr_lines *lines,
                                      const struct orr_result *result)
{
    for (size_t k = 0; k < lines->count; k++) {
        const struct orr_line *line = &lines->items[k];
        if (!strcmp(line->variant, result->variant) && !strcmp(line->device, result->device) &&
            !strcmp(line->setting, result->setting))
            return line;
    }
    return NULL;
}

static int add(struct orr_lines *out, struct orr_line line)
{
    struct orr_line *more = realloc(out->items, (out->count + 1) * sizeof *more);
    if (!more)
        return orr_fail(ORR_EMEMORY, "no memory for the lines of a table");
    out->items = more;
    more[out->count++] = line;
    out->settings = out->settings || *line.setting;
    return 0;
}

static int compare(const void *left, const void *right, void *context)
{
    const struct orr_line *a = left, *b = right;
    size_t first = orr_scope_rank(context, a->variant),
           second = orr_scope_rank(context, b->variant);
    int order = (first > second) - (first < second);
    if (!order)
        order = strcmp(a->device, b->device);
    if (!order)
        order = strcmp(a->order, b->order);
    return order ? order : strverscmp(a->setting, b->setting);
}

static bool are_siblings(const struct orr_line *a, const struct orr_line *b)
{
    return !strcmp(a->variant, b->variant) && !strcmp(a->device, b->device);
}

/* One line of each program and device carries the published numbers: that with the paper's setting
 * or, where there is none, the first. */
static void choose_faithful(struct orr_lines *lines)
{
    for (size_t first = 0, next; first < lines->count; first = next) {
        size_t chosen = first;
        for (next = first;
             next < lines->count && are_siblings(&lines->items[next], &lines->items[first]); next++)
            if (lines->items[next].faithful && !lines->items[chosen].faithful)
                chosen = next;
        for (size_t k = first; k < next; k++)
            lines->items[k].faithful = k == chosen;
    }
}

/* A colour a program, a dash a device and setting of it; a colour a line where one program has many
 * settings. */
static void choose_styles(struct orr_lines *lines, const struct orr_scope *scope)
{
    enum { FEW = 2, DASH = 100 };
    bool many = false;
    for (size_t k = 0; k + FEW < lines->count; k++)
        many = many || are_siblings(&lines->items[k], &lines->items[k + FEW]);
    for (size_t k = 0, dash = 0; k < lines->count; k++) {
        dash = k && !strcmp(lines->items[k].variant, lines->items[k - 1].variant) ? dash + 1 : 0;
        size_t rank = orr_scope_rank(scope, lines->items[k].variant);
        lines->items[k].style = (int)(many ? k + 1 : rank + 1 + DASH * dash);
    }
}

int orr_lines_make(struct orr_lines *out, const struct orr_scope *scope,
                   const struct orr_results *results)
{
    *out = (struct orr_lines){0};
    int code = 0;
    for (size_t k = 0; k < results->count && !code; k++) {
        const struct orr_result *r = &results->items[k];
        const struct orr_line *known = orr_lines_find(out, r);
        bool faithful = r->faithful && r->standard;
        if (!known)
            code = add(out,
                       (struct orr_line){r->variant, r->device, r->setting, r->order, faithful, 0});
        else if (faithful)
            out->items[known - out->items].faithful = true;
    }
    for (unsigned v = 0; v < scope->paper->variants_count && !code; v++) {
        const struct orr_paper_variant *variant = &scope->paper->variants[v];
        const char *device;
        if (orr_layout_takes(scope, variant) &&
            !orr_layout_devices(&device, 1, results, variant->name))
            code = add(out, (struct orr_line){variant->name, "", "", "", true, 0});
    }
    if (code) {
        orr_lines_release(out);
        return code;
    }
    if (out->count)
        qsort_r(out->items, out->count, sizeof *out->items, compare, (void *)scope);
    choose_faithful(out);
    choose_styles(out, scope);
    return 0;
}

void orr_lines_release(struct orr_lines *lines)
{
    free(lines->items);
    *lines = (struct orr_lines){0};
}

/* Whether "a=1, b=2" holds the entry "a=1" of the given length. */
static bool holds(const char *setting, const char *entry, size_t length)
{
    for (const char *at = setting; *at; at += strspn(at, ", ")) {
        size_t own = strcspn(at, ",");
        if (own == length && !strncmp(at, entry, length))
            return true;
        at += own;
    }
    return false;
}

char *orr_line_difference(char *out, size_t size, const struct orr_lines *lines,
                          const struct orr_line *line)
{
    *out = '\0';
    for (const char *at = line->setting; *at; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ","), used = strlen(out);
        bool shared = true;
        for (size_t k = 0; k < lines->count; k++)
            shared = shared && (strcmp(lines->items[k].variant, line->variant) != 0 ||
                                holds(lines->items[k].setting, at, length));
        if (!shared)
            snprintf(out + used, size - used, "%s%.*s", used ? ", " : "", (int)length, at);
        at += length;
    }
    return out;
}

const struct orr_result *orr_line_result(const struct orr_line *line,
                                         const struct orr_results *results,
                                         const struct orr_input *input)
{
    return orr_results_newest(results, line->variant, input, line->device, line->setting);
}
