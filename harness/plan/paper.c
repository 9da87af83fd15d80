#include "plan/paper.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "paths.h"
#include "names.h"
#include "plan/paper_parts.h"
#include "text.h"

/* What libcyaml says on its way: the first complaint and the first line of the backtrace. */
struct complaint {
    char message[256];
    char place[128]; /* "in mapping field 'year'" */
    unsigned line;
};

static void listen(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    struct complaint *complaint = context;
    char text[512];
    (void)level;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    char *start = text + (strncmp(text, "Load: ", 6) ? 0 : 6);
    char *where = strstr(start, " (line: ");
    if (where && !complaint->line) {
        complaint->line = (unsigned)strtoul(where + strlen(" (line: "), NULL, 10);
        *where = '\0';
        snprintf(complaint->place, sizeof complaint->place, "%.120s", start + strspn(start, " "));
    } else if (!where && !complaint->message[0] && strcmp(start, "Backtrace:") != 0) {
        if (islower((unsigned char)start[1])) /* "Invalid", but not "STRING" */
            *start = (char)tolower((unsigned char)*start);
        snprintf(complaint->message, sizeof complaint->message, "%.250s", start);
    }
}

static cyaml_config_t configure(struct complaint *complaint)
{
    return (cyaml_config_t){.log_fn = listen,
                            .log_ctx = complaint,
                            .mem_fn = cyaml_mem,
                            .log_level = CYAML_LOG_ERROR,
                            .flags = CYAML_CFG_NO_ALIAS};
}

static int parse(struct orr_paper **out, const struct orr_paper_places *places, const char *text,
                 size_t size)
{
    int code = orr_paper_places_check_keys(places, &orr_paper_schema);
    if (code)
        return code;
    struct complaint complaint = {0};
    cyaml_config_t config = configure(&complaint);
    cyaml_data_t *data = NULL;
    cyaml_err_t error =
        cyaml_load_data((const uint8_t *)text, size, &config, &orr_paper_schema, &data, NULL);
    *out = data;
    if (error == CYAML_OK)
        return 0;
    const char *message = complaint.message[0] ? complaint.message : cyaml_strerror(error);
    if (complaint.line)
        return orr_fail(ORR_EINPUT, "%s:%u: %s %s", places->shown, complaint.line, message,
                        complaint.place);
    return orr_fail(ORR_EINPUT, "%s: %s", places->shown, message);
}

static bool is_key(const char *key)
{
    return *key && *key != '.' && strlen(key) < 32 && !strchr(key, '/');
}

static int fail_missing(const char *key)
{
    char **keys;
    if (orr_paper_keys(&keys))
        return orr_error_code();
    orr_names_fail("there is no paper", key, keys, orr_names_count(keys), sizeof *keys);
    orr_names_free(keys);
    return ORR_EUSAGE;
}

int orr_paper_load(struct orr_paper **out, const char *key)
{
    char path[PATH_MAX];
    const char *shown;
    *out = NULL;
    if (!is_key(key))
        return fail_missing(key);
    int code = orr_paths_paper(path, sizeof path, &shown, key, "paper.yaml");
    if (code)
        return code;
    if (access(path, F_OK))
        return fail_missing(key);
    struct orr_paper_places places = {0};
    char *text = NULL;
    size_t size = 0;
    code = orr_text_read(&text, &size, path, shown);
    if (!code)
        code = orr_paper_places_open(&places, shown, text, size);
    if (!code)
        code = parse(out, &places, text, size);
    if (!code)
        code = orr_paper_check(*out, &places, key);
    if (code) {
        orr_paper_free(*out);
        *out = NULL;
    }
    orr_paper_places_close(&places);
    free(text);
    return code;
}

int orr_paper_blame(const char *key, const char *path, const char *format, ...)
{
    char file[PATH_MAX], message[512], *text = NULL;
    const char *shown;
    struct orr_paper_places places = {0};
    size_t size = 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    int code = orr_paths_paper(file, sizeof file, &shown, key, "paper.yaml");
    if (!code)
        code = orr_text_read(&text, &size, file, shown);
    if (!code)
        code = orr_paper_places_open(&places, shown, text, size);
    if (!code)
        code = orr_paper_places_fail(&places, path, "%s", message);
    orr_paper_places_close(&places);
    free(text);
    return code;
}

void orr_paper_free(struct orr_paper *paper)
{
    struct complaint complaint = {0};
    cyaml_config_t config = configure(&complaint);
    if (paper)
        cyaml_free(&config, &orr_paper_schema, paper, 0);
}

static void add_keys(struct orr_names *names, const char *root)
{
    char path[PATH_MAX];
    DIR *folder = opendir(root);
    for (struct dirent *item; folder && (item = readdir(folder));)
        if (is_key(item->d_name) &&
            (size_t)snprintf(path, sizeof path, "%s/%s/paper.yaml", root, item->d_name) <
                sizeof path &&
            !access(path, F_OK))
            orr_names_add(names, "%s", item->d_name);
    if (folder)
        closedir(folder);
}

int orr_paper_keys(char ***out)
{
    struct orr_names names = {0};
    char root[PATH_MAX];
    int more;
    *out = NULL;
    for (size_t k = 0; (more = orr_paths_papers(root, sizeof root, k)) > 0; k++)
        add_keys(&names, root);
    return orr_names_finish(&names, out, more);
}

json_t *orr_paper_year(const struct orr_paper *paper)
{
    return paper->year ? json_integer(paper->year) : json_null();
}

const struct orr_experiment *orr_paper_experiment(const struct orr_paper *paper, const char *name)
{
    char what[64];
    for (unsigned k = 0; k < paper->experiments_count; k++)
        if (!strcmp(paper->experiments[k].name, name))
            return &paper->experiments[k];
    snprintf(what, sizeof what, "%s has no experiment", paper->key);
    orr_names_fail(what, name, &paper->experiments->name, paper->experiments_count,
                   sizeof *paper->experiments);
    return NULL;
}

const struct orr_experiment *orr_paper_cells(const struct orr_paper *paper,
                                             const struct orr_experiment *experiment)
{
    for (unsigned k = 0; experiment->cells && k < paper->experiments_count; k++)
        if (!strcmp(paper->experiments[k].name, experiment->cells))
            return &paper->experiments[k];
    return experiment;
}

bool orr_paper_takes_part(const struct orr_paper_variant *variant, const char *experiment)
{
    for (unsigned k = 0; k < variant->in_count; k++)
        if (!strcmp(variant->in[k], experiment))
            return true;
    return false;
}

const struct orr_paper_variant *orr_paper_variant(const struct orr_paper *paper, const char *name)
{
    char what[64];
    for (unsigned k = 0; k < paper->variants_count; k++)
        if (!strcmp(paper->variants[k].name, name))
            return &paper->variants[k];
    snprintf(what, sizeof what, "%s has no variant", paper->key);
    orr_names_fail(what, name, &paper->variants->name, paper->variants_count,
                   sizeof *paper->variants);
    return NULL;
}
