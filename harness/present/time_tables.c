/* Tables of how the time divides between the host and the device: parts down, inputs across; and every cell. */
#include <math.h>
#include <stdio.h>

#include "present/cell_row.h"
#include "present/layout.h"
#include "present/printed.h"
#include "present/show.h"
#include "present/time_split.h"
#include "text.h"

enum part { HOST, DEVICE, SHARE, PARTS };
static const char *const part_names[PARTS] = {"host", "device", "device's share"};

static double part_of(const struct orr_time_split *split, enum part part)
{
    return part == HOST ? split->host : part == DEVICE ? split->device : split->device / split->whole;
}

static int put_part(struct orr_grid *g, const struct orr_time_splitter *splitter, const struct orr_results *results,
                    const struct orr_line *line, enum part part)
{
    orr_grid_row(g);
    orr_grid_text(g, "program", "%s", orr_layout_label(splitter->scope, line->variant));
    orr_grid_text(g, "setting", "%s", line->setting);
    orr_grid_text(g, "on", "%s", line->device);
    orr_grid_text(g, "part", "%s", part_names[part]);
    for (size_t k = 0; k < results->input_count; k++) {
        const struct orr_result *r = *line->device ? orr_line_result(line, results, &results->inputs[k]) : NULL;
        struct orr_time_split split;
        char key[32], text[48];
        int code = r ? orr_time_split_of(&split, splitter, r) : 0;
        if (code)
            return code;
        double value = r ? part_of(&split, part) : NAN;
        snprintf(key, sizeof key, "%zu", k);
        if (!isnan(value) && part == SHARE)
            orr_grid_text(g, key, "%.1f %%", 100 * value);
        else if (!isnan(value))
            orr_grid_text(g, key, "%s", orr_text_seconds(text, sizeof text, value));
    }
    return 0;
}

/* A program of the host alone, or on a device alone, divides nothing. */
static int divides(bool *out, const struct orr_time_splitter *splitter, const struct orr_results *results,
                   const struct orr_line *line)
{
    int code = 0;
    *out = false;
    for (size_t k = 0; k < results->count && !code; k++) {
        struct orr_time_split split;
        if (orr_line_result(line, results, &results->items[k].input) != &results->items[k])
            continue;
        code = orr_time_split_of(&split, splitter, &results->items[k]);
        *out = *out || !isnan(split.host) || !isnan(split.device);
    }
    return code;
}

static int add_parts(struct orr_document *out, const struct orr_time_splitter *splitter,
                     const struct orr_results *results, const struct orr_lines *lines)
{
    struct orr_grid *g =
        orr_document_grid(out, false, "Time on the host and on the device, and the device's share of the whole");
    orr_grid_column(g, "program", "program", ORR_PEOPLE, false);
    orr_grid_column(g, "setting", "setting", ORR_PEOPLE, false);
    orr_grid_column(g, "on", "on", ORR_PEOPLE, false);
    orr_grid_column(g, "part", "part", ORR_PEOPLE, false);
    for (size_t k = 0; k < results->input_count; k++) {
        char key[32], head[64];
        snprintf(key, sizeof key, "%zu", k);
        orr_grid_column(g, key, orr_show_input(head, sizeof head, results, &results->inputs[k]), ORR_PEOPLE, true);
    }
    int code = 0;
    for (size_t k = 0; k < lines->count && !code; k++) {
        bool any;
        code = divides(&any, splitter, results, &lines->items[k]);
        for (int part = 0; part < PARTS && any && !code; part++)
            code = put_part(g, splitter, results, &lines->items[k], part);
    }
    if (!code && g && !g->row_count)
        orr_document_drop_grid(out);
    return code;
}

static void part_columns(struct orr_grid *g, const struct orr_time_splitter *splitter)
{
    orr_grid_column(g, "extrapolated", "extrapolated", ORR_PROGRAMS, false);
    orr_grid_column(g, "measured", "whole", ORR_PEOPLE, true);
    orr_grid_column(g, "seconds", "seconds", ORR_PROGRAMS, true);
    orr_grid_column(g, "seconds_low", "low", ORR_PROGRAMS, true);
    orr_grid_column(g, "seconds_high", "high", ORR_PROGRAMS, true);
    orr_grid_column(g, "end_to_end_seconds", "end-to-end seconds", ORR_PROGRAMS, true);
    orr_grid_column(g, "host_seconds", "host", ORR_ALL, true);
    orr_grid_column(g, "device_seconds", "device", ORR_ALL, true);
    for (size_t k = 0; k < splitter->stages.count; k++)
        orr_grid_column(g, splitter->stages.names[k], splitter->stages.names[k], ORR_PROGRAMS, true);
    for (size_t k = 0; k < splitter->phases.count; k++) {
        char key[64];
        snprintf(key, sizeof key, "device %s", splitter->phases.names[k]);
        orr_grid_column(g, key, key, ORR_PROGRAMS, true);
    }
    orr_grid_column(g, "samples", "samples", ORR_ALL, true);
}

static void put_seconds(struct orr_grid *g, const char *key, double seconds)
{
    char text[48];
    if (!isnan(seconds))
        orr_grid_text(g, key, "%s", orr_text_seconds(text, sizeof text, seconds));
    orr_grid_number(g, key, seconds);
}

static int put_cell(struct orr_grid *g, const struct orr_time_splitter *splitter, const struct orr_result *r)
{
    char text[96], key[64];
    struct orr_time_split split;
    double stages[ORR_MAX_STAGES], phases[ORR_MAX_SHOWN_PHASES];
    int code = orr_time_split_of(&split, splitter, r);
    if (!code)
        code = orr_stages_of(stages, &splitter->stages, splitter->scope, r);
    if (code >= 0)
        code = orr_phases_of(phases, &splitter->phases, splitter->scope, r);
    if (code < 0)
        return code;
    orr_cell_row(g, splitter->scope, r);
    orr_grid_text(g, "extrapolated", "%s", r->extrapolated ? "extrapolated" : "no");
    orr_grid_text(g, "measured", "%s", orr_show_time(text, sizeof text, r));
    orr_grid_number(g, "seconds", r->seconds);
    orr_grid_number(g, "seconds_low", r->low);
    orr_grid_number(g, "seconds_high", r->high);
    orr_grid_number(g, "end_to_end_seconds", r->end_to_end_seconds);
    put_seconds(g, "host_seconds", split.host);
    put_seconds(g, "device_seconds", split.device);
    for (size_t k = 0; k < splitter->stages.count; k++)
        orr_grid_number(g, splitter->stages.names[k], stages[k]);
    for (size_t k = 0; k < splitter->phases.count; k++) {
        snprintf(key, sizeof key, "device %s", splitter->phases.names[k]);
        orr_grid_number(g, key, phases[k]);
    }
    if (!r->extrapolated)
        orr_grid_number(g, "samples", r->samples);
    return 0;
}

int orr_time_tables_add(struct orr_document *out, const struct orr_scope *scope, const struct orr_results *results)
{
    struct orr_time_splitter splitter;
    struct orr_lines lines;
    int code = orr_lines_make(&lines, scope, results);
    if (!code)
        code = orr_time_splitter_make(&splitter, scope);
    if (!code)
        code = orr_printed_add(out, scope);
    if (!code)
        code = add_parts(out, &splitter, results, &lines);
    if (!code)
        code = orr_matrices_add(out, scope, results, &lines);
    orr_lines_release(&lines);
    if (code)
        return code;
    struct orr_grid *g = orr_document_grid(out, true, "Every cell");
    orr_cell_columns(g);
    part_columns(g, &splitter);
    for (size_t k = 0; k < results->count && !code; k++)
        code = put_cell(g, &splitter, &results->items[k]);
    return code;
}
