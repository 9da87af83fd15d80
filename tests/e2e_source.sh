#!/bin/bash
# Promises about the sources, the library and the plugins: what a room may include and export, and the shape of the code.
. "$(dirname "$0")/lib_e2e.sh"
sources=(harness datasets variants tests)
read -ra includes < <(pkg-config --cflags libcyaml jansson sqlite3 OpenCL $(pkg-config --exists hdf5 && echo hdf5))

# The rooms from the bottom up; what shares a line does not see each other. A room is a folder of harness/ or a file in harness/
# itself, else a folder of the root. A file includes what is in its own room or below it.
layers='
kernels sql version
clock error json_member
text paths forked_probe
names format_value
machine
datasets device
variant render
measure plugin
variants plan
ledger
audit run
claims
present
compare report
cli
main
'
# A room exports orr_ROOM_... or orr_ and the first word of its file: orr_cell_... in run/cell_record.c. What else it may:
prefixes='
error fail
datasets dataset snapshot codec
plan axes
present grid format
compare comparison
'

# Whether what comes in, one a line, is exactly what the file lists: an exception is for what was there before the rule, so what
# the file does not have is a fault, and what it still has and is no more must be struck out.
only_exceptions() { # FILE
    local bad=0
    sort -u >"$work/found"
    grep -v '^#' "$1" | sort -u | comm -3 "$work/found" - >"$work/difference"
    while IFS= read -r line; do
        case $line in
        $'\t'*) echo "$1: no more needed: ${line#?}" ;;
        *) echo "against the rule: $line" ;;
        esac
        bad=1
    done <"$work/difference"
    return $bad
}
# "FILE HEADER" for each include of a room that is not below.
upward_includes() {
    find harness datasets variants -name '*.[ch]' -exec grep -H '^#include "' {} + | awk -v layers="$layers" '
        BEGIN {
            count = split(layers, lines, "\n")
            for (level = 1; level <= count; level++) {
                n = split(lines[level], rooms, " ")
                for (k = 1; k <= n; k++)
                    level_of[rooms[k]] = level
            }
        }
        # Of a path from the root.
        function room(path,    part, n) {
            n = split(path, part, "/")
            if (part[1] == "harness" && n == 2)
                sub(/\.[ch]$/, "", part[2])
            return part[1] == "harness" ? part[2] : part[1]
        }
        # A header is named from the folder of the file, from the root or from harness/.
        function resolved(header, file,    path) {
            path = file
            sub(/[^\/]*$/, "", path)
            path = path header
            if ((getline line < path) >= 0) {
                close(path)
                return path
            }
            return header ~ /^(harness|datasets|variants|kernels|sql)\// ? header : "harness/" header
        }
        {
            file = substr($0, 1, index($0, ":") - 1)
            split($0, quoted, "\"")
            from = room(file)
            to = room(resolved(quoted[2], file))
            if (!(from in level_of) || !(to in level_of))
                print file, quoted[2], "(a room that is not in the list of layers)"
            else if (from != to && level_of[to] >= level_of[from])
                print file, quoted[2]
        }'
}
# Each global symbol of the library whose name does not say where it is.
strange_symbols() {
    local object file
    find "$BUILD/obj" -name '*.o' | while read -r object; do
        file=${object#"$BUILD/obj/"} file=${file%.o}
        if [ -f "$file.c" ] && [ "$file" != harness/main ]; then nm -g --defined-only "$object" | sed "s|\$| $file|"; fi
    done | awk -v prefixes="$prefixes" '
        BEGIN {
            count = split(prefixes, lines, "\n")
            for (k = 1; k <= count; k++) {
                room = lines[k]
                sub(/ .*/, "", room)
                allowed[room] = lines[k]
            }
        }
        # Whether the symbol begins with orr_ and one of the words.
        function begins(symbol, words,    count, word) {
            for (count = split(words, word, " "); count > 0; count--)
                if (symbol ~ "^orr_" word[count] "(_|$)")
                    return 1
            return 0
        }
        function named_well(symbol, file,    part, n, room) {
            n = split(file, part, "/")
            room = part[1] == "datasets" ? "datasets" : n == 2 ? part[n] : part[2]
            sub(/_.*/, "", part[n])
            return begins(symbol, room " " part[n] " " allowed[room])
        }
        NF == 4 && $3 !~ /^__(odr_)?asan/ && !named_well($3, $4) { print $3 }'
}
rooms_include_what_is_below() { ! upward_includes | grep .; }
names_tell_the_room() { strange_symbols | only_exceptions tests/symbol-exceptions.txt; }

# shared/simd_*.h are templates that are included once for each instruction set.
headers_compile() {
    local header bad=0
    while read -r header; do
        "${CC:-gcc}" -std=c11 -fsyntax-only -Wall -Wextra -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 -Iharness -I. "-I$BUILD/gen" \
            "${includes[@]}" -include "$header" -x c /dev/null || bad=1
    done < <(find "${sources[@]}" -name '*.h' ! -name 'simd_*.h')
    return $bad
}
one_symbol() {
    local plugin symbols bad=0
    while read -r plugin; do
        # a sanitizer adds symbols of its own
        symbols=$(nm -D --defined-only "$plugin" | awk '$3 !~ /^__(odr_)?asan/ { printf "%s ", $3 }')
        [ "$symbols" = "orr_variant " ] || { echo "$plugin exports: $symbols"; bad=1; }
    done < <(find "$BUILD/variants" -name '*.so')
    return $bad
}
# What `code` in a document names: a path or the end of one, up to <placeholders>; an identifier or the beginning of one. Links
# are from the document's folder. CHANGELOG.md may tell of what is gone.
documents_name_what_exists() {
    {
        find . -name .git -prune -o -path "./build*" -prune -o -printf '/%P\n'
        grep -rohwE --exclude='*.csv' --exclude-dir=golden '[A-Za-z]+_[A-Za-z0-9_]+' "${sources[@]}" kernels tools | sort -u
    } | awk -v roots="$(echo */)" '
        # Each path by its ends, each identifier by its beginnings.
        FILENAME == "-" && /^\// { for (path = $0; sub(/^[^\/]*\//, "", path);) known[path]; next }
        FILENAME == "-" { known[$0]; for (path = $0; sub(/[^_]+_?$/, "", path);) known[path]; next }
        /^```/ { code = !code }
        code { next }
        function check(name) {
            if (!(name in known)) {
                print FILENAME ":" FNR ": there is no " name
                bad = 1
            }
        }
        function check_path(path) {
            if (match(path, /[<*]/)) {
                path = substr(path, 1, RSTART - 1)
                sub(/[^\/]*$/, "", path)
            }
            sub(/\/$/, "", path)
            if (path != "" && path !~ /^(build|\.)/)
                check(path)
        }
        function is_path(word) {
            return word ~ /^[-A-Za-z0-9_.\/<>*]+$/ && (word ~ /\.(c|h|cl|sql|gp|md|sh|csv|yaml)$/ ||
                word ~ /\// && index(" " roots, " " substr(word, 1, index(word, "/"))))
        }
        {
            for (line = $0; match(line, /\]\([^):#]+\)/);) {
                path = FILENAME
                sub(/[^\/]*$/, "", path)
                path = path substr(line, RSTART + 2, RLENGTH - 3)
                line = substr(line, RSTART + RLENGTH)
                while (sub(/[^\/]+\/\.\.\//, "", path))
                    continue
                check_path(path)
            }
            for (count = split($0, part, "`"); count > 0; count--) {
                if (count % 2)
                    continue
                name = part[count]
                sub(/^(struct |\.\/)/, "", name)
                sub(/\([^)].*/, "", name)
                if (name ~ /^[A-Za-z]+_[A-Za-z0-9_]+$/)
                    check(name)
                else if (is_path(name))
                    check_path(name)
            }
        }
        END { exit bad }' - README.md REPRODUCE.md $(find . -maxdepth 1 -name CONTRIBUTING.md) docs/*.md docs/*/*.md
}
# clang-format puts the braces of functions, and no others, alone into the first column.
short_functions() {
    find "${sources[@]}" -name '*.[ch]' -exec awk '
        /^\{$/ { start = FNR }
        /^\}$/ && start { if (FNR - start + 1 > 60) { print FILENAME ":" start ": a function of " FNR - start + 1 " lines"; bad = 1 } start = 0 }
        END { exit bad }' {} +
}
# clang-format does not break #pragma, long words and comments in tables.
short_lines() {
    ! LC_ALL=C.UTF-8 grep -rnE --include='*.[ch]' '^.{101,}' "${sources[@]}"
}
no_home_paths() {
    ! grep -rnIE '(^|[[:space:]"=:(])/(home|root|Users)/[[:alnum:]]' "${sources[@]}" kernels tools plots docs Makefile run_all.sh --exclude=e2e_source.sh
}
# Names are data: papers and variants are known to variants/ alone. Comments and the examples of help texts (`orrery ...`, "as in",
# <code>) may have them; literals that are spread over lines are joined first.
code_of() {
    case $1 in
    *.sql) sed 's/--[^:].*//' "$1" ;;
    *.sh | *.gp) sed 's/\(^\|[[:space:]]\)#.*//' "$1" ;;
    *) "${CC:-gcc}" -w -fpreprocessed -dD -E -P "$1" | sed -z 's/"[[:space:]]*"//g; s/`[^`"]*`//g; s/as in [[:alnum:]\/ -]*//g; s/<code>[^<]*<//g' ;;
    esac
}
no_names() {
    local keys names file bad=0
    keys=$(find variants -name paper.yaml | cut -d/ -f2 | paste -sd '|')
    # In code a variant is a word of its own in quotes, with or without its paper.
    names=$(find variants -mindepth 2 -maxdepth 2 -name '*.c' ! -path 'variants/common/*' ! -path 'variants/skeleton/*' -printf '%f\n' |
        sed 's/\.c$//' | sort -u | paste -sd '|')
    while read -r file; do
        code_of "$file" | grep -nE "(^|[^[:alnum:]])($keys)([^[:alnum:]]|$)|[\"'/]($names)[\"']" | sed "s|^|$file: |" | grep . && bad=1
    done < <(find harness plots tools run_all.sh -name '*.[ch]' -o -name '*.sql' -o -name '*.sh' -o -name '*.gp')
    return $bad
}
check "a room includes only rooms below it" rooms_include_what_is_below
check "an exported name says its room or its file" names_tell_the_room
check "every header compiles alone" headers_compile
check "every plugin exports orr_variant and nothing else" one_symbol
check "documents name what exists" documents_name_what_exists
check "no function is longer than 60 lines" short_functions
check "no line of code is longer than 100 columns" short_lines
check "no path of somebody's home" no_home_paths
check "no code of the harness knows a paper or a variant" no_names
finish
