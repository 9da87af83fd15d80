#!/bin/bash
# SPDX-License-Identifier: MIT
# Promises about the sources and the plugins: what a header needs it includes, a plugin exports one symbol, functions stay
# short, rooms lie in layers, names have prefixes.
. "$(dirname "$0")/lib_e2e.sh"
sources=(harness datasets ranks variants tests)
read -ra includes < <(pkg-config --cflags libcyaml jansson sqlite3 OpenCL $(pkg-config --exists hdf5 && echo hdf5))

# shared/simd_*.h are templates that are included once for each instruction set.
headers_compile() {
    local header bad=0
    while read -r header; do
        "${CC:-gcc}" -std=c11 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 -Iharness -I. "-I$BUILD/gen" \
            "${includes[@]}" -include "$header" -x c /dev/null || bad=1
    done < <(find "${sources[@]}" -name '*.h' ! -name 'simd_*.h')
    return $bad
}
# A sanitizer adds symbols of its own.
one_symbol() {
    local plugins=("$BUILD"/variants/*/*.so)
    nm -D -A --defined-only "${plugins[@]}" | awk -v plugins=${#plugins[@]} '$3 ~ /^__(odr_)?asan/ { next }
        $3 != "orr_variant" { print $1 " exports " $3; bad = 1 } $3 == "orr_variant" { good++ } END { exit bad || good != plugins }'
}
# What `code` in a document names: a path or the end of one, up to <placeholders>; an identifier or the beginning of one. Links
# are from the document's folder. CHANGELOG.md may tell of what is gone; so may a decision, which is a record of its day.
name_what_exists() { # DOCUMENT...
    {
        find . -name .git -prune -o -path "./build*" -prune -o -printf '/%P\n'
        grep -rohwEI --exclude='*.csv' --exclude-dir=golden '[A-Za-z]+_[A-Za-z0-9_]+' "${sources[@]}" kernels tools | sort -u
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
        END { exit bad }' - "$@"
}
short_functions() {
    find "${sources[@]}" -name '*.[ch]' -exec awk '/^{/ { first = FNR }
        /^}/ && first { if (FNR - first > 61) { print FILENAME ":" first ": a function of " FNR - first - 1 " lines"; bad = 1 }; first = 0 }
        END { exit bad }' {} +
}
# clang-format does not break #pragma, long words and comments in tables.
short_lines() {
    ! LC_ALL=C.UTF-8 grep -rnE --include='*.[ch]' --include='*.cl' '^.{101,}' "${sources[@]}" kernels
}
# Within a room a file with its header and its parts (x.c, x.h, x_parts.h) is one unit, which includes only units below it: no
# circles, and five floors at most.
floors() {
    grep -rn --include='*.[ch]' '^#include "' harness datasets ranks | awk -F'[:"]' '
        function unit(path) { sub(/\.[ch]$/, "", path); sub(/_parts$/, "", path); return path }
        function room(path) { sub("/[^/]*$", "", path); return path }
        function lies_low(u,    list, k) {
            for (k = split(below[u], list, " "); k > 0; k--)
                if (list[k] in left) return 0
            return 1
        }
        BEGIN {
            # a message is tamed as a text is, and what reads a text may fail
            known["harness/error"]; known["harness/memory"]; known["harness/text"]
            known["harness/plugin/plugin"]; known["harness/plugin/program"]
            known["harness/device/backend"]; known["harness/device/device"]
            known["datasets/formats/codec"]; known["datasets/formats/format"]
        }
        {
            from = unit($1)
            to = unit($4 ~ "^(datasets|ranks)/" ? $4 : "harness/" $4)
            if (from == to || room(from) != room(to) || (from, to) in seen || from in known && to in known) next
            seen[from, to]; left[from]; left[to]; below[from] = below[from] " " to
        }
        # The units that include none of those left are the next floor; in the end only circles are left, and what lies above them.
        END {
            do {
                floor++; count = 0
                for (u in left) if (lies_low(u)) ready[count++] = u
                for (k = 0; k < count; k++) { delete left[ready[k]]; high[room(ready[k])] = floor }
            } while (count)
            for (u in left) { print u " lies in a circle of includes or above one:" below[u]; bad = 1 }
            for (r in high) {
                if (high[r] > 5) { print r " has " high[r] " floors of includes, more than 5"; bad = 1 }
            }
            exit bad
        }'
}
# A room includes only rooms below it. variant.h, the plugin contract, goes with the plugins; its communicator, ranks/ranks.h, lies
# below them. The library of ranks knows the program up to what runs cells, and nothing of the program includes it.
layers() {
    grep -rn --include='*.[ch]' '^#include "' harness datasets ranks | awk -F'[:"]' '
        function rank(room) { return room in at ? at[room] : -1 }
        BEGIN {
            split("root 0 datasets 1 device 2 communicator 3 measure 3 plugin 4 plan 5 ledger 6 audit 7 verify 7 claims 8 worker 8 present 9 referee 9 compare 10 report 10 run 10 ranks 10 cli 11 main 12", list, " ")
            for (k = 1; k in list; k += 2) at[list[k]] = list[k + 1]
        }
        {
            own = $1; sub("^harness/", "", own); its = $4
            from = own ~ "/" ? own : own == "main.c" ? "main/" : own == "variant.h" ? "plugin/" : "root/"
            if (from == "ranks/ranks.h") from = "communicator/"
            to = its == "ranks/ranks.h" ? "communicator/" : its ~ "/" ? its : its == "variant.h" ? "plugin/" : "root/"
            sub("/.*", "", from); sub("/.*", "", to)
            if (from != to && (to == "ranks" || rank(to) >= rank(from))) { print $1 ":" $2 " includes " its; bad = 1 }
        }
        END { exit bad }'
}
# An exported name begins with its room or with the first word of its file; in `present` a document has grids, a selection has scopes, queries have
# sections, and a format writes values and HTML.
prefixes() {
    local source object objects=() room file bad=0 name
    for source in harness/{audit,claims,cli,compare,device,ledger,measure,plan,plugin,present,referee,report,run,verify,worker}/*.c ranks/*.c; do
        object=$BUILD/obj/${source%.c}.o
        if [ -e "$object" ]; then objects+=("$object"); elif [[ $source != ranks/* ]]; then echo "there is no $object"; bad=1; fi
    done
    while IFS=' :' read -r object _ _ name; do
        file=${object##*/} room=${object%/*} room=${room##*/}
        [ "$room" = present ] && room='present|grid|section|scope|format|html|value'
        file=${file%.o}
        [[ $name =~ ^orr_($room|${file%%_*})(_|$) ]] || { echo "$object exports $name"; bad=1; }
    done < <(nm -A -g --defined-only "${objects[@]}" | grep ' orr_')
    return $bad
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
    # Most files have none of them anywhere; only of the others the code is told from the rest. The first table of run_all.sh is an
    # example that it names.
    while read -r file; do
        code_of "$file" | grep -nE "(^|[^[:alnum:]])($keys)([^[:alnum:]]|$)|[\"'/]($names)[\"']" | sed "s|^|$file: |" | grep . && bad=1
    done < <(find harness plots tools \( -name '*.[ch]' -o -name '*.sql' -o -name '*.sh' -o -name '*.gp' \) -exec \
        awk -v RS='\001' -v named="$keys|$names" '{ gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, ""); gsub(/"[[:space:]]*"/, "") }
            $0 ~ named { print FILENAME }' {} +)
    return $bad
}
# What differs from a paper is said in a section of its name, with rows of four columns.
papers_have_validity() {
    local key bad=0
    while read -r key; do
        sed -n "/^## $key\$/,/^## /p" docs/VALIDITY.md | grep -qE '^\|([^|]*\|){4,}$' ||
            { echo "docs/VALIDITY.md has no rows under ## $key"; bad=1; }
    done < <(find variants -name paper.yaml | cut -d/ -f2)
    return $bad
}
# A page says how to reproduce a paper; what it tells people to type names what there is.
papers_have_pages() {
    local key name bad=0
    while read -r key; do
        grep -q '^## How close is success' "docs/papers/$key.md" || { echo "docs/papers/$key.md does not say how close is success"; bad=1; }
        for name in $(grep -ohE "orrery (run|reproduce|claims|table) $key[a-z0-9./-]*" "docs/papers/$key.md" README.md | cut -d' ' -f3 | sort -u); do
            "$orrery" describe "$name" >/dev/null || { echo "there is no $name"; bad=1; }
        done
    done < <(find variants -name paper.yaml | cut -d/ -f2)
    return $bad
}
# The page and the JSON Schema are made of the table.
members_are_described() {
    local file
    for file in page:docs/JOURNAL.md schema:docs/schemas/journal.schema.json; do
        awk -v as="${file%%:*}" -f tools/members.awk harness/ledger/members.csv | cmp - "${file#*:}" || return 1
    done
}
check "the members of a journal are described as members.csv has them (make describe)" members_are_described
check "every paper has a page, and its commands name what there is" papers_have_pages
check "every header compiles alone" headers_compile
check "docs/VALIDITY.md has a section for each paper" papers_have_validity
check "every plugin exports orr_variant and nothing else" one_symbol
check "documents name what exists" name_what_exists README.md SECURITY.md REPRODUCE.md $(find . -maxdepth 1 -name CONTRIBUTING.md) docs/*.md docs/papers/*.md
advise "decisions name what exists" name_what_exists docs/decisions/*.md
check "no function is longer than 60 lines" short_functions
check "no line of code is longer than 100 columns" short_lines
check "rooms include only rooms below them" layers
check "within a room files include only what lies below them, on few floors" floors
check "exported names say their room or file" prefixes
check "no path of somebody's home" no_home_paths
check "no code of the harness knows a paper or a variant" no_names
licensed() { ! git rev-parse --git-dir >/dev/null 2>&1 || tools/spdx.sh --check; }
check "each source names its licence" licensed
finish
