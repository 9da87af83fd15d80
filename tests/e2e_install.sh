#!/bin/bash
# SPDX-License-Identifier: MIT
# What people meet before the first run: installing, the program alone, help, man page, completions, version.
. "$(dirname "$0")/lib_e2e.sh"
unset ORRERY_HOME ORRERY_PLUGINS ORRERY_PAPERS

# --- installed ---
prefix="$work/stage/opt/my dir's"
by_make() { make -s -o all "$1" BUILD="$BUILD" PREFIX="/opt/my dir's" DESTDIR="$work/stage"; }
installed=$prefix/bin/orrery
check "make installs below DESTDIR, in a prefix with blanks and quotes" by_make install
elsewhere() { (cd / && timeout "$(patience 120)" "$installed" "$@") >"$work/out" 2>"$work/err"; }
check "papers are found beside it" eval 'elsewhere list papers && grep -q "^fujiwara " "$work/out"'
check "variants too" eval 'elsewhere describe fujiwara/cpu-simd && grep -q "^  *steps" "$work/out"'
check "and reference results" eval 'elsewhere table shan/table2 -r amd-epyc-2-cores -f csv && [ -s "$work/out" ]'
check "it runs, also shut in" eval 'elsewhere run fujiwara/table2 --device host --set n=999 --preset smoke --once --only "*cpu-simd*" -o "$work/results" --machine trial --sandbox'
check "every plugin is there" diff <(cd "$BUILD/variants" && find . -name '*.so' | sort) <(cd "$prefix/lib/orrery/variants" && find . -name '*.so' | sort)
check "nothing tells of this folder" eval '! grep -rlF -- "$root/" "$prefix" --exclude-dir=reference'
check "it can be installed again" tools/stage.sh "$BUILD" "/opt/my dir's" "$work/stage"
touch "$prefix/share/mine"
check "and be removed, without what others put there" eval 'by_make uninstall && [ "$(find "$work/stage" -type f)" = "$prefix/share/mine" ]'
check "a prefix that moves with the folder is refused" eval '! tools/stage.sh "$BUILD" some/where'
check "a clone keeps the ends of its lines under autocrlf" eval '[ "$(git check-attr eol run_all.sh results/reference/amd-epyc-2-cores/claims.json | grep -c ": lf$")" -eq 2 ]'

# --- the program alone ---
mkdir -p "$work/bin" && cp "$orrery" "$work/bin/"
alone() { ! "$work/bin/orrery" "$@" >"$work/out" 2>"$work/err" && grep -qF "neither $work nor $work/share/orrery holds datasets/manifest" "$work/err" && [ ! -s "$work/out" ]; }
check "the program alone says what it misses, whatever it is asked for, and not that there is none" eval 'alone list papers && alone run shan && alone table shan/table2 && alone describe shan && alone claims'
check "but tells its version" eval '"$work/bin/orrery" --version >/dev/null'
check "a home that is not there" eval 'ORRERY_HOME=/none fails 2 "ORRERY_HOME names /none, which is no folder" list'

# --- help ---
check "help" shows 'usage: orrery COMMAND' help
check "help run is run --help" eval 'run 0 help run && cp "$work/out" "$work/help" && run 0 run --help && cmp "$work/out" "$work/help"'
check "help of a verb" shows 'usage: orrery dataset make' help dataset make
check "help rnu" fails 2 "unknown command 'rnu'; did you mean 'run'" help rnu
check "help exit-codes" shows 'failed verification' help exit-codes
narrow() { # a terminal of 60 columns
    script -qec "stty cols 60; '$orrery' run --help" /dev/null | tail -n +2 >"$work/out"
    [ "$(wc -l <"$work/out")" -gt 40 ] && ! tr -d '\r' <"$work/out" | grep -E '^.{61,}'
}
if command -v script >/dev/null; then check "help is wrapped where the terminal is narrow" narrow; fi

# --- man page and completion ---
each_option() { # of the commands is in the page
    local command option
    for command in $("$orrery" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
        for option in $("$orrery" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
            sed 's/\\-/-/g; s/\\f.//g' "$work/orrery.1" | grep -qE -- "^(-., )?$option( |$)" || { echo "$command $option"; return 1; }
        done
    done
}
if command -v help2man >/dev/null; then
    tools/man.sh "$BUILD" >"$work/orrery.1"
    check "the man page has every option" each_option
    check "exit codes and variables" eval 'grep -q "failed verification" "$work/orrery.1" && grep -q ORRERY_HOME "$work/orrery.1"'
    if command -v groff >/dev/null; then check "groff finds nothing wrong" eval '! groff -man -ww -z "$work/orrery.1" 2>&1 | grep -v "cannot adjust line"'; fi
fi
complete_bash() { # WORDS...: what bash offers for the last one
    PATH=$BUILD:$PATH bash -c 'source tools/completion.bash; COMP_WORDS=(orrery "$@"); COMP_CWORD=$#; _orrery; echo " ${COMPREPLY[*]} "' bash "$@"
}
completes() { grep -q " $1 " <(complete_bash "${@:2}"); }
while read -r words; do check "bash completes ${words% *}" completes ${words##* } ${words% *}; done <<'END'
do doctor
dataset ma make
run --preset q quick
table fujiwara/t fujiwara/table2
dataset info ran random-3d
END
check "options" grep -qx ' --preset --precision ' <(complete_bash run --pre)
check "of a file it knows nothing, so bash offers files" eval 'grep -qx "  " <(complete_bash dataset info Make) && grep -q "^complete -o default" tools/completion.bash'
check "help --for is gone" fails 2 '^orrery: help --for: gone; tools/completion.bash' help --for man

# --- the end of run_all.sh, with a program that only says what it is asked ---
mkdir -p "$work/all/build" && cp run_all.sh "$work/all/" && printf 'all:\n' >"$work/all/Makefile"
cat >"$work/all/build/orrery" <<'PROGRAM'
#!/bin/bash
case "$1 $2" in
"list papers") printf 'KEY\nfirst\n' ;;
"reproduce first") exit "$CODE_OF_RUN" ;;
esac
PROGRAM
chmod +x "$work/all/build/orrery"
ends() { # CODE of the runs: it tells how to call the program, and ends with it
    CODE_OF_RUN=$1 "$work/all/run_all.sh" --no-install >"$work/out" 2>"$work/err"
    [ $? -eq "$1" ] && tail -4 "$work/out" | grep -qF "The program is $work/all/build/orrery" && tail -4 "$work/out" | grep -qF "export PATH=\"$work/all/build:\$PATH\""
}
check "run_all.sh ends by saying how to call the program" ends 0
check "also where cells failed" ends 5
check "an interrupted one ends at once" eval 'CODE_OF_RUN=130 "$work/all/run_all.sh" --no-install >"$work/out" 2>&1; [ $? -eq 130 ] && ! grep -q "The program is" "$work/out"'

# --- version ---
versions() ( # of a repository with a tag, of one without, and of an archive
    local copy=$work/copy
    mkdir -p "$copy/tools" && cp tools/version.{sh,txt} "$copy/tools/" && cp .gitattributes "$copy/" && cd "$copy" &&
        git -c init.defaultBranch=main init -q && git config user.name T && git config user.email t@localhost &&
        [ "$(tools/version.sh --version)" = "$(sed -n 's/^number: //p' tools/version.txt)" ] &&
        git add . && git commit -qm one && git tag -a v7.8.9 -m 7.8.9 && [ "$(tools/version.sh --version)" = 7.8.9 ] &&
        git commit -q --allow-empty -m two && [ "$(tools/version.sh --version)" = 7.8.9+1 ] &&
        mkdir "$work/archive" && git archive HEAD | tar -x -C "$work/archive" && cd "$work/archive" &&
        [ "$(GIT_CEILING_DIRECTORIES=$work tools/version.sh --version)" = 7.8.9+1 ] &&
        GIT_CEILING_DIRECTORIES=$work tools/version.sh | grep -q "COMMIT \"$(git -C "$copy" rev-parse --short=12 HEAD)\""
)
check "CITATION.cff has the number of version.txt" eval '[ "$(sed -n "s/^version: //p" CITATION.cff)" = "$(sed -n "s/^number: //p" tools/version.txt)" ]'
cites_all() { # papers, by their years and titles
    local file
    for file in variants/*/paper.yaml; do
        case $file in variants/skeleton/*) continue ;; esac
        grep -qF "$(sed -n 's/^title: "\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' "$file")" CITATION.cff || { echo "$file is not cited"; return 1; }
    done
}
check "and every paper" cites_all
if command -v git >/dev/null; then check "the version is the tag's, in an archive too" versions; fi

# --- packages: every night ---
if [ -n "${ORRERY_ALL_TESTS:-}" ] && [ "$BUILD" = "$root/build" ]; then
    package() {
        make -s deb && rm -rf "$work/deb" && dpkg-deb -x "$BUILD"/orrery_*.deb "$work/deb" && dpkg-deb -f "$BUILD"/orrery_*.deb Depends | grep -q libc6 &&
            (cd / && "$work/deb/usr/bin/orrery" describe shan/bpb >/dev/null) && gzip -t "$work/deb/usr/share/man/man1/orrery.1.gz"
    }
    check "the Debian package" package
    if command -v lintian >/dev/null; then check "has nothing that lintian calls an error" eval 'lintian --fail-on error "$BUILD"/orrery_*.deb'; fi
    apt_takes_it() { apt-get install -s --no-install-recommends "$BUILD"/orrery_*.deb | grep -q '^Inst orrery '; }
    if [ "$(id -u)" -eq 0 ]; then check "apt takes it" apt_takes_it; fi
    bundle() {
        make -s "$BUILD/portable/orrery" && tools/bundle.sh "$BUILD" "$work/bundle" | tee "$work/bundled" && (cd / && "$work/bundle/orrery" table shan/table2 --reference >/dev/null) &&
            ! ls "$work/bundle/lib" | grep -E 'curl|ssl|crypto|krb5|ldap'
    }
    check "the bundle carries no network" bundle
    printf 'x,y,z,mass\n0,0,0,1\n1,0,0,2\n' >"$work/two.csv"
    size_as_said() { # in README.md, within a fifth
        local said made
        said=$(grep -oE '[0-9]+ MB as .tar.gz' README.md | cut -d' ' -f1) made=$(grep -oE '[0-9]+MB as .tar.gz' "$work/bundled" | cut -dM -f1)
        [ -n "$said" ] && [ -n "$made" ] && [ $((5 * said)) -ge $((4 * made)) ] && [ $((5 * said)) -le $((6 * made)) ]
    }
    check "it is as large as README.md says" size_as_said
    check "and reads HDF5" eval '"$work/bundle/orrery" dataset convert "$work/two.csv" "$work/two.hdf5" && "$work/bundle/orrery" dataset info "$work/two.hdf5"'
fi
