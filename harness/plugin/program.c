/* SPDX-License-Identifier: MIT */
/* A program of any language as a variant. It is told what to do by lines and finds bodies and
 * results in shared memory; docs/PROGRAMS.md is the protocol. Whoever loads the variant gets a
 * struct orr_variant of the host, and treats it as any other.
 *
 * A program runs within `step` alone: between steps its process group is stopped, so that it can
 * neither compute before it is timed nor go on afterwards. */
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "json_member.h"
#include "measure/stats.h"
#include "memory.h"
#include "names.h"
#include "paths.h"
#include "plugin/params.h"
#include "plugin/plugin.h"
#include "process.h"
#include "sandbox.h"
#include "text.h"

/* --- which variants are programs --- */

/* {name: [word ...]} */
static json_t *commands(void)
{
    static json_t *all;
    return all ? all : (all = json_object());
}

bool orr_program_is(const char *name)
{
    return json_is_array(json_object_get(commands(), name));
}

static bool is_file(const char *path)
{
    struct stat about;
    return *path == '/' && !stat(path, &about) && S_ISREG(about.st_mode);
}

void orr_program_register(const char *name, char *const *words, size_t count, const char *folder)
{
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) {
        char path[2 * PATH_MAX], real[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", *words[k] == '/' ? "" : folder, words[k]);
        const bool there = k == 0 && !strchr(words[k], '/')
                               ? orr_paths_find_tool(real, sizeof real, words[k]) && is_file(real)
                               : realpath(path, real) && is_file(real);
        json_array_append_new(list, orr_json_shown(there ? real : words[k]));
    }
    json_object_set_new(commands(), name, list);
}

json_t *orr_program_pass(json_t *request, const char *name)
{
    if (name)
        json_object_set(request, "program", json_object_get(commands(), name));
    return request;
}

void orr_program_receive(const json_t *request)
{
    const char *name = orr_json_text(request, "variant");
    json_t *words = json_object_get(request, "program"), *word;
    size_t k;
    bool texts = json_array_size(words) > 0;
    json_array_foreach (words, k, word)
        texts = texts && json_is_string(word);
    if (name && texts)
        json_object_set(commands(), name, words);
}

/* --- its files: the words that are paths --- */

static const char *shown(const char *word)
{
    return is_file(word) ? strrchr(word, '/') + 1 : word;
}

int orr_program_identify(struct orr_plugin *out, const char *name)
{
    char hex[65], *command = NULL;
    size_t size = 0, k;
    json_t *word, *words = json_object_get(commands(), name), *hashes = json_object();
    const char *first = json_string_value(json_array_get(words, 0));
    int code = is_file(first)
                   ? 0
                   : orr_fail(ORR_EINPUT, "the program of %s is not there: %s%s", name, first,
                              strchr(first, '/') ? "" : " is in no folder of PATH");
    FILE *line = orr_memory_stream(&command, &size);
    json_array_foreach (words, k, word) {
        const char *text = json_string_value(word);
        fprintf(line, "%s%s", k ? " " : "", shown(text));
        if (code || !is_file(text))
            continue;
        code = orr_text_sha256_file(text, hex);
        json_object_set_new(hashes, shown(text), json_string(hex));
        snprintf(out->path, sizeof out->path, "%s", text);
    }
    fclose(line);
    out->about = json_pack("{s:s, s:o}", "command", command, "sha256", hashes);
    free(command);
    char *text = json_dumps(out->about, JSON_COMPACT | JSON_SORT_KEYS);
    orr_text_sha256(text, strlen(text), out->sha256);
    free(text);
    return code;
}

/* --- the process, and talking with it ---
 *
 * The contract's functions have no context of their own, and a process runs one variant at a
 * time. */

enum { LONGEST_LINE = 1 << 16 };
static struct {
    pid_t child;  /* 0: there is none */
    int line;     /* its standard input and output */
    int ended;    /* readable once it has ended */
    int log;      /* memory file that holds its standard error */
    bool stopped; /* by SIGSTOP, with its process group */
    bool talks;   /* it said more than it was asked */
    char text[LONGEST_LINE];
} process;

static const double END_S = 2;

static void end_program(bool kindly)
{
    int status;
    if (!process.child)
        return;
    kill(-process.child, SIGCONT);
    if (kindly && send(process.line, "quit\n", 5, MSG_NOSIGNAL) == 5)
        orr_process_wait(process.child, END_S);
    orr_process_reap(process.child, &status);
    close(process.line);
    close(process.log);
    close(process.ended);
    process.child = 0;
}

/* It has ended, or closed its output, where an answer was due. */
static int fail_ended(const char *asked)
{
    char words[256], how[64] = "closed its output";
    siginfo_t info = {0};
    if (orr_process_wait(process.child, END_S) &&
        !waitid(P_PID, (id_t)process.child, &info, WEXITED | WNOHANG | WNOWAIT)) {
        const char *name = info.si_code == CLD_EXITED ? NULL : sigabbrev_np(info.si_status);
        if (name)
            snprintf(how, sizeof how, "crashed (SIG%s)", name);
        else
            snprintf(how, sizeof how, "ended with exit code %d", info.si_status);
    }
    orr_process_last_words(process.log, words, sizeof words);
    return orr_fail(ORR_EINTERNAL, "the program %s before it answered '%s'%s%s", how, asked,
                    *words ? "; its last words: " : "", words);
}

/* The next line into *out, without its end. */
static int hear_line(char **out, const char *asked)
{
    for (size_t used = 0; used < sizeof process.text;) {
        struct pollfd from[] = {{process.line, POLLIN, 0}, {process.ended, POLLIN, 0}};
        if (poll(from, 2, -1) < 0)
            continue;
        ssize_t count =
            recv(process.line, process.text + used, sizeof process.text - used, MSG_DONTWAIT);
        if (count == 0 || (count < 0 && (from[1].revents || errno != EAGAIN)))
            return fail_ended(asked);
        used += count > 0 ? (size_t)count : 0;
        char *newline = memchr(process.text, '\n', used);
        if (newline) {
            *newline = '\0';
            process.talks = newline + 1 < process.text + used;
            *out = process.text;
            return 0;
        }
    }
    return orr_fail(ORR_EINTERNAL, "the program's answer to '%s' is a line without an end", asked);
}

/* Sends a line and hears the answer. What was said before is no answer to it. */
static int ask_program(const char *line, const char *asked, char **answer)
{
    char odd;
    if (process.talks || recv(process.line, &odd, 1, MSG_DONTWAIT | MSG_PEEK) > 0)
        return orr_fail(ORR_EINTERNAL, "the program said something before it was asked to '%s'",
                        asked);
    for (size_t sent = 0, size = strlen(line); sent < size;) {
        ssize_t count = send(process.line, line + sent, size - sent, MSG_NOSIGNAL);
        if (count <= 0)
            return fail_ended(asked);
        sent += (size_t)count;
    }
    int code = hear_line(answer, asked);
    if (code)
        return code;
    if (!strncmp(*answer, "unsupported ", 12))
        return orr_fail(ORR_EUNSUPPORTED, "%.300s", orr_text_tame(*answer + 12));
    if (!strncmp(*answer, "failed ", 7))
        return orr_fail(ORR_EINTERNAL, "the program failed: %.300s", orr_text_tame(*answer + 7));
    return 0;
}

static int fail_answer(const char *answer, const char *asked, const char *wanted)
{
    char text[80];
    snprintf(text, sizeof text, "%.60s", answer);
    return orr_fail(ORR_EINTERNAL, "the program answered '%s' to '%s', not %s", orr_text_tame(text),
                    asked, wanted);
}

/* In the new process. */
static _Noreturn void become_program(char *const *words, int line)
{
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(line, STDIN_FILENO) >= 0 && dup2(line, STDOUT_FILENO) >= 0 &&
        dup2(process.log, STDERR_FILENO) >= 0)
        execvp(*words, words);
    const char *why = strerror(errno);
    ssize_t ignored = write(STDERR_FILENO, why, strlen(why));
    (void)ignored;
    _exit(127);
}

static int start_program(const char *name)
{
    const json_t *list = json_object_get(commands(), name);
    const size_t count = json_array_size(list);
    char **words = orr_memory_get((count + 1) * sizeof *words);
    int pair[2] = {-1, -1};
    for (size_t k = 0; k < count; k++)
        words[k] = (char *)json_string_value(json_array_get(list, k));
    end_program(false);
    process.stopped = process.talks = false;
    process.log = memfd_create("orrery-program", MFD_CLOEXEC);
    const bool ready = process.log >= 0 && !fcntl(process.log, F_SETFL, O_APPEND) &&
                       !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
    process.child = ready ? orr_process_fork() : -1;
    if (!process.child)
        become_program(words, pair[1]);
    int error = errno;
    free(words);
    close(pair[1]);
    process.line = pair[0];
    if (process.child > 0) {
        process.ended = orr_process_watch(process.child);
        return 0;
    }
    process.child = 0;
    close(process.line);
    close(process.log);
    return orr_fail(ORR_EIO, "cannot start the program of %s: %s", name, strerror(error));
}

/* Returns once it has stopped, or ended. */
static void stop_program(void)
{
    siginfo_t info;
    if (process.stopped || !process.child)
        return;
    process.stopped = !kill(-process.child, SIGSTOP);
    while (process.stopped &&
           waitid(P_PID, (id_t)process.child, &info, WSTOPPED | WEXITED | WNOWAIT) &&
           errno == EINTR)
        ;
}

/* --- its description, as the table of a variant --- */

/* What orr_plugin's handle points to. */
struct orr_program {
    struct orr_variant variant;
    struct orr_param *params;
    json_t *said; /* which holds texts of it */
    struct orr_names choices;
    char flags[512];
    bool single, potential;
    double *own; /* seconds of steps, as the program says */
    size_t own_count;
};
static struct orr_program *current;

/* "a|b|c" of a list of words. */
static const char *join(struct orr_program *p, const json_t *list)
{
    char text[512] = "";
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *word = json_string_value(json_array_get(list, k));
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", k ? "|" : "", word ? word : "");
    }
    orr_names_add(&p->choices, "%s", text);
    return p->choices.items[p->choices.count - 1];
}

/* null: the data set's own; a number with a fraction or without; a list of words, the first the
 * default; {default, min, max}. */
static void read_param(struct orr_program *p, struct orr_param *out, const char *name,
                       const json_t *value)
{
    const json_t *fallback = json_is_object(value) ? json_object_get(value, "default") : value;
    const json_t *min = json_object_get(value, "min"), *max = json_object_get(value, "max");
    const bool whole = json_is_integer(fallback);
    out->name = name;
    out->help = "of the program";
    out->offset = (size_t)(out - p->params) * sizeof(double);
    out->type = json_is_array(value) ? ORR_PARAM_CHOICE : whole ? ORR_PARAM_INT : ORR_PARAM_FLOAT;
    out->choices = json_is_array(value) ? join(p, value) : NULL;
    out->fallback = json_is_array(value)       ? 0
                    : json_is_number(fallback) ? json_number_value(fallback)
                                               : NAN;
    out->min = json_is_number(min) ? json_number_value(min) : 0;
    out->max = json_is_number(max) ? json_number_value(max) : whole ? INT32_MAX : DBL_MAX;
}

static void read_params(struct orr_program *p)
{
    const char *name;
    json_t *value, *params = json_object_get(p->said, "parameters");
    p->params = orr_memory_get((json_object_size(params) + 1) * sizeof *p->params);
    json_object_foreach (params, name, value)
        read_param(p, &p->params[p->variant.param_count++], name, value);
    p->variant.params = p->params;
    p->variant.params_size = (p->variant.param_count + 1) * sizeof(double);
}

static const char FIRST[] = "{\"orrery\":1,\"ask\":\"describe\"}\n";

/* Starts the program, has it describe itself, and ends it. */
static int ask_description(json_t **out, const char *name)
{
    char *answer;
    *out = NULL;
    int code = start_program(name);
    if (!code)
        code = ask_program(FIRST, "describe", &answer);
    if (!code && !(*out = json_loads(answer, 0, NULL)))
        code = fail_answer(answer, "describe", "an object of JSON");
    end_program(!code);
    return code;
}

/* The columns of docs/PROGRAMS.md: doubles, floats, and results as the program wants them. */
enum { FLOATS = 4, RESULTS = 8, PHI = 11, COLUMNS };
static const char *const column_names[COLUMNS] = {"m",   "x",   "y",  "z",  "m32", "x32",
                                                  "y32", "z32", "ax", "ay", "az",  "phi"};
struct state {
    size_t n;
    int files[COLUMNS];
    void *at[COLUMNS]; /* NULL: there is none */
};

/* --- as a variant --- */

static size_t width_of(int column)
{
    const bool single = column < RESULTS ? column >= FLOATS : current->single;
    return single ? sizeof(float) : sizeof(double);
}

static bool has_column(int column, int dimensions)
{
    return column == PHI       ? current->potential
           : column >= RESULTS ? column - RESULTS < dimensions
                               : column % FLOATS <= dimensions;
}

/* A memory file of n values, whose size nobody can change: to read behind its end would crash. */
static int make_column(struct state *s, int column)
{
    const size_t bytes = s->n * width_of(column);
    int file = memfd_create(column_names[column], MFD_CLOEXEC | MFD_ALLOW_SEALING);
    void *at = MAP_FAILED;
    if (file >= 0 && !ftruncate(file, (off_t)bytes) &&
        !fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) {
        int error = errno;
        close(file);
        return orr_fail(ORR_EMEMORY, "no memory to share with the program: %s", strerror(error));
    }
    s->files[column] = file;
    s->at[column] = at;
    return 0;
}

/* The line that says what to compute. */
static char *describe_work(const struct orr_job *job)
{
    const struct state *s = job->state;
    json_t *columns = json_object();
    for (int k = 0; k < COLUMNS; k++)
        if (s->at[k])
            json_object_set_new(columns, column_names[k],
                                json_sprintf("/proc/%d/fd/%d", (int)getpid(), s->files[k]));
    json_t *line = json_pack(
        "{s:s, s:I, s:i, s:i, s:i, s:o, s:o}", "ask", "prepare", "n", (json_int_t)job->bodies->n,
        "dimensions", job->bodies->dimensions, "G", 1, "threads", job->host->threads, "parameters",
        orr_params_to_json(&current->variant, job->params), "columns", columns);
    char *text = json_dumps(line, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(line);
    text = orr_memory_more(text, strlen(text) + 2);
    strcat(text, "\n");
    return text;
}

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    char *line, *answer = NULL;
    int code = 0;
    current->own_count = 0;
    s->n = job->bodies->n;
    for (int k = 0; !code && k < COLUMNS; k++)
        code = has_column(k, job->bodies->dimensions) ? make_column(s, k) : 0;
    if (!code)
        code = start_program(current->variant.name);
    if (code)
        return code;
    line = describe_work(job);
    code = ask_program(line, "prepare", &answer);
    free(line);
    if (!code && strcmp(answer, "ready") && strncmp(answer, "ready ", 6))
        code = fail_answer(answer, "prepare", "'ready'");
    if (!code && answer[5])
        snprintf(job->note, sizeof job->note, "%s", answer + 6);
    return code;
}

/* Bytes of ones are NAN, of floats and of doubles. */
static int upload(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    stop_program();
    for (int k = RESULTS; k < COLUMNS; k++)
        if (s->at[k])
            memset(s->at[k], 0xff, s->n * width_of(k));
    for (int k = 0; k <= b->dimensions; k++) {
        double *doubles = s->at[k];
        float *floats = s->at[FLOATS + k];
        for (size_t i = 0; i < s->n; i++)
            floats[i] = (float)(doubles[i] = k ? b->pos[k - 1][i] : b->mass[i]);
    }
    return 0;
}

/* Seconds behind "stepped", NAN where there are none; false where that is no answer to a step. */
static bool read_stepped(const char *answer, double *own)
{
    *own = NAN;
    if (strncmp(answer, "stepped", 7) || !strcmp(answer, "stepped"))
        return !strcmp(answer, "stepped");
    return answer[7] == ' ' && orr_text_number(answer + 8, own) && *own >= 0;
}

static int step(struct orr_job *job)
{
    char *answer = NULL;
    double own;
    (void)job;
    if (process.stopped)
        kill(-process.child, SIGCONT);
    process.stopped = false;
    int code = ask_program("step\n", "step", &answer);
    if (code)
        return code;
    if (!read_stepped(answer, &own))
        return fail_answer(answer, "step", "'stepped SECONDS'");
    if (isfinite(own))
        *(double *)orr_memory_add(&current->own, &current->own_count, sizeof own) = own;
    return 0;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct state *s = job->state;
    float *const to[] = {out->acc[0], out->acc[1], out->acc[2], out->phi};
    stop_program();
    for (int k = 0; k < COLUMNS - RESULTS; k++) {
        const void *from = s->at[RESULTS + k];
        for (size_t i = 0; from && i < s->n; i++)
            to[k][i] =
                current->single ? ((const float *)from)[i] : (float)((const double *)from)[i];
    }
    if (!s->at[PHI - 1])
        memset(out->acc[2], 0, s->n * sizeof *out->acc[2]);
    out->has_phi = current->potential;
    return 0;
}

/* A direct sum's pairs; what a tree code does is its own business. */
static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const double n = (double)job->bodies->n;
    out->interactions = n * (n - 1);
    return 0;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;
    end_program(true);
    for (int k = 0; k < COLUMNS; k++)
        if (s->at[k]) {
            munmap(s->at[k], s->n * width_of(k));
            close(s->files[k]);
        }
}

/* --- loading it --- */

static void make_variant(struct orr_plugin *plugin, const char *name)
{
    struct orr_program *p = plugin->program;
    const char *summary = orr_json_text(p->said, "summary");
    const bool tree = json_is_true(json_object_get(p->said, "tree"));
    json_int_t dimensions = orr_json_integer(p->said, "dimensions");
    snprintf(p->flags, sizeof p->flags, "external: %s", orr_json_text(plugin->about, "command"));
    p->single = orr_json_is(p->said, "results", "fp32");
    p->potential = json_is_true(json_object_get(p->said, "potential"));
    if (json_is_true(json_object_get(p->said, "gpu")))
        json_object_set_new(plugin->about, "gpu", json_true());
    orr_names_add(&p->choices, "%s", name);
    p->variant = (struct orr_variant){
        .abi = ORR_VARIANT_ABI,
        .size = sizeof p->variant,
        .name = p->choices.items[0],
        .summary = summary ? summary : "a program",
        .capabilities = ORR_RUNS_HOST | (tree ? ORR_TREE_CODE : 0),
        .dimensions = dimensions ? (int)dimensions : 3,
        .state_size = sizeof(struct state),
        .build_flags = p->flags,
        .prepare = prepare,
        .upload = upload,
        .step = step,
        .fetch = fetch,
        .cost = tree ? NULL : cost,
        .release = release,
    };
    read_params(p);
    plugin->variant = &p->variant;
}

int orr_program_load(struct orr_plugin *out, const char *name)
{
    if (orr_sandbox_is_asked())
        return orr_fail(ORR_EUNSUPPORTED, "%s is a program, and the sandbox starts none", name);
    out->program = current = orr_memory_get(sizeof *current);
    int code = orr_program_identify(out, name);
    if (!code)
        code = ask_description(&current->said, name);
    if (!code) {
        make_variant(out, name);
        code = orr_variant_validate(out->variant);
    }
    return code ? orr_error_context("the program of %s", name) : 0;
}

void orr_program_release(struct orr_program *p)
{
    end_program(false);
    json_decref(p->said);
    orr_names_free(p->choices.items);
    free(p->params);
    free(p->own);
    free(p);
    current = NULL;
}

json_t *orr_program_own_seconds(const struct orr_plugin *plugin)
{
    const struct orr_program *p = plugin->program;
    return p && p->own_count ? json_real(orr_stats_median(p->own, p->own_count)) : NULL;
}
