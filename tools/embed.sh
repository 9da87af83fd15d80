#!/bin/sh
# Prints a C header that holds one kernel file as a string: the dialect, the physics, then the file with what it includes, as a
# preprocessor would put it, but each header of kernels/ once.
# usage: tools/embed.sh kernels/NAME.cl
set -eu
file=$1
name=$(basename "$file" .cl)
text=$(awk -v folder="$(dirname "$file")" -v file="$file" '
    # A #line before each piece, so that messages name the real file.
    function include(path,    line, number, status) {
        if (path in seen)
            return
        seen[path] = 1
        print "#line 1 \"" path "\""
        for (number = 1; (status = getline line < path) > 0; number++)
            if (line ~ /^#include "[^"]*"$/) {
                include(folder "/" substr(line, 11, length(line) - 11))
                print "#line " number + 1 " \"" path "\""
            } else
                print line
        if (status < 0) {
            print path ": cannot be read" > "/dev/stderr"
            exit 1
        }
    }
    BEGIN {
        include(folder "/dialect.h")
        include(folder "/warp_atomics.h")
        include(folder "/pair.h")
        include(folder "/count.h")
        include(file)
    }')
printf '/* Generated from %s. */\n#ifndef KERNEL_%s\n#define KERNEL_%s\nstatic const char kernel_%s[] =\n' "$file" "$name" "$name" "$name"
printf '%s\n' "$text" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/'
printf ';\n#endif\n'
