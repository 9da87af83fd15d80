#!/bin/bash
# SPDX-License-Identifier: MIT
# Promises about the sources and the plugins: what a header needs it includes, a plugin exports one symbol, functions stay
# short, rooms lie in layers, names have prefixes.
. "$(dirname "$0")/lib_e2e.sh"
sources=(harness datasets ranks variants tests)
read -ra includes < <(pkg-config --cflags libcyaml jansson sqlite3 OpenCL $(pkg-config --exists hdf5 && echo hdf5))

# shared/simd_*.h are templates that are included once for each instruction set, claim_turns.h one for the worlds of a test.
headers_compile() {
    local header bad=0
    while read -r header; do
        "${CC:-gcc}" -std=c11 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 -Iharness -I. "-I$BUILD/gen" \
            "${includes[@]}" -include "$header" -x c /dev/null || bad=1
    done < <(find "${sources[@]}" -name '*.h' ! -name 'simd_*.h' ! -name claim_turns.h)
    return $bad
}
# A sanitizer adds symbols of its own.
one_symbol() {
    local plugins=("$BUILD"/variants/*/*.so)
    nm -D -A --defined-only "${plugins[@]}" | awk -v plugins=${#plugins[@]} '$3 ~ /^__(odr_)?asan/ { next }
        $3 != "orr_variant" { print $1 " exports " $3; bad = 1 } $3 == "orr_variant" { good++ } END { exit bad || good != plugins }'
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
# What differs from a paper is said in a section of its name, with rows of four columns. A page says how to reproduce it; what it tells
# people to type names what there is.
papers_have_pages() {
    local key name bad=0
    for key in $(find variants -name paper.yaml | cut -d/ -f2); do
        sed -n "/^## $key\$/,/^## /p" docs/VALIDITY.md | grep -qE '^\|([^|]*\|){4,}$' || { echo "docs/VALIDITY.md has no rows under ## $key"; bad=1; }
        grep -q '^## How close is success' "docs/papers/$key.md" || { echo "docs/papers/$key.md does not say how close is success"; bad=1; }
        for name in $(grep -ohE "orrery (run|reproduce|claims|table) $key[a-z0-9./-]*" "docs/papers/$key.md" README.md | cut -d' ' -f3 | sort -u); do
            "$orrery" describe "$name" >/dev/null || { echo "there is no $name"; bad=1; }
        done
    done
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
check "every paper has a page and a section of VALIDITY.md, and its commands name what there is" papers_have_pages
check "every header compiles alone" headers_compile
check "every plugin exports orr_variant and nothing else" one_symbol
# CHANGELOG.md may tell of what is gone; so may a decision, which is a record of its day.
check "documents name what exists" python3 tests/source.py names README.md SECURITY.md REPRODUCE.md $(find . -maxdepth 1 -name CONTRIBUTING.md) docs/*.md docs/papers/*.md
advise "decisions name what exists" python3 tests/source.py names docs/decisions/*.md
check "no function is longer than 60 lines" short_functions
check "no line of code is longer than 100 columns" short_lines
check "rooms include only rooms below them" python3 tests/source.py layers
check "within a room files include only what lies below them, on few floors" python3 tests/source.py floors
check "exported names say their room or file" prefixes
# NVIDIA's OpenCL refuses them.
no_variadic_macros() { ! grep -rnE '# *define +[A-Za-z_0-9]+\(.*\.\.\.\)' kernels; }
check "no macro of a kernel takes any number of arguments" no_variadic_macros
check "no path of somebody's home" no_home_paths
check "no code of the harness knows a paper or a variant" python3 tests/source.py papers
check "each source names its licence" eval '! git rev-parse --git-dir >/dev/null 2>&1 || tools/spdx.sh --check'
