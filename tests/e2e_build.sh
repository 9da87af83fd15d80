#!/bin/bash
# SPDX-License-Identifier: MIT
# Promises about what is built: program and plugins are hardened, and a build is the same bits from any folder.
. "$(dirname "$0")/lib_e2e.sh"
sanitized() { grep -q -- -fsanitize= "$BUILD/gen/flags"; }

# hardened FILE: the loader binds all symbols before it starts and then makes them read-only; no page is both written and run.
hardened() {
    local file=$1 segments
    segments=$(readelf -lW "$file")
    readelf -dW "$file" | grep -q BIND_NOW || { echo "$file binds its symbols late"; return 1; }
    grep -q GNU_RELRO <<<"$segments" || { echo "$file is not RELRO"; return 1; }
    grep -qE 'GNU_STACK .* RW +0x' <<<"$segments" || { echo "$file has a stack that can be run"; return 1; }
    ! grep -E '^ *LOAD .* RWE' <<<"$segments" || { echo "$file has a segment that can be written and run"; return 1; }
    ! readelf -dW "$file" | grep -E 'R(UN)?PATH|TEXTREL' || { echo "$file looks for libraries, or is written to, where it should not"; return 1; }
}
every_plugin_is_hardened() {
    local plugin
    for plugin in "$BUILD"/variants/*/*.so "$BUILD"/tests/plugins/*.so; do hardened "$plugin" || return 1; done
}
position_independent() { readelf -hW "$1" | grep -q 'Type: *DYN' && readelf -dW "$1" | grep -q 'FLAGS_1.*PIE'; }
imports() { nm -D --undefined-only "$1" | grep -qw "U $2"; }
soft() { # a program without any of it
    echo 'int main(void) { return 0; }' | gcc -no-pie -Wl,-z,norelro,-z,lazy,-z,execstack -x c - -o "$work/soft"
}

check "the program is hardened" hardened "$orrery"
check "and position-independent" position_independent "$orrery"
check "its stack is guarded" imports "$orrery" '__stack_chk_fail@.*'
sanitized || check "calls are checked where sizes are known" imports "$orrery" '__snprintf_chk@.*'
check "every plugin is hardened" every_plugin_is_hardened
check "a program that is not is seen" eval 'soft && grep -q late <(hardened "$work/soft") && ! position_independent "$work/soft"'

# Another folder with the sources of this one, longer in its path, built in the same way.
copy=$work/a/folder/with/quite/another/path
built=$(realpath --relative-to="$root" "$BUILD")
git_folder=$(git rev-parse --absolute-git-dir 2>/dev/null)
copy_sources() {
    mkdir -p "$copy" && git ls-files -z -co --exclude-standard -- Makefile tools harness ranks datasets kernels variants tests/fuzz/fuzz.mk tests/calibrate |
        xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\0" "$file"; done' - | xargs -0 cp --parents -pt "$copy"
}
# The commit in version.h comes from git, which is told where it is and leaves its index alone.
make_copy() { GIT_DIR=$git_folder GIT_WORK_TREE=$root GIT_OPTIONAL_LOCKS=0 nice make -s -C "$copy" BUILD="$built" "$@"; }
# Objects but for one room's and the skeleton's are taken over as they are: what holds for these holds for all, which `make nightly` compiles.
take_over() {
    [ -z "${ORRERY_ALL_TESTS:-}" ] || return 0
    mkdir -p "$copy/$built" && cp -a "$BUILD/gen" "$BUILD/obj" "$BUILD/pic" "$copy/$built" && rm -r "$copy/$built"/{obj/harness/*.o,pic/variants/skeleton}
}
nothing_of_this_folder() { ! grep -lF -- "$root/" "$orrery" "$BUILD"/variants/*/*.so; }
same() { cmp "$1" "$copy/$built/${1#"$BUILD"/}"; }
check "no path of this folder is in what was built" nothing_of_this_folder
if [ -z "$git_folder" ] || [[ $built == /* || $built == ..* ]]; then
    echo "skipped: the build in another folder needs git, and a build within this one"
    exit 0
fi
skeleton=$BUILD/variants/skeleton/skeleton.so
check "the sources build in another folder" eval 'copy_sources && take_over && make_copy -j2 "$built/orrery" "$built/variants/skeleton/skeleton.so"'
check "the program is the same bits" same "$orrery"
check "and so is a plugin" same "$skeleton"
check "where paths are not mapped" make_copy ANYWHERE= -W variants/skeleton/skeleton.c "$built/variants/skeleton/skeleton.so"
check "a plugin is other bits, and that is seen" eval '[ -f "$copy/$built/variants/skeleton/skeleton.so" ] && ! same "$skeleton"'
