#include "plugin/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

#if UINTPTR_MAX > 0xffffffffu
enum { NATIVE_CLASS = ELFCLASS64 };
#else
enum { NATIVE_CLASS = ELFCLASS32 };
#endif

struct image {
    const unsigned char *data;
    size_t size;
};

/* Pointer to `size` bytes at `offset`, NULL when the (perhaps truncated) file does not hold
 * them. */
static const void *piece(const struct image *image, uint64_t offset, uint64_t size)
{
    if (offset > image->size || size > image->size - offset)
        return NULL;
    return image->data + offset;
}

/* Symbols of the linker and the address sanitizer do not count. */
static bool is_toolchain(const char *name)
{
    static const char *const own[] = {"_init", "_fini", "_edata", "__bss_start", "_end"};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (!strcmp(name, own[k]))
            return true;
    return !strncmp(name, "__odr_asan", 10);
}

static bool is_exported(const ElfW(Sym) * symbol)
{
    int binding = symbol->st_info >> 4, visibility = symbol->st_other & 3;
    return symbol->st_shndx != SHN_UNDEF && binding != STB_LOCAL && visibility != STV_HIDDEN &&
           visibility != STV_INTERNAL;
}

static int read_symbols(struct orr_exports *out, const struct image *image,
                        const ElfW(Shdr) * symbols, const ElfW(Shdr) * strings, const char *wanted)
{
    const ElfW(Sym) *table = piece(image, symbols->sh_offset, symbols->sh_size);
    const char *names = piece(image, strings->sh_offset, strings->sh_size);
    if (!table || !names || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0')
        return ORR_EINPUT;
    for (size_t k = 0; k < symbols->sh_size / sizeof *table; k++) {
        if (!is_exported(&table[k]) || table[k].st_name >= strings->sh_size)
            continue;
        const char *name = names + table[k].st_name;
        if (!strcmp(name, wanted))
            out->wanted = true;
        else if (!out->other[0] && !is_toolchain(name))
            snprintf(out->other, sizeof out->other, "%s", name);
    }
    return 0;
}

/* ORR_EINPUT without a message: the caller knows the path. */
static int read_image(struct orr_exports *out, const struct image *image, const char *wanted)
{
    const ElfW(Ehdr) *header = piece(image, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != NATIVE_CLASS || header->e_type != ET_DYN ||
        header->e_shentsize != sizeof(ElfW(Shdr)))
        return ORR_EINPUT;
    const ElfW(Shdr) *sections =
        piece(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
    for (size_t k = 0; sections && k < header->e_shnum; k++)
        if (sections[k].sh_type == SHT_DYNSYM && sections[k].sh_link < header->e_shnum)
            return read_symbols(out, image, &sections[k], &sections[sections[k].sh_link], wanted);
    return ORR_EINPUT;
}

int orr_plugin_exports(struct orr_exports *out, const char *path, const char *wanted)
{
    memset(out, 0, sizeof *out);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status)) {
        int code = orr_fail(ORR_EINPUT, "cannot open the plugin %s: %s", path, strerror(errno));
        if (file >= 0)
            close(file);
        return code;
    }
    struct image image = {.size = (size_t)status.st_size};
    void *data =
        status.st_size > 0 ? mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    image.data = data;
    int code = data == MAP_FAILED ? ORR_EINPUT : read_image(out, &image, wanted);
    if (data != MAP_FAILED)
        munmap(data, image.size);
    return code ? orr_fail(
                      code,
                      "%s is not a whole shared object of this machine; build it again with make",
                      path)
                : 0;
}
