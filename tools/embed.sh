#!/bin/sh
# Prints a C header that holds one kernel file, with the dialect, the physics and what it includes before it, as a string.
# Included are headers of kernels/, which include nothing themselves and have no kernel file's name.
# usage: tools/embed.sh kernels/NAME.cl
set -eu
file=$1
name=$(basename "$file" .cl)
folder=$(dirname "$file")
quote() { # file: its lines as C string literals, with a #line so that messages name the real file
    printf '"#line 1 \\"%s\\"\\n"\n' "$1"
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^#include .*//' -e 's/^/"/' -e 's/$/\\n"/' "$1"
}
printf '/* Generated from %s. */\n#ifndef KERNEL_%s\n#define KERNEL_%s\nstatic const char kernel_%s[] =\n' "$file" "$name" "$name" "$name"
quote "$folder/dialect.h"
quote "$folder/threads.h"
quote "$folder/pair.h"
quote "$folder/count.h"
for header in $(sed -n 's/^#include "\(.*\)"$/\1/p' "$file"); do
    quote "$folder/$header"
done
quote "$file"
printf ';\n#endif\n'
