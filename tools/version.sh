#!/bin/sh
# Prints version.h: what the journal says of this build.
cd "$(dirname "$0")/.." || exit 1
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
git diff --quiet HEAD 2>/dev/null || commit="$commit+changes"
printf '#define ORR_VERSION "0.1.0"\n#define ORR_GIT_COMMIT "%s"\n' "$commit"
cat <<'END'
#ifdef __clang__
#define ORR_COMPILER __VERSION__
#else
#define ORR_COMPILER "gcc " __VERSION__
#endif
END
