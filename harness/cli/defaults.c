#include "cli/defaults.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help_parts.h"
#include "error.h"
#include "plan/paper_parts.h"
#include "text.h"

static const char EVERY[] = "all"; /* the section of every command that has the option */

/* A member of a file. */
struct member {
    char command[32], option[32];
    struct orr_names values;
    size_t file;
    int line, section; /* where it stands, and where its command does */
    bool known;
};

static struct {
    struct member *items;
    size_t count;
    struct orr_defaults_file files[2];
    size_t file_count;
    const struct orr_command *commands;
    size_t command_count;
    bool forgotten;
    int code;
    char mistake[1400];
} all;

/* --- what may have a default --- */

/* Flags could not be taken back on the command line, and files and runs are named each time. */
static bool may_have(const struct orr_option *option, const char *section)
{
    static const char *const once[] = {"resume", "shard", "input", "for"};
    for (size_t k = 0; k < sizeof once / sizeof *once; k++)
        if (!strcmp(option->name, once[k]))
            return false;
    if (!strcmp(option->name, "output")) /* a folder, and another one in each command */
        return !strcmp(option->argument, "DIR") && strcmp(section, EVERY) != 0;
    return option->kind != ORR_OPTION_FLAG;
}

/* --- files --- */

static int fail_at(size_t file, size_t line, const char *what, const char *name)
{
    return orr_fail(ORR_EINPUT, "%s:%zu: '%s' %s", all.files[file].path, line, name, what);
}

static const char *text_of(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static bool is_null(const yaml_node_t *node)
{
    const char *text = text_of(node);
    return text && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!*text || !strcmp(text, "~") || !strcmp(text, "null"));
}

/* "~/x" is in the home folder, as in a shell. */
static int add_value(struct member *member, const yaml_node_t *node)
{
    const char *text = text_of(node), *home = getenv("HOME");
    if (!text || is_null(node))
        return fail_at(member->file, node->start_mark.line + 1, "takes a value, or a list of them",
                       member->option);
    if (strpbrk(text, "\n\r")) /* it may become a line of a job's script */
        return fail_at(member->file, node->start_mark.line + 1, "takes a value of one line",
                       member->option);
    bool below = home && !strncmp(text, "~/", 2);
    return orr_names_add(&member->values, "%s%s", below ? home : "", text + below);
}

static int add_values(struct member *member, yaml_document_t *document, const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return add_value(member, node);
    int code = 0;
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         !code && item < node->data.sequence.items.top; item++)
        code = add_value(member, yaml_document_get_node(document, *item));
    return code || member->values.count
               ? code
               : fail_at(member->file, node->start_mark.line + 1,
                         "takes a value, or a list of them", member->option);
}

static int add_member(size_t file, const yaml_node_t *section, yaml_document_t *document,
                      const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = yaml_document_get_node(document, pair->key);
    const char *option = text_of(key), *command = text_of(section);
    const size_t line = key->start_mark.line + 1;
    if (!option || strlen(option) >= sizeof all.items->option)
        return fail_at(file, line, "has a member that is no name of an option", command);
    for (size_t k = 0; k < all.count; k++)
        if (all.items[k].file == file && !strcmp(all.items[k].command, command) &&
            !strcmp(all.items[k].option, option))
            return fail_at(file, line, "is there twice", option);
    struct member *more = realloc(all.items, (all.count + 1) * sizeof *more);
    if (!more)
        return orr_fail(ORR_EMEMORY, "no memory for %s", all.files[file].path);
    all.items = more;
    struct member *member = &all.items[all.count++];
    *member = (struct member){
        .file = file, .line = (int)line, .section = (int)section->start_mark.line + 1};
    snprintf(member->command, sizeof member->command, "%s", command);
    snprintf(member->option, sizeof member->option, "%s", option);
    all.files[file].members++;
    return add_values(member, document, yaml_document_get_node(document, pair->value));
}

static int add_section(size_t file, yaml_document_t *document, const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = yaml_document_get_node(document, pair->key),
                      *section = yaml_document_get_node(document, pair->value);
    const char *command = text_of(key);
    const size_t line = key->start_mark.line + 1;
    int code = 0;
    if (!command || strlen(command) >= sizeof all.items->command)
        return orr_fail(ORR_EINPUT, "%s:%zu: the name of a command belongs here",
                        all.files[file].path, line);
    if (is_null(section))
        return 0;
    if (section->type != YAML_MAPPING_NODE)
        return fail_at(file, line, "is a command: its options stand below it, indented", command);
    for (yaml_node_pair_t *member = section->data.mapping.pairs.start;
         !code && member < section->data.mapping.pairs.top; member++)
        code = add_member(file, key, document, member);
    return code;
}

static bool is_blank(const char *text)
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t at = strspn(text, " \t\r");
        if (!strchr("#\n", text[at]))
            return false;
    }
    return true;
}

static int read_text(size_t file, const char *text, size_t size)
{
    struct orr_paper_places places;
    if (is_blank(text))
        return 0;
    int code = orr_paper_places_open(&places, all.files[file].path, text, size);
    if (code)
        return code;
    const yaml_node_t *root = yaml_document_get_root_node(&places.document);
    if (root->type != YAML_MAPPING_NODE)
        code = orr_fail(ORR_EINPUT, "%s:%zu: commands belong here, with their options below them",
                        all.files[file].path, root->start_mark.line + 1);
    else
        for (yaml_node_pair_t *pair = root->data.mapping.pairs.start;
             !code && pair < root->data.mapping.pairs.top; pair++)
            code = add_section(file, &places.document, pair);
    orr_paper_places_close(&places);
    return code;
}

static int read_file(size_t file)
{
    char *text = NULL;
    size_t size = 0;
    const char *chosen = getenv("ORRERY_CONFIG");
    if (access(all.files[file].path, F_OK))
        return chosen && !strcmp(chosen, all.files[file].path)
                   ? orr_fail(ORR_EINPUT, "ORRERY_CONFIG names %s, which is not there", chosen)
                   : 0;
    all.files[file].found = true;
    int code = orr_text_read(&text, &size, all.files[file].path, all.files[file].path);
    if (!code)
        code = read_text(file, text, size);
    free(text);
    return code;
}

/* ORRERY_CONFIG alone, or orrery.yaml here and below the user's folder of configurations. */
static void name_files(void)
{
    const char *chosen = getenv("ORRERY_CONFIG"), *base = getenv("XDG_CONFIG_HOME"),
               *home = getenv("HOME");
    struct orr_defaults_file *files = all.files;
    all.file_count = 0;
    if (chosen && !strcmp(chosen, "off"))
        return;
    if (chosen && *chosen) {
        snprintf(files[all.file_count++].path, sizeof files->path, "%s", chosen);
        return;
    }
    snprintf(files[all.file_count++].path, sizeof files->path, "orrery.yaml");
    if (base && *base == '/')
        snprintf(files[all.file_count++].path, sizeof files->path, "%s/orrery/config.yaml", base);
    else if (home && *home)
        snprintf(files[all.file_count++].path, sizeof files->path, "%s/.config/orrery/config.yaml",
                 home);
}

/* --- what their members are --- */

/* Marks members that are options, and collects names: of commands, and of the options of `of`. */
struct visit {
    const char *of;
    struct orr_names commands, options;
    int code;
};

static void visit(const struct orr_options *options, void *context)
{
    struct visit *v = context;
    char command[32];
    orr_options_name(command, options);
    if (!v->code)
        v->code = orr_names_add(&v->commands, "%s", command);
    for (size_t k = 0; k < options->count; k++) {
        const struct orr_option *option = &options->options[k];
        for (size_t m = 0; m < all.count; m++) {
            struct member *member = &all.items[m];
            bool every = !strcmp(member->command, EVERY);
            if ((every || !strcmp(member->command, command)) &&
                !strcmp(member->option, option->name) && may_have(option, member->command))
                member->known = true;
        }
        if (!v->code && v->of && (!strcmp(v->of, EVERY) || !strcmp(v->of, command)) &&
            may_have(option, v->of))
            v->code = orr_names_add(&v->options, "%s", option->name);
    }
}

static int make_visit(struct visit *v, const char *of)
{
    *v = (struct visit){.of = of};
    orr_help_visit(all.commands, all.command_count, visit, v);
    return v->code ? v->code : orr_names_add(&v->commands, "%s", EVERY);
}

static void release_visit(struct visit *v)
{
    orr_names_free(v->commands.items);
    orr_names_free(v->options.items);
}

/* The member is no option that may have a default. */
static int blame(const struct member *member)
{
    struct visit v;
    char what[64], **names = NULL;
    bool is_command = false;
    int code = make_visit(&v, member->command);
    for (size_t k = 0; !code && k < v.commands.count; k++)
        is_command |= !strcmp(v.commands.items[k], member->command);
    struct orr_names *near = is_command ? &v.options : &v.commands;
    code = orr_names_finish(near, &names, code);
    near->items = NULL;
    release_visit(&v);
    if (code)
        return code;
    snprintf(what, sizeof what, "%s has no option with a default", member->command);
    orr_names_fail(is_command ? what : "there is no command",
                   is_command ? member->option : member->command, names, orr_names_count(names),
                   sizeof *names);
    orr_names_free(names);
    return orr_error_context("%s:%d", all.files[member->file].path,
                             is_command ? member->line : member->section);
}

static int check_members(void)
{
    struct visit v;
    int code = make_visit(&v, NULL);
    release_visit(&v);
    for (size_t k = 0; !code && k < all.count; k++)
        if (!all.items[k].known)
            code = blame(&all.items[k]);
    return code;
}

void orr_defaults_load(const struct orr_command *commands, size_t count)
{
    all.commands = commands;
    all.command_count = count;
    name_files();
    for (size_t k = 0; !all.code && k < all.file_count; k++)
        all.code = read_file(k);
    if (!all.code && all.count)
        all.code = check_members();
    if (all.code)
        snprintf(all.mistake, sizeof all.mistake, "%s", orr_error_text());
    orr_error_clear();
}

int orr_defaults_check(const char *command)
{
    bool goes_on = !strcmp(command, "doctor") || !strcmp(command, "help") || all.forgotten;
    return all.code && !goes_on ? orr_fail(all.code, "%s", all.mistake) : 0;
}

void orr_defaults_forget(void)
{
    all.forgotten = true;
}

/* --- finding them --- */

/* ORRERY_RUN_MIN_SAMPLES of "run" and "min-samples". */
static char *variable_of(char *out, size_t size, const char *command, const char *option)
{
    snprintf(out, size, "ORRERY_%s_%s", command, option);
    for (char *c = out; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    return out;
}

static bool find_variable(struct orr_default *out, const char *command,
                          const struct orr_option *option)
{
    static char *value[2]; /* and the NULL behind it */
    value[0] = may_have(option, command)
                   ? getenv(variable_of(out->from, sizeof out->from, command, option->name))
                   : NULL;
    out->values = value;
    return value[0] && *value[0];
}

static bool find_member(struct orr_default *out, size_t file, const char *command,
                        const struct orr_option *option)
{
    for (size_t k = 0; k < all.count; k++) {
        const struct member *member = &all.items[k];
        if (member->file != file || strcmp(member->command, command) ||
            strcmp(member->option, option->name) || !may_have(option, command))
            continue;
        out->values = member->values.items;
        snprintf(out->from, sizeof out->from, "%s:%d", all.files[file].path, member->line);
        return true;
    }
    return false;
}

bool orr_defaults_find(struct orr_default *out, const char *command,
                       const struct orr_option *option)
{
    if (all.forgotten || all.code)
        return false;
    bool found = find_variable(out, command, option) || find_variable(out, EVERY, option);
    for (size_t file = 0; !found && file < all.file_count; file++)
        found = find_member(out, file, command, option) || find_member(out, file, EVERY, option);
    return found;
}

const struct orr_defaults_file *orr_defaults_files(size_t *count, const char **mistake)
{
    *mistake = all.mistake;
    *count = all.file_count;
    return all.files;
}

static void add_variables(const struct orr_options *options, void *context)
{
    struct visit *v = context;
    char command[32], name[128];
    orr_options_name(command, options);
    for (size_t k = 0; k < options->count; k++) {
        const char *const sections[] = {command, EVERY};
        for (size_t s = 0; s < 2; s++)
            if (!v->code && may_have(&options->options[k], sections[s]))
                v->code = orr_names_add(
                    &v->options, "%s",
                    variable_of(name, sizeof name, sections[s], options->options[k].name));
    }
}

int orr_defaults_variables(char ***out)
{
    struct visit v = {0};
    orr_help_visit(all.commands, all.command_count, add_variables, &v);
    return orr_names_finish(&v.options, out, v.code);
}
