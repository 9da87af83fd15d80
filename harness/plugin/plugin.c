/* SPDX-License-Identifier: MIT */
#include "plugin/plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "paths.h"
#include "sandbox.h"
#include "names.h"
#include "text.h"

static const char wanted[] = "orr_variant";

/* --- the exported symbols of a file: no constructor runs --- */

struct exports {
    bool found;      /* the symbol is one of them */
    char other[128]; /* the first other one; "" when there is none */
};

struct image {
    const unsigned char *data;
    size_t size;
};

/* `size` bytes at `offset`, NULL when the (perhaps truncated) file does not hold them. */
static const void *piece(const struct image *image, uint64_t offset, uint64_t size)
{
    return offset > image->size || size > image->size - offset ? NULL : image->data + offset;
}

/* Symbols of the linker and the address sanitizer do not count. */
static bool is_toolchain(const char *name)
{
    static const char *const own[] = {"_init", "_fini", "_edata", "__bss_start", "_end"};
    return orr_names_among(name, own) || !strncmp(name, "__odr_asan", 10);
}

static bool is_exported(const ElfW(Sym) * symbol)
{
    int binding = symbol->st_info >> 4, visibility = symbol->st_other & 3;
    return symbol->st_shndx != SHN_UNDEF && binding != STB_LOCAL && visibility != STV_HIDDEN &&
           visibility != STV_INTERNAL;
}

static bool read_symbols(struct exports *out, const struct image *image, const ElfW(Shdr) * symbols,
                         const ElfW(Shdr) * strings)
{
    const ElfW(Sym) *table = piece(image, symbols->sh_offset, symbols->sh_size);
    const char *names = piece(image, strings->sh_offset, strings->sh_size);
    if (!table || !names || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0')
        return false;
    for (size_t k = 0; k < symbols->sh_size / sizeof *table; k++) {
        if (!is_exported(&table[k]) || table[k].st_name >= strings->sh_size)
            continue;
        const char *name = names + table[k].st_name;
        if (!strcmp(name, wanted))
            out->found = true;
        else if (!out->other[0] && !is_toolchain(name))
            snprintf(out->other, sizeof out->other, "%s", name);
    }
    return true;
}

static bool read_image(struct exports *out, const struct image *image)
{
    const ElfW(Ehdr) *header = piece(image, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        header->e_type != ET_DYN || header->e_shentsize != sizeof(ElfW(Shdr)))
        return false;
    const ElfW(Shdr) *sections =
        piece(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
    for (size_t k = 0; sections && k < header->e_shnum; k++)
        if (sections[k].sh_type == SHT_DYNSYM && sections[k].sh_link < header->e_shnum)
            return read_symbols(out, image, &sections[k], &sections[sections[k].sh_link]);
    return false;
}

/* Exactly one exported symbol: a second one could clash with another plugin's or with the
 * program's. */
static int check_exports(const char *path)
{
    struct exports exports = {.found = false};
    struct stat status = {.st_size = 0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status))
        return orr_fail(ORR_EINPUT, "cannot open the plugin %s: %s", path, strerror(errno));
    const size_t size = (size_t)status.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0); /* fails for none */
    close(file);
    const bool whole = data != MAP_FAILED && read_image(&exports, &(struct image){data, size});
    if (data != MAP_FAILED)
        munmap(data, size);
    if (!whole)
        return orr_fail(ORR_EINPUT,
                        "%s is not a whole shared object of this machine; build it again with make",
                        path);
    if (!exports.found)
        return orr_fail(ORR_EINPUT, "the plugin %s does not export '%s'", path, wanted);
    if (exports.other[0])
        return orr_fail(ORR_EINPUT, "the plugin %s exports '%s' besides '%s'; make it static", path,
                        exports.other, wanted);
    return 0;
}

static int find_file(struct orr_plugin *out, const char *name)
{
    char folder[PATH_MAX], file[PATH_MAX + 256], real[PATH_MAX];
    int code = orr_paths_plugins(folder, sizeof folder);
    if (code)
        return code;
    const char *slash = strchr(name, '/');
    if (!slash || slash == name || !slash[1] || strchr(slash + 1, '/') || strstr(name, ".."))
        return orr_fail(ORR_EUSAGE, "there is no variant '%s'; write it as paper/variant", name);
    snprintf(file, sizeof file, "%s/%.200s.so", folder, name);
    if (!realpath(file, real))
        return orr_fail(ORR_EINPUT, "the plugin of %s is not built: %s is missing; run make", name,
                        file);
    return (size_t)snprintf(out->path, sizeof out->path, "%s", real) < sizeof out->path
               ? 0
               : orr_fail(ORR_EINPUT, "the path of the plugin %s is too long", name);
}

int orr_plugin_hash(char hex[65], const char *name)
{
    struct orr_plugin plugin = {.handle = NULL};
    int code =
        orr_program_is(name) ? orr_program_identify(&plugin, name) : find_file(&plugin, name);
    if (!code && !plugin.about)
        code = orr_text_sha256_file(plugin.path, plugin.sha256);
    strcpy(hex, plugin.sha256);
    orr_plugin_release(&plugin);
    return code;
}

int orr_plugin_check_file(bool *there, const char *name)
{
    struct orr_plugin plugin = {.handle = NULL};
    int code =
        orr_program_is(name) ? orr_program_identify(&plugin, name) : find_file(&plugin, name);
    *there = !code;
    if (!code && !plugin.about)
        code = check_exports(plugin.path);
    orr_plugin_release(&plugin);
    return code;
}

static int check_variant(const struct orr_plugin *plugin, const char *name)
{
    if (orr_variant_validate(plugin->variant))
        return orr_error_context("the plugin %s", plugin->path);
    return !strcmp(name, plugin->variant->name)
               ? 0
               : orr_fail(ORR_EINPUT, "the plugin %s calls itself '%s', but its place says '%s'",
                          plugin->path, plugin->variant->name, name);
}

static int load_file(struct orr_plugin *out, const char *name)
{
    if (find_file(out, name) || check_exports(out->path) ||
        orr_text_sha256_file(out->path, out->sha256))
        return orr_error_code();
    if (!orr_sandbox_holds())
        return orr_fail(ORR_EINTERNAL, "%s would be loaded outside the sandbox", out->path);
    out->handle = dlopen(out->path, RTLD_NOW | RTLD_LOCAL);
    out->variant = out->handle ? dlsym(out->handle, wanted) : NULL;
    return out->variant ? check_variant(out, name)
                        : orr_fail(ORR_EINPUT, "cannot load the plugin: %s", dlerror());
}

int orr_plugin_load(struct orr_plugin *out, const char *name)
{
    memset(out, 0, sizeof *out);
    int code = orr_program_is(name) ? orr_program_load(out, name) : load_file(out, name);
    if (code)
        orr_plugin_release(out);
    return code;
}

/* A plugin that used a GPU stays loaded: its driver may still hold pointers into it. */
void orr_plugin_release(struct orr_plugin *plugin)
{
    const uint32_t device = ORR_RUNS_CUDA | ORR_RUNS_OPENCL;
    const bool valid = plugin->variant && plugin->variant->abi == ORR_VARIANT_ABI;
    if (plugin->program)
        orr_program_release(plugin->program);
    else if (plugin->handle && !(valid && plugin->variant->capabilities & device))
        dlclose(plugin->handle);
    json_decref(plugin->about);
    memset(plugin, 0, sizeof *plugin);
}

static void add_folder(struct orr_names *names, const char *root, const char *paper)
{
    char path[PATH_MAX + 256];
    snprintf(path, sizeof path, "%s/%s", root, paper);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length > 3 && !strcmp(entry->d_name + length - 3, ".so"))
            orr_names_add(names, "%s/%.*s", paper, (int)(length - 3), entry->d_name);
    }
    if (folder)
        closedir(folder);
}

int orr_plugin_names(char ***out)
{
    struct orr_names names = {0};
    char root[PATH_MAX];
    *out = NULL;
    int code = orr_paths_plugins(root, sizeof root);
    DIR *folder = code ? NULL : opendir(root);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            add_folder(&names, root, entry->d_name);
    if (folder)
        closedir(folder);
    return orr_names_finish(&names, out, code);
}
