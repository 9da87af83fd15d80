/* SPDX-License-Identifier: MIT */
#include "present/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "names.h"
#include "paths.h"

extern char **environ;

int orr_plot_open(struct orr_plot *out, const char *script)
{
    *out = (struct orr_plot){.width = 1200, .height = 800};
    snprintf(out->script, sizeof out->script, "%s", script);
    int code = orr_paths_make_temporary(out->folder, sizeof out->folder, "plot-");
    if (code)
        return code;
    char path[256];
    snprintf(path, sizeof path, "%s/variables.gp", out->folder);
    out->variables = fopen(path, "w");
    return out->variables ? 0 : orr_fail(ORR_EIO, "cannot write %s: %s", path, strerror(errno));
}

/* A single-quoted text doubles its quotes, but gnuplot misreads one that begins with a quote or has
 * several in a row. Double quotes take every character as an octal escape: there nothing is left
 * to be read as a command, a macro or the end. */
static void put_text(FILE *to, const char *text)
{
    bool plain = *text != '\'' && !strstr(text, "''") && !strpbrk(text, "`@\n\r");
    fputc(plain ? '\'' : '"', to);
    for (; *text; text++)
        if (plain)
            fputs(*text == '\'' ? "''" : (char[2]){*text}, to);
        else if (strchr("'\"`@\\", *text))
            fprintf(to, "\\%03o", (unsigned)*text);
        else
            fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
    fputs(plain ? "'\n" : "\"\n", to);
}

static void put_name(struct orr_plot *plot, const char *name)
{
    const char *of = *name == '$' ? name + 1 : NULL;
    if (of && !orr_names_has(plot->arrays.items, of)) {
        orr_names_add(&plot->arrays, "%s", of);
        fprintf(plot->variables, "array %s_of[series]; do for [k = 1:series] { %s_of[k] = '' }\n",
                of, of);
    }
    if (of)
        fprintf(plot->variables, "%s_of[%d] = ", of, plot->series);
    else
        fprintf(plot->variables, "%s = ", name);
}

void orr_plot_text(struct orr_plot *plot, const char *name, const char *text)
{
    put_name(plot, name);
    put_text(plot->variables, text);
}

void orr_plot_heading(struct orr_plot *plot, const char *name, const char *format, ...)
{
    char text[1024], safe[2 * sizeof text], *to = safe;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *from = text; *from; *to++ = *from++)
        if (strchr("_^{}@&~\\", *from))
            *to++ = '\\';
    *to = '\0';
    orr_plot_text(plot, name, safe);
}

void orr_plot_number(struct orr_plot *plot, const char *name, double value)
{
    put_name(plot, name);
    fprintf(plot->variables, isnan(value) ? "NaN\n" : "%.17g\n", value);
}

FILE *orr_plot_series(struct orr_plot *plot, const char *header, int style, const char *label)
{
    char path[256];
    plot->series++;
    orr_plot_text(plot, "$label", label);
    orr_plot_number(plot, "$style", style);
    snprintf(path, sizeof path, "%s/series-%d.csv", plot->folder, plot->series);
    FILE *file = fopen(path, "w");
    if (file && header)
        fprintf(file, "%s\n", header);
    if (!file)
        orr_fail(ORR_EIO, "cannot write %s: %s", path, strerror(errno));
    return file;
}

/* --- drawing --- */

/* Puts the terminal in front of the variables and the script behind them. */
static int write_driver(const struct orr_plot *plot)
{
    char driver[256], script[1024], plots[1024];
    int code = orr_paths_home(script, sizeof script, "plots/%s.gp", plot->script);
    if (!code)
        code = orr_paths_home(plots, sizeof plots, "plots");
    if (code)
        return code;
    if (access(script, R_OK))
        return orr_fail(ORR_EIO, "cannot read the gnuplot script %s: %s", script, strerror(errno));
    snprintf(driver, sizeof driver, "%s/driver.gp", plot->folder);
    FILE *to = fopen(driver, "w");
    if (!to)
        return orr_fail(ORR_EIO, "cannot write %s: %s", driver, strerror(errno));
    fprintf(to, "kind = '%s'\nwidth = %d\nheight = %d\nseries = %d\n", plot->kind, plot->width,
            plot->height, plot->series);
    fputs("folder = ", to);
    put_text(to, plot->folder);
    fputs("plots = ", to);
    put_text(to, plots);
    fputs("picture = ", to);
    put_text(to, plot->output.path);
    fputs("load folder.'/variables.gp'\nload plots.'/common.gp'\nload ", to);
    put_text(to, script);
    fputs("unset output\nset print folder.'/drawn'\nprint picture\nset print\n", to);
    return fclose(to) ? orr_fail(ORR_EIO, "cannot write %s: %s", driver, strerror(errno)) : 0;
}

static void first_line(char *out, size_t size, const char *path)
{
    FILE *from = fopen(path, "r");
    *out = '\0';
    /* gnuplot quotes the script around its complaint; the complaint names a line. */
    for (char line[512]; from && fgets(line, sizeof line, from);)
        if (strstr(line, " line ") || !*out)
            snprintf(out, size, "%s", line);
    if (from)
        fclose(from);
    out[strcspn(out, "\n")] = '\0';
}

/* A picture's kind is the ending of its file; `end` is what its last bytes hold. */
static const struct kind {
    const char *name, *end;
    bool still, film; /* what may be of it */
} kinds[] = {{"svg", "</svg>", true, false},
             {"png", "IEND", true, true},
             {"pdf", "%%EOF", true, false},
             {"gif", ";", false, true}};

static const struct kind *kind_of(const char *path, bool film)
{
    const char *ending = strrchr(path, '.');
    const struct kind *kind = ending ? orr_names_among(ending + 1, kinds) : NULL;
    return kind && (film ? kind->film : kind->still) ? kind : NULL;
}

int orr_plot_check(const char *path, bool film)
{
    char file[1024];
    if (!kind_of(path, film))
        return orr_fail(ORR_EUSAGE, "'%s': a %s is written to a file that ends in %s", path,
                        film ? "picture of bodies" : "plot",
                        film ? ".gif or .png" : ".svg, .png or .pdf");
    if (!orr_paths_find_tool(file, sizeof file, "gnuplot"))
        return orr_fail(ORR_EUNSUPPORTED, "gnuplot is not installed; plots need it (Debian, "
                                          "Ubuntu: apt-get install gnuplot-nox)");
    return 0;
}

/* Is there once gnuplot came to the end of the figure: within one that fails it ends the picture,
 * too. */
static char *drawn_file(char out[256], const struct orr_plot *plot)
{
    snprintf(out, 256, "%s/drawn", plot->folder);
    return out;
}

static int prepare(struct orr_plot *plot, const char *path)
{
    char file[256];
    int code = orr_plot_check(path, plot->film);
    if (!code)
        code = orr_output_begin(&plot->output, path);
    if (code)
        return code;
    plot->kind = kind_of(path, plot->film)->name;
    plot->output.derived = true;
    remove(drawn_file(file, plot));        /* of another kind */
    code = orr_output_open(&plot->output); /* gnuplot says little about a file it cannot open */
    if (!code && (fflush(plot->variables) || ferror(plot->variables)))
        code = orr_fail(ORR_EIO, "cannot write to %s: %s; TMPDIR names another folder",
                        plot->folder, strerror(errno));
    if (!code)
        code = write_driver(plot);
    plot->drawing = !code;
    return code ? orr_output_end(&plot->output, code) : 0;
}

/* What it complains of is in a file of the folder of its first figure. */
static int start_gnuplot(struct orr_gnuplot *out, const char *folder)
{
    int ends[2];
    char errors[256];
    char *const arguments[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t actions;
    snprintf(errors, sizeof errors, "%s/errors", folder);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return orr_fail(ORR_EINTERNAL, "cannot start gnuplot: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    int status = posix_spawnp(&out->process, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    out->figures = ends[0];
    if (!status)
        return 0;
    close(ends[0]);
    out->process = 0;
    return orr_fail(ORR_EINTERNAL, "cannot start gnuplot: %s", strerror(status));
}

/* One that has ended takes no more: orr_plot_finish draws what it did not. */
static int hand_over(struct orr_plot *plot, struct orr_gnuplot *by)
{
    char path[256], order[1024] = "";
    int code = by->process ? 0 : start_gnuplot(by, plot->folder);
    if (code)
        return code;
    snprintf(path, sizeof path, "%s/driver.gp", plot->folder);
    FILE *to = fmemopen(order, sizeof order, "w");
    fputs("reset session\nload ", to);
    put_text(to, path);
    fclose(to);
    return send(by->figures, order, strlen(order), MSG_NOSIGNAL) < 0 && errno != EPIPE
               ? orr_fail(ORR_EINTERNAL, "cannot tell gnuplot what to draw: %s", strerror(errno))
               : 0;
}

bool orr_plot_end_gnuplot(struct orr_gnuplot *gnuplot)
{
    int status = 0;
    if (!gnuplot->process)
        return true;
    close(gnuplot->figures);
    while (waitpid(gnuplot->process, &status, 0) < 0 && errno == EINTR)
        ;
    gnuplot->process = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* gnuplot ends well on a full disk too: the picture must have its end. */
static bool is_whole(const struct orr_plot *plot)
{
    const struct kind *kind = orr_names_among(plot->kind, kinds);
    char tail[32];
    FILE *from = fopen(plot->output.path, "rb");
    size_t size = from && !fseek(from, -32, SEEK_END) ? fread(tail, 1, 32, from) : 0;
    if (from)
        fclose(from);
    return memmem(tail, size, kind->end, strlen(kind->end));
}

static int draw_alone(struct orr_plot *plot)
{
    struct orr_gnuplot gnuplot = {0};
    char errors[256], complaint[512];
    int code = hand_over(plot, &gnuplot);
    if (orr_plot_end_gnuplot(&gnuplot) || code)
        return code;
    snprintf(errors, sizeof errors, "%s/errors", plot->folder);
    first_line(complaint, sizeof complaint, errors);
    return orr_fail(ORR_EINTERNAL, "gnuplot could not draw plots/%s.gp: %s", plot->script,
                    complaint);
}

int orr_plot_finish(struct orr_plot *plot)
{
    char file[256];
    int code = access(drawn_file(file, plot), F_OK) ? draw_alone(plot) : 0;
    if (!code && !plot->output.in_place && !is_whole(plot))
        code = orr_fail(ORR_EIO, "cannot write %s: gnuplot left it unfinished; is the disk full?",
                        plot->output.target);
    plot->drawing = false;
    return orr_output_end(&plot->output, code);
}

int orr_plot_draw(struct orr_plot *plot, const char *path, struct orr_gnuplot *by)
{
    int code = prepare(plot, path);
    if (code)
        return code;
    return by ? hand_over(plot, by) : orr_plot_finish(plot);
}

void orr_plot_settle(struct orr_plot *plot, int code)
{
    plot->code = code;
    snprintf(plot->why, sizeof plot->why, "%s", orr_error_text());
    orr_error_clear();
}

void orr_plot_release(struct orr_plot *plot)
{
    if (plot->drawing) /* nobody wants its picture any more */
        orr_output_end(&plot->output, ORR_EIO);
    if (plot->variables)
        fclose(plot->variables);
    orr_names_free(plot->arrays.items);
    orr_paths_remove_temporary(plot->folder);
    *plot = (struct orr_plot){0};
}
