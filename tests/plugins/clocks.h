/* SPDX-License-Identifier: MIT */
/* Puts another function in the place of the program's clock_gettime. The slot is read-only once the
 * program is linked, which a plugin can undo. */
#ifndef CLOCKS_H
#define CLOCKS_H

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef int clock_function(clockid_t clock, struct timespec *out);

static int replace_clock(struct dl_phdr_info *info, size_t size, void *by)
{
    const ElfW(Dyn) *dynamic = NULL;
    const ElfW(Rela) * relocations[2] = {NULL, NULL};
    size_t bytes[2] = {0, 0};
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[k].p_vaddr);
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        const void *at = (const void *)dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_SYMTAB)
            symbols = at;
        if (dynamic->d_tag == DT_STRTAB)
            names = at;
        if (dynamic->d_tag == DT_JMPREL)
            relocations[0] = at;
        if (dynamic->d_tag == DT_PLTRELSZ)
            bytes[0] = dynamic->d_un.d_val;
        if (dynamic->d_tag == DT_RELA)
            relocations[1] = at;
        if (dynamic->d_tag == DT_RELASZ)
            bytes[1] = dynamic->d_un.d_val;
    }
    for (int list = 0; symbols && names && list < 2; list++)
        for (size_t k = 0; relocations[list] && k < bytes[list] / sizeof(ElfW(Rela)); k++) {
            const ElfW(Rela) *r = relocations[list] + k;
            if (strcmp(names + symbols[ELF64_R_SYM(r->r_info)].st_name, "clock_gettime"))
                continue;
            uintptr_t slot = info->dlpi_addr + r->r_offset, page = (uintptr_t)getpagesize();
            mprotect((void *)(slot & ~(page - 1)), page, PROT_READ | PROT_WRITE);
            *(clock_function **)slot = by;
        }
    return 1; /* the program is the first */
}

#endif
