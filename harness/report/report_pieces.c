/* SPDX-License-Identifier: MIT */
/* The pieces of the report that are of one experiment or paper, each written by a process of its
 * own. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "datasets/formats/output.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "present/layout.h"
#include "present/write.h"
#include "report/report_parts.h"
#include "text.h"

/* --- figures --- */

/* gnuplot's SVG as a part of a page; script.js shows what its points tell. */
static int put_drawing(FILE *to, const char *path, const char *text)
{
    char *drawing;
    size_t size;
    int code = orr_text_read(&drawing, &size, path, path);
    if (code)
        return code;
    /* Its own title says "Gnuplot". */
    const char *begin = strstr(drawing, "<svg"), *title = strstr(drawing, "<title>"),
               *body = strstr(drawing, "</desc>");
    if (begin && title && body && begin < title && title < body) {
        fwrite(begin, 1, (size_t)(title - begin), to);
        orr_html_print(to, "<desc>%s", text);
        fputs(body, to);
    } else
        code = orr_fail(ORR_EINTERNAL, "%s is no drawing of gnuplot's", path);
    free(drawing);
    return code;
}

/* What is being written: a piece, the shared memory of its process, where to. */
struct writer {
    const struct orr_report_pieces *pieces;
    const struct orr_report_piece *piece;
    struct orr_report_shown *shown;
    FILE *to;
};

/* "fujiwara-table2-nvidia-h200": names files and anchors, so only letters, digits, dots and dashes
 * are kept of the machine. */
static void name_file(char *out, size_t size, const char *first, const char *second,
                      const char *machine)
{
    snprintf(out, size, "%s-%s-%s", first, second, machine);
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.')
            *c = '-';
}

static void name_scope(char *out, size_t size, const struct orr_scope *scope)
{
    name_file(out, size, scope->paper->key, scope->experiment->name, scope->machine);
}

static int save(const struct writer *w, const struct orr_document *document, const char *stem,
                const struct orr_format *format)
{
    struct orr_output output;
    int code = orr_report_open(&output, w->pieces->folder, stem, format->name);
    return code ? code : orr_output_end(&output, format->write(output.file, document, 1));
}

void orr_report_picture(FILE *to, const char *stem, const char *text)
{
    orr_html_print(to,
                   "<a class=\"figure\" href=\"%s.html\"><img src=\"%s.svg\" alt=\"%s\" "
                   "loading=\"lazy\"></a>\n",
                   stem, stem, text);
}

/* A figure that cannot be drawn costs the pages that figure; a full disk costs the report. */
static int put_figure(const struct writer *w, FILE *page, struct orr_layout_figure *figure,
                      const char *stem, const char *title)
{
    char svg[1400];
    snprintf(svg, sizeof svg, "%s/%s.svg", w->pieces->folder, stem);
    int code = figure->code ? orr_fail(figure->code, "%s", figure->why)
                            : orr_plot_draw(&figure->plot, svg);
    if (code == ORR_EIO || code == ORR_EMEMORY)
        return code;
    if (code) {
        orr_html_print(page, "<p class=\"soft\">No figure: %s</p>\n", orr_error_text());
        if (code != ORR_EUSAGE) /* nothing to plot yet needs no warning */
            snprintf(w->shown->warning, sizeof w->shown->warning, "%s", orr_error_text());
        orr_error_clear();
        return 0;
    }
    if (!*w->shown->figure)
        snprintf(w->shown->figure, sizeof w->shown->figure, "%s", stem);
    orr_report_picture(w->to, stem, title);
    fputs("<div class=\"figure full\">\n", page);
    code = put_drawing(page, svg, title);
    fprintf(page, "</div>\n<p class=\"soft\">The figure as <a href=\"%s.svg\">SVG</a>.</p>\n",
            stem);
    return code;
}

/* The figure and the tables: all of them on the page of their own, in short on the paper's. */
static int put_document(const struct writer *w, FILE *page, const struct orr_document *document,
                        struct orr_layout_figure *figure, const char *stem)
{
    int code = put_figure(w, page, figure, stem, document->title);
    orr_html_document(page, document, false);
    orr_html_document(w->to, document, true);
    fprintf(page,
            "<p class=\"soft\">This table as <a href=\"%s.md\">markdown</a> and <a "
            "href=\"%s.csv\">CSV</a>.</p>\n",
            stem, stem);
    fprintf(w->to, "<p class=\"soft\"><a href=\"%s.html\">Every cell</a></p>\n", stem);
    if (!code)
        code = save(w, document, stem, &orr_format_md);
    return code ? code : save(w, document, stem, &orr_format_csv);
}

/* The experiment on other machines. */
static void put_others(FILE *to, const struct orr_scopes *scopes, const char *machine)
{
    char stem[256];
    fputs("<p class=\"contents\">", to);
    for (size_t s = 0; s < scopes->count; s++) {
        const struct orr_scope *other = &scopes->items[s];
        name_scope(stem, sizeof stem, other);
        if (!strcmp(other->machine, machine))
            orr_html_print(to, "<b>%s</b>\n", machine);
        else
            orr_html_print(to, "<a href=\"%s.html\">%s</a>\n", stem, other->machine);
    }
    fputs("</p>\n", to);
}

/* The page of a document, and the document in short on the paper's, where it is folded but for the
 * first machine's. */
static int put_page(const struct writer *w, const struct orr_document *document,
                    struct orr_layout_figure *figure, const char *stem, const char *title,
                    const char *machine, bool folded)
{
    struct orr_report_page page;
    int code = orr_report_begin_page(&page, w->pieces->selection, w->pieces->folder, stem, title);
    if (!code) {
        if (w->piece->scopes.count)
            put_others(page.to, &w->piece->scopes, machine);
        orr_html_print(w->to, "<details class=\"machine\" id=\"%s\"%s><summary>%s</summary>\n",
                       stem, folded ? "" : " open", machine);
        code = put_document(w, page.to, document, figure, stem);
        fputs("</details>\n", w->to);
    }
    return orr_report_end_page(&page, code);
}

/* What the devices of a machine could do with the paper's programs at most, and the paper's own. */
static int put_roofline(const struct writer *w, const char *machine)
{
    struct orr_selection selection = *w->pieces->selection;
    const struct orr_paper *paper = w->piece->paper;
    struct orr_document document;
    struct orr_layout_figure figure = {0};
    char stem[256];
    selection.machine = machine;
    name_file(stem, sizeof stem, "roofline", paper->key, machine);
    int code = orr_layout_overview(&document, &figure.plot, &orr_layout_roofline, &selection, paper,
                                   paper->key);
    const struct orr_grid *rows = orr_document_data(&document);
    if (rows && rows->row_count) {
        figure.code = code;
        snprintf(figure.why, sizeof figure.why, "%s", code ? orr_error_text() : "");
        code = put_page(w, &document, &figure, stem, document.title, machine, true);
    } else if (code == ORR_EUSAGE) /* nothing tells what the programs do */
        code = 0;
    orr_plot_release(&figure.plot);
    orr_document_release(&document);
    return code;
}

/* One experiment on one machine. */
static int put_scope(const struct writer *w, size_t s)
{
    const struct orr_scope *scope = &w->piece->scopes.items[s];
    struct orr_document document = {0};
    struct orr_layout_figure figure = {0};
    char stem[256], title[512];
    name_scope(stem, sizeof stem, scope);
    snprintf(title, sizeof title, "%s, %s: %s", scope->name, scope->experiment->shows,
             scope->experiment->title);
    int code = orr_layout_both(&document, &figure, scope);
    if (!code)
        code = put_page(w, &document, &figure, stem, title, scope->machine, s > 0);
    orr_plot_release(&figure.plot);
    orr_document_release(&document);
    return code;
}

static int put_piece(const struct writer *w)
{
    const struct orr_scopes *scopes = &w->piece->scopes;
    int code = 0;
    if (scopes->count) {
        const struct orr_experiment *experiment = scopes->items[0].experiment;
        orr_html_print(w->to, "<h2 id=\"%s\">%s: %s</h2>\n", experiment->name, experiment->shows,
                       experiment->title);
        for (size_t s = 0; s < scopes->count && !code; s++)
            code = put_scope(w, s);
    } else {
        fputs("<h2 id=\"roofline\">Rooflines</h2>\n", w->to);
        for (size_t m = 0; m < w->pieces->machine_count && !code; m++)
            code = put_roofline(w, w->pieces->machines[m]);
    }
    return code;
}

/* --- the list of them --- */

static int write_piece(size_t k, void *context)
{
    const struct orr_report_pieces *pieces = context;
    const struct orr_report_piece *piece = &pieces->items[k];
    const struct writer w = {pieces, piece, &pieces->shown[k], piece->html};
    int code = put_piece(&w);
    if (fflush(piece->html) && !code)
        code = orr_fail(ORR_EMEMORY, "no memory for the report");
    return code;
}

static int add_piece(struct orr_report_pieces *pieces, const struct orr_paper *paper)
{
    pieces->items = orr_memory_more(pieces->items, (pieces->count + 1) * sizeof *pieces->items);
    int file = memfd_create("orrery-report", MFD_CLOEXEC);
    FILE *html = file < 0 ? NULL : fdopen(file, "w+");
    if (!html) {
        int code = orr_fail(ORR_EIO, "cannot make a memory file: %s", strerror(errno));
        if (file >= 0)
            close(file);
        return code;
    }
    pieces->items[pieces->count++] = (struct orr_report_piece){.paper = paper, .html = html};
    return 0;
}

/* The scopes that were measured, in the page's order of machines. */
static void sort_scopes(struct orr_scopes *scopes, const struct orr_report_pieces *pieces)
{
    size_t kept = 0;
    for (size_t m = 0; m < pieces->machine_count; m++)
        for (size_t s = kept; s < scopes->count; s++)
            if (scopes->items[s].measured &&
                !strcmp(scopes->items[s].machine, pieces->machines[m])) {
                struct orr_scope found = scopes->items[s];
                scopes->items[s] = scopes->items[kept];
                scopes->items[kept++] = found;
                break;
            }
    scopes->count = kept;
}

static int add_experiment(struct orr_report_pieces *pieces, const struct orr_target *target)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, pieces->selection, target);
    size_t held = scopes.count;
    if (!code)
        sort_scopes(&scopes, pieces);
    if (!code && scopes.count && !(code = add_piece(pieces, target->paper))) {
        pieces->items[pieces->count - 1].scopes = scopes;
        pieces->items[pieces->count - 1].held = held;
        return 0;
    }
    scopes.count = held;
    orr_selection_release_scopes(&scopes);
    return code;
}

/* Behind the experiments of a paper that has results its roofline. */
static int add_roofline(struct orr_report_pieces *pieces, const struct orr_paper *paper)
{
    bool measured = pieces->count && pieces->items[pieces->count - 1].paper == paper;
    return measured ? add_piece(pieces, paper) : 0;
}

int orr_report_begin_pieces(struct orr_report_pieces *out, const struct orr_selection *selection,
                            const char *folder, char *const *machines, size_t machine_count)
{
    int code = 0;
    *out = (struct orr_report_pieces){.selection = selection,
                                      .folder = folder,
                                      .machines = machines,
                                      .machine_count = machine_count};
    for (size_t k = 0; k < selection->target_count && !code; k++) {
        const struct orr_target *target = &selection->targets[k];
        code = add_experiment(out, target);
        if (!code && (k + 1 == selection->target_count || target[1].paper != target->paper))
            code = add_roofline(out, target->paper);
    }
    if (code || !out->count)
        return code;
    void *shown = mmap(NULL, out->count * sizeof *out->shown, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shown == MAP_FAILED)
        return orr_fail(ORR_EMEMORY, "no memory for the report");
    out->shown = shown;
    return orr_forked_work_start(&out->work, out->count, write_piece, out);
}

static void show_progress(size_t done, void *context)
{
    struct orr_report_pieces *pieces = context;
    if (done == pieces->count)
        return;
    const struct orr_report_piece *piece = &pieces->items[done];
    orr_waiting_at(&pieces->waiting, "report",
                   piece->scopes.count ? piece->scopes.items[0].name : piece->paper->key, done,
                   pieces->count);
}

int orr_report_end_pieces(struct orr_report_pieces *pieces)
{
    orr_waiting_begin(&pieces->waiting, stderr);
    int code = orr_forked_work_end(&pieces->work, show_progress);
    orr_waiting_end(&pieces->waiting);
    return code;
}

int orr_report_copy_piece(FILE *to, const struct orr_report_piece *piece)
{
    char text[1 << 14];
    size_t got;
    rewind(piece->html);
    while ((got = fread(text, 1, sizeof text, piece->html)) > 0)
        fwrite(text, 1, got, to);
    return ferror(piece->html) ? orr_fail(ORR_EIO, "cannot read a part of the report") : 0;
}

void orr_report_release_pieces(struct orr_report_pieces *pieces)
{
    for (size_t k = 0; k < pieces->count; k++) {
        pieces->items[k].scopes.count = pieces->items[k].held;
        orr_selection_release_scopes(&pieces->items[k].scopes);
        fclose(pieces->items[k].html);
    }
    if (pieces->shown)
        munmap(pieces->shown, pieces->count * sizeof *pieces->shown);
    free(pieces->items);
    *pieces = (struct orr_report_pieces){0};
}
