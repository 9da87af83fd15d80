/* Tables of how the time divides between the host and the device: parts down, inputs across; and
 * every cell. */
#include <math.h>
#include <stdio.h>

#include "present/cell_row.h"
#include "present/layout.h"
#include "present/printed.h"
#include "present/show.h"
#include "present/time_split.h"

/* Times of one cell, all of one evaluation. */
struct times {
    struct orr_time_split split;
    double stages[ORR_MAX_STAGES], phases[ORR_MAX_SHOWN_PHASES];
};

static int load_times(struct times *out, const struct orr_time_splitter *splitter,
                      const struct orr_result *result)
{
    int code = orr_time_split_of(&out->split, splitter, result);
    if (!code)
        code = orr_stages_of(out->stages, &splitter->stages, splitter->scope, result);
    for (size_t k = 0; code >= 0 && k < splitter->stages.count; k++)
        out->stages[k] /= result->steps + 1;
    if (code >= 0)
        code = orr_phases_of(out->phases, &splitter->phases, splitter->scope, result);
    return code < 0 ? code : 0;
}

/* A row: a stage, the whole host, a phase, the whole device or its share, in this order. */
enum part_kind { STAGE, HOST, PHASE, DEVICE, SHARE };
struct part {
    enum part_kind kind;
    size_t at; /* of a stage or phase */
};

static double value_of(const struct times *times, const struct part *part)
{
    switch (part->kind) {
    case STAGE:
        return times->stages[part->at];
    case HOST:
        return times->split.host;
    case PHASE:
        return times->phases[part->at];
    case DEVICE:
        return times->split.device;
    case SHARE:
        return times->split.device / times->split.whole;
    }
    return NAN;
}

static void name_part(char *out, size_t size, const struct orr_time_splitter *splitter,
                      const struct part *part)
{
    static const char *const wholes[] = {
        [HOST] = "host", [DEVICE] = "device", [SHARE] = "device's share"};
    if (part->kind == STAGE || part->kind == PHASE)
        snprintf(out, size, "%s: %s", part->kind == STAGE ? "host" : "device",
                 part->kind == STAGE ? splitter->stages.names[part->at]
                                     : splitter->phases.names[part->at]);
    else
        snprintf(out, size, "%s", wholes[part->kind]);
}

struct rows {
    struct orr_grid *grid;
    const struct orr_time_splitter *splitter;
    const struct orr_results *results;
};

/* A row for a part of a line that has it. */
static int put_part(const struct rows *rows, const struct orr_line *line, const struct part *part)
{
    bool started = false;
    for (size_t k = 0; k < rows->results->input_count; k++) {
        const struct orr_result *r =
            *line->device ? orr_line_result(line, rows->results, &rows->results->inputs[k]) : NULL;
        struct times times;
        char key[32], text[48], name[64];
        int code = r ? load_times(&times, rows->splitter, r) : 0;
        double value = r && !code ? value_of(&times, part) : NAN;
        if (code)
            return code;
        if (isnan(value))
            continue;
        if (!started) {
            name_part(name, sizeof name, rows->splitter, part);
            orr_grid_row(rows->grid);
            orr_grid_text(rows->grid, "program", "%s",
                          orr_layout_label(rows->splitter->scope, line->variant));
            orr_grid_text(rows->grid, "setting", "%s", line->setting);
            orr_grid_text(rows->grid, "on", "%s", line->device);
            orr_grid_text(rows->grid, "part", "%s", name);
        }
        started = true;
        snprintf(key, sizeof key, "%zu", k);
        if (part->kind == SHARE)
            orr_grid_text(rows->grid, key, "%.1f %%", 100 * value);
        else
            orr_grid_text(rows->grid, key, "%s", orr_format_seconds(text, sizeof text, value));
    }
    return 0;
}

/* Each stage and phase where `whole` is false. */
static int put_line(const struct rows *rows, const struct orr_line *line, bool whole)
{
    const struct orr_time_splitter *s = rows->splitter;
    int code = 0;
    for (size_t k = 0; !whole && k < s->stages.count && !code; k++)
        if (s->stages.in_step[k])
            code = put_part(rows, line, &(struct part){STAGE, k});
    if (!code)
        code = put_part(rows, line, &(struct part){HOST, 0});
    for (size_t k = 0; !whole && k < s->phases.count && !code; k++)
        code = put_part(rows, line, &(struct part){PHASE, k});
    if (!code)
        code = put_part(rows, line, &(struct part){DEVICE, 0});
    return code ? code : put_part(rows, line, &(struct part){SHARE, 0});
}

int orr_time_parts_add(struct orr_document *out, const struct orr_time_splitter *splitter,
                       const struct orr_results *results, const struct orr_lines *lines)
{
    enum { FEW = 8 };
    struct rows rows = {.splitter = splitter, .results = results};
    rows.grid = orr_document_grid(
        out, false, "Time on the host and on the device, and the device's share of the whole");
    orr_grid_column(rows.grid, "program", "program", ORR_PEOPLE, false);
    orr_grid_column(rows.grid, "setting", "setting", ORR_PEOPLE, false);
    orr_grid_column(rows.grid, "on", "on", ORR_PEOPLE, false);
    orr_grid_column(rows.grid, "part", "part", ORR_PEOPLE, false);
    orr_layout_input_columns(rows.grid, results);
    int code = 0;
    for (size_t k = 0; k < lines->count && !code; k++)
        code = put_line(&rows, &lines->items[k], lines->count > FEW);
    if (!code && rows.grid && !rows.grid->row_count)
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
        orr_grid_column(g, splitter->stages.names[k], splitter->stages.names[k], ORR_PROGRAMS,
                        true);
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
        orr_grid_text(g, key, "%s", orr_format_seconds(text, sizeof text, seconds));
    orr_grid_number(g, key, seconds);
}

static int put_cell(struct orr_grid *g, const struct orr_time_splitter *splitter,
                    const struct orr_result *r)
{
    char text[96], key[64];
    struct times times;
    int code = load_times(&times, splitter, r);
    if (code)
        return code;
    orr_cell_row(g, splitter->scope, r);
    orr_grid_text(g, "extrapolated", "%s", r->extrapolated ? "extrapolated" : "no");
    orr_grid_text(g, "measured", "%s", orr_show_time(text, sizeof text, r));
    orr_grid_number(g, "seconds", r->seconds);
    orr_grid_number(g, "seconds_low", r->low);
    orr_grid_number(g, "seconds_high", r->high);
    orr_grid_number(g, "end_to_end_seconds", r->end_to_end_seconds);
    put_seconds(g, "host_seconds", times.split.host);
    put_seconds(g, "device_seconds", times.split.device);
    for (size_t k = 0; k < splitter->stages.count; k++)
        orr_grid_number(g, splitter->stages.names[k], times.stages[k]);
    for (size_t k = 0; k < splitter->phases.count; k++) {
        snprintf(key, sizeof key, "device %s", splitter->phases.names[k]);
        orr_grid_number(g, key, times.phases[k]);
    }
    if (!r->extrapolated)
        orr_grid_number(g, "samples", r->samples);
    return 0;
}

int orr_time_tables_add(struct orr_document *out, const struct orr_scope *scope,
                        const struct orr_results *results)
{
    struct orr_time_splitter splitter;
    struct orr_lines lines;
    int code = orr_lines_make(&lines, scope, results);
    if (!code)
        code = orr_time_splitter_make(&splitter, scope);
    if (!code)
        code = orr_printed_add(out, scope);
    if (!code)
        code = orr_time_parts_add(out, &splitter, results, &lines);
    if (!code)
        code = orr_matrices_add(out, scope, results, &lines);
    orr_lines_release(&lines);
    if (code)
        return code;
    struct orr_grid *g = orr_document_grid(out, true, "Every cell");
    orr_cell_columns(g, ORR_ALL);
    part_columns(g, &splitter);
    for (size_t k = 0; k < results->count && !code; k++)
        code = put_cell(g, &splitter, &results->items[k]);
    return code;
}
