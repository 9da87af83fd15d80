#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints version.h: what the journal says of this build. With --version the version alone.
# It is that of the tag v* before this commit, with +N for N commits since; of an archive what git wrote into tools/version.txt,
# and without any of them the number there.
cd "$(dirname "$0")/.." || exit 1
commit=$(git rev-parse --short=12 HEAD 2>/dev/null)
described=$(git describe --tags --long --match 'v[0-9]*' 2>/dev/null)
if [ -n "$commit" ]; then git diff --quiet HEAD 2>/dev/null || commit="$commit+changes"
else commit=$(sed -n 's/^commit: \([0-9a-f]\{12\}\)[0-9a-f]*$/\1/p' tools/version.txt); fi
[ -n "$described" ] || described=$(sed -n 's/^described: \(v[0-9].*\)$/\1/p' tools/version.txt)
version=$(echo "$described" | sed 's/^v//; s/-0-g[0-9a-f]*$//; s/-\([0-9]*\)-g[0-9a-f]*$/+\1/')
[ -n "$version" ] || version=$(sed -n 's/^number: //p' tools/version.txt)
if [ "${1:-}" = --version ]; then echo "$version"; exit; fi
printf '#define ORR_VERSION "%s"\n#define ORR_GIT_COMMIT "%s"\n' "$version" "${commit:-unknown}"
cat <<'END'
#ifdef __clang__
#define ORR_COMPILER __VERSION__
#else
#define ORR_COMPILER "gcc " __VERSION__
#endif
END
