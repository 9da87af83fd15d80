/* SPDX-License-Identifier: MIT */
#include "plugin/program.h"

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
#include "plugin/params.h"
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
    return !stat(path, &about) && S_ISREG(about.st_mode);
}

void orr_program_register(const char *name, char *const *words, size_t count, const char *folder)
{
    json_t *list = json_array();
    for (size_t k = 0; k < count; k++) {
        char path[PATH_MAX], real[PATH_MAX];
        const bool absolute = *words[k] == '/',
                   looked_up = k == 0 && !strchr(words[k], '/'); /* in PATH */
        int length = snprintf(path, sizeof path, "%s%s%s", absolute ? "" : folder,
                              absolute ? "" : "/", words[k]);
        const bool there = !looked_up && length < PATH_MAX && is_file(path) && realpath(path, real);
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

int orr_program_split(char ***out, const char *command)
{
    struct orr_names words = {0};
    char *word = orr_memory_get(strlen(command) + 1);
    *out = NULL;
    while (*(command += strspn(command, " \t\n"))) {
        size_t length = 0;
        char quote = 0;
        for (; *command && (quote || !strchr(" \t\n", *command)); command++) {
            if (quote ? *command == quote : *command == '\'' || *command == '"')
                quote = (char)(quote ? 0 : *command);
            else
                word[length++] = *command;
        }
        word[length] = '\0';
        if (quote) {
            orr_fail(ORR_EUSAGE, "a program's command has a %c without an end", quote);
            break;
        }
        orr_names_add(&words, "%s", word);
    }
    free(word);
    if (!words.count && !orr_error_code())
        orr_fail(ORR_EUSAGE, "a program's command is empty; write --program 'python3 tree.py'");
    if (orr_error_code())
        orr_names_free(words.items);
    else
        *out = words.items;
    return orr_error_code();
}

/* --- its files --- */

/* The file that a word of a command is, the first one by PATH. */
static bool file_of(char out[PATH_MAX], const char *word, bool first)
{
    const char *path = first && !strchr(word, '/') ? getenv("PATH") : NULL;
    if (!path) {
        snprintf(out, PATH_MAX, "%s", word);
        return *word == '/' && is_file(out);
    }
    char *copy = orr_memory_text(path), *rest = copy, *folder;
    bool found = false;
    while (!found && (folder = strsep(&rest, ":")))
        found = snprintf(out, PATH_MAX, "%s/%s", folder, word) < PATH_MAX && is_file(out) &&
                !access(out, X_OK);
    free(copy);
    return found;
}

static const char *shown(const char *word)
{
    const char *slash = *word == '/' && is_file(word) ? strrchr(word, '/') : NULL;
    return slash ? slash + 1 : word;
}

int orr_program_find(char *path, size_t size, const char *name)
{
    char file[PATH_MAX], found[PATH_MAX] = "";
    const json_t *words = json_object_get(commands(), name);
    for (size_t k = 0; k < json_array_size(words); k++) {
        const char *word = json_string_value(json_array_get(words, k));
        if (file_of(file, word, k == 0))
            strcpy(found, file);
        else if (k == 0)
            return orr_fail(ORR_EINPUT, "the program of %s is not there: %s%s", name, word,
                            strchr(word, '/') ? "" : " is in no folder of PATH");
    }
    return (size_t)snprintf(path, size, "%s", found) < size
               ? 0
               : orr_fail(ORR_EINPUT, "the path of %s is too long", name);
}

/* {command, sha256: {word: of its file}}. */
static int identify(json_t **out, const char *name)
{
    char path[PATH_MAX], hex[65], *text = NULL;
    size_t size = 0;
    const json_t *words = json_object_get(commands(), name);
    json_t *hashes = json_object();
    FILE *line = orr_memory_stream(&text, &size);
    int code = orr_program_find(path, sizeof path, name);
    for (size_t k = 0; !code && k < json_array_size(words); k++) {
        const char *word = json_string_value(json_array_get(words, k));
        fprintf(line, "%s%s", k ? " " : "", shown(word));
        if (!file_of(path, word, k == 0))
            continue;
        code = orr_text_sha256_file(path, hex);
        json_object_set_new(hashes, shown(word), json_string(hex));
    }
    fclose(line);
    *out = json_pack("{s:s, s:o}", "command", text, "sha256", hashes);
    free(text);
    return code;
}

static void hash_of(char hex[65], const json_t *identity)
{
    char *text = json_dumps(identity, JSON_COMPACT | JSON_SORT_KEYS);
    orr_text_sha256(text, strlen(text), hex);
    free(text);
}

int orr_program_hash(char hex[65], const char *name)
{
    json_t *identity;
    int code = identify(&identity, name);
    if (!code)
        hash_of(hex, identity);
    json_decref(identity);
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
    char text[LONGEST_LINE];
    size_t used, taken; /* of `text`; of those, the bytes of the latest line */
} process;

static const double END_S = 2;

static void end(bool kindly)
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
    if (process.ended >= 0)
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
static int hear(char **out, const char *asked)
{
    memmove(process.text, process.text + process.taken, process.used -= process.taken);
    process.taken = 0;
    for (;;) {
        char *newline = memchr(process.text, '\n', process.used);
        if (newline) {
            *newline = '\0';
            process.taken = (size_t)(newline - process.text) + 1;
            *out = process.text;
            return 0;
        }
        if (process.used == sizeof process.text)
            return orr_fail(ORR_EINTERNAL, "the program's answer to '%s' is a line without an end",
                            asked);
        struct pollfd from[] = {{process.line, POLLIN, 0}, {process.ended, POLLIN, 0}};
        if (poll(from, process.ended >= 0 ? 2 : 1, -1) < 0)
            continue;
        ssize_t count = recv(process.line, process.text + process.used,
                             sizeof process.text - process.used, MSG_DONTWAIT);
        if (count > 0)
            process.used += (size_t)count;
        else if (count == 0 || from[1].revents || errno != EAGAIN)
            return fail_ended(asked);
    }
}

/* Sends a line and hears the answer. What was said before is no answer to it. */
static int ask(const char *line, const char *asked, char **answer)
{
    char odd;
    if (process.used > process.taken || recv(process.line, &odd, 1, MSG_DONTWAIT | MSG_PEEK) > 0)
        return orr_fail(ORR_EINTERNAL, "the program said something before it was asked to '%s'",
                        asked);
    for (size_t sent = 0, size = strlen(line); sent < size;) {
        ssize_t count = send(process.line, line + sent, size - sent, MSG_NOSIGNAL);
        if (count <= 0)
            return fail_ended(asked);
        sent += (size_t)count;
    }
    int code = hear(answer, asked);
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
static _Noreturn void become(char *const *words, int line)
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

static int start(const char *name)
{
    const json_t *list = json_object_get(commands(), name);
    const size_t count = json_array_size(list);
    char **words = orr_memory_get((count + 1) * sizeof *words);
    int pair[2] = {-1, -1};
    for (size_t k = 0; k < count; k++)
        words[k] = (char *)json_string_value(json_array_get(list, k));
    end(false);
    process.used = process.taken = 0;
    process.stopped = false;
    process.log = memfd_create("orrery-program", MFD_CLOEXEC);
    bool failed = process.log < 0 || fcntl(process.log, F_SETFL, O_APPEND) ||
                  socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) ||
                  (process.child = orr_process_fork()) < 0;
    if (!failed && !process.child)
        become(words, pair[1]);
    int error = errno;
    free(words);
    if (pair[1] >= 0)
        close(pair[1]);
    process.line = pair[0];
    if (!failed) {
        process.ended = orr_process_watch(process.child);
        return 0;
    }
    process.child = 0;
    if (pair[0] >= 0)
        close(pair[0]);
    if (process.log >= 0)
        close(process.log);
    return orr_fail(ORR_EIO, "cannot start the program of %s: %s", name, strerror(error));
}

/* Returns once it has stopped, or ended. */
static void stop(void)
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

static void go_on(void)
{
    if (process.stopped)
        kill(-process.child, SIGCONT);
    process.stopped = false;
}

/* --- its description, as the table of a variant --- */

/* What orr_plugin's handle points to. */
struct orr_program {
    struct orr_variant variant;
    struct orr_param *params;
    json_t *identity, *said; /* which hold the texts */
    struct orr_names choices;
    char flags[512];
    bool single, potential, gpu;
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
    int code = start(name);
    if (!code)
        code = ask(FIRST, "describe", &answer);
    if (!code && !(*out = json_loads(answer, 0, NULL)))
        code = fail_answer(answer, "describe", "an object of JSON");
    end(!code);
    return code;
}

static int prepare(struct orr_job *job);
static int upload(struct orr_job *job);
static int step(struct orr_job *job);
static int fetch(struct orr_job *job, struct orr_forces *out);
static int cost(const struct orr_job *job, struct orr_cost *out);
static void release(struct orr_job *job);

enum { LONGEST_COLUMNS = 12 };
struct state {
    struct column {
        const char *name;
        int fd;
        size_t bytes;
        void *at;
    } columns[LONGEST_COLUMNS];
    int count;
    double *pos[3], *mass;
    float *pos32[3], *mass32;
    void *results[4]; /* acceleration and potential, floats or doubles as the program wants */
};

static void make_variant(struct orr_program *p, const char *name)
{
    const char *summary = orr_json_text(p->said, "summary");
    const bool tree = json_is_true(json_object_get(p->said, "tree"));
    json_int_t dimensions = orr_json_integer(p->said, "dimensions");
    snprintf(p->flags, sizeof p->flags, "external: %s", orr_json_text(p->identity, "command"));
    p->single = orr_json_is(p->said, "results", "fp32");
    p->potential = json_is_true(json_object_get(p->said, "potential"));
    p->gpu = json_is_true(json_object_get(p->said, "gpu"));
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
}

int orr_program_load(struct orr_plugin *out, const char *name)
{
    memset(out, 0, sizeof *out);
    if (orr_sandbox_is_asked())
        return orr_fail(ORR_EUNSUPPORTED, "%s is a program, and the sandbox starts none", name);
    struct orr_program *p = orr_memory_get(sizeof *p);
    out->program = current = p;
    int code = orr_program_find(out->path, sizeof out->path, name);
    if (!code)
        code = identify(&p->identity, name);
    if (!code)
        code = ask_description(&p->said, name);
    if (!code) {
        hash_of(out->sha256, p->identity);
        make_variant(p, name);
        out->variant = &p->variant;
        code = orr_variant_validate(out->variant);
    }
    if (!code)
        return 0;
    orr_program_release(out);
    return orr_error_context("the program of %s", name);
}

void orr_program_release(struct orr_plugin *plugin)
{
    struct orr_program *p = plugin->program;
    end(false);
    json_decref(p->identity);
    json_decref(p->said);
    orr_names_free(p->choices.items);
    free(p->params);
    free(p->own);
    free(p);
    current = NULL;
    memset(plugin, 0, sizeof *plugin);
}

json_t *orr_program_about(const struct orr_plugin *plugin)
{
    if (!plugin->program)
        return NULL;
    json_t *about = json_copy(plugin->program->identity);
    if (plugin->program->gpu)
        json_object_set_new(about, "gpu", json_true());
    return about;
}

json_t *orr_program_own_seconds(const struct orr_plugin *plugin)
{
    const struct orr_program *p = plugin->program;
    return p && p->own_count ? json_real(orr_stats_median(p->own, p->own_count)) : NULL;
}

/* --- as a variant --- */

/* A memory file of n values, whose size nobody can change: to read behind its end would crash. */
static int make_column(struct orr_job *job, const char *name, size_t bytes, void *out)
{
    struct state *s = job->state;
    struct column *c = &s->columns[s->count++];
    *c = (struct column){name, memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING),
                         job->bodies->n * bytes, MAP_FAILED};
    if (c->fd >= 0 && !ftruncate(c->fd, (off_t)c->bytes) &&
        !fcntl(c->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        c->at = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
    if (c->at == MAP_FAILED)
        return orr_fail(ORR_EMEMORY, "no memory to share with the program: %s", strerror(errno));
    memcpy(out, &c->at, sizeof c->at);
    return 0;
}

static int make_columns(struct orr_job *job)
{
    static const char *const pos[] = {"x", "y", "z"}, *const pos32[] = {"x32", "y32", "z32"},
                             *const results[] = {"ax", "ay", "az", "phi"};
    struct state *s = job->state;
    int code = make_column(job, "m", sizeof(double), &s->mass) ||
               make_column(job, "m32", sizeof(float), &s->mass32);
    for (int d = 0; !code && d < 3 && d < job->bodies->dimensions; d++)
        code = make_column(job, pos[d], sizeof(double), &s->pos[d]) ||
               make_column(job, pos32[d], sizeof(float), &s->pos32[d]);
    for (int k = 0; !code && k < 4; k++)
        if (k < job->bodies->dimensions || (k == 3 && current->potential))
            code = make_column(job, results[k], current->single ? sizeof(float) : sizeof(double),
                               &s->results[k]);
    return code ? orr_error_code() : 0;
}

/* The line that says what to compute. */
static char *describe_work(const struct orr_job *job)
{
    const struct state *s = job->state;
    json_t *columns = json_object();
    for (int k = 0; k < s->count; k++)
        json_object_set_new(columns, s->columns[k].name,
                            json_sprintf("/proc/%d/fd/%d", (int)getpid(), s->columns[k].fd));
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
    char *line, *answer = NULL;
    current->own_count = 0;
    if (make_columns(job) || start(current->variant.name))
        return orr_error_code();
    line = describe_work(job);
    int code = ask(line, "prepare", &answer);
    free(line);
    if (!code && strcmp(answer, "ready") && strncmp(answer, "ready ", 6))
        code = fail_answer(answer, "prepare", "'ready'");
    if (!code && answer[5])
        snprintf(job->note, sizeof job->note, "%s", answer + 6);
    return code;
}

static int upload(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    stop();
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; s->results[k] && i < b->n; i++)
            if (current->single)
                ((float *)s->results[k])[i] = NAN;
            else
                ((double *)s->results[k])[i] = NAN;
    for (int d = 0; d < b->dimensions; d++)
        for (size_t i = 0; i < b->n; i++)
            s->pos32[d][i] = (float)(s->pos[d][i] = b->pos[d][i]);
    for (size_t i = 0; i < b->n; i++)
        s->mass32[i] = (float)(s->mass[i] = b->mass[i]);
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
    go_on();
    int code = ask("step\n", "step", &answer);
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
    stop();
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; s->results[k] && i < job->bodies->n; i++)
            to[k][i] =
                current->single ? ((float *)s->results[k])[i] : (float)((double *)s->results[k])[i];
    for (size_t i = 0; !s->results[2] && i < job->bodies->n; i++)
        out->acc[2][i] = 0;
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
    end(true);
    for (int k = 0; k < s->count; k++) {
        if (s->columns[k].at != MAP_FAILED)
            munmap(s->columns[k].at, s->columns[k].bytes);
        if (s->columns[k].fd >= 0)
            close(s->columns[k].fd);
    }
}
