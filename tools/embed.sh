#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes a C header that holds one kernel file as a string: the dialect, the physics, then the file with what it includes, as a
# preprocessor would put it, but each header once. Headers are looked for beside the file, then in kernels/. A .d for make beside
# the C header says what it was made of.
# usage: tools/embed.sh FOLDER/NAME.cl OUT/NAME.h
set -eu
file=$1 out=$2
name=$(basename "$file" .cl)
text=$(awk -v folder="$(dirname "$file")" -v file="$file" -v out="$out" '
    function found(header,    line, status) {
        status = (getline line < (folder "/" header))
        close(folder "/" header)
        return (status < 0 ? "kernels" : folder) "/" header
    }
    # A #line before each piece, so that messages name the real file.
    function include(path,    line, number, status) {
        if (path in seen)
            return
        seen[path] = 1
        made_of = made_of " " path
        print "#line 1 \"" path "\""
        for (number = 1; (status = getline line < path) > 0; number++)
            if (line ~ /^#include "[^"]*"$/) {
                include(found(substr(line, 11, length(line) - 11)))
                print "#line " number + 1 " \"" path "\""
            } else
                print line
        if (status < 0) {
            print path ": cannot be read" > "/dev/stderr"
            exit 1
        }
    }
    BEGIN {
        include("kernels/dialect.h")
        include("kernels/warp_atomics.h")
        include("kernels/pair.h")
        include("kernels/count.h")
        include(file)
        depends = out
        sub(/h$/, "d", depends)
        print out ":" made_of > depends
        # A target of its own for each: a header that is gone must not stop make.
        count = split(made_of, path, " ")
        for (k = 1; k <= count; k++)
            print path[k] ":" > depends
    }')
{
    printf '/* Generated from %s. */\n#ifndef KERNEL_%s\n#define KERNEL_%s\nstatic const char kernel_%s[] =\n' "$file" "$name" "$name" "$name"
    printf '%s\n' "$text" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/'
    printf ';\n#endif\n'
} > "$out"
