#!/bin/bash
# Makes a folder that runs by itself on another x86-64 Linux with a C library at least as new as this one's:
# program, plugins, data and every shared library except the C library, the loader and the drivers' own.
# usage: tools/bundle.sh BUILD FOLDER      ORRERY_BUNDLE_NVRTC=1 adds NVRTC (large), for machines with a driver but no toolkit.
set -euo pipefail
build=$1 out=$2
rm -rf "$out.new"
mkdir -p "$out.new/build/variants" "$out.new/lib" "$out.new/datasets"
cp "$build/orrery" "$out.new/build/"
cp -r "$build"/variants/. "$out.new/build/variants/"
find "$out.new/build" -name '*.d' -delete
# MPI itself is the other machine's, whose mpirun it must fit: the library takes any of the same family (Open MPI 4 and 5: libmpi.so.40).
[ ! -e "$build/liborrery_mpi.so" ] || cp "$build/liborrery_mpi.so" "$out.new/build/"
for file in $(git ls-files 'variants/*/paper.yaml' 'variants/*/published/*' 'variants/*/*.sql' 'variants/*/*.csv' 'plots/*' 'tools/reframe/*' 'tools/ramble/*' datasets/manifest docs/METHOD.md LICENSE 2>/dev/null \
    || find variants plots datasets/manifest docs/METHOD.md LICENSE -type f ! -name '*.c' ! -name '*.h'); do
    mkdir -p "$out.new/$(dirname "$file")"
    cp "$file" "$out.new/$file"
done
# The libraries the program and the plugins load, without those that belong to the system's C library.
ldd "$build/orrery" $(find "$build/variants" -name '*.so') | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv)\.so[^/]*)$' | while read -r library; do cp -L "$library" "$out.new/lib/"; done
# Loaded at run time, beside PAPI.
for library in $(ldconfig -p | awk '/libsde\.so\.1 /{print $NF; exit}'); do cp -L "$library" "$out.new/lib/"; done
if [ "${ORRERY_BUNDLE_NVRTC:-}" = 1 ]; then
    for library in $(ldconfig -p | awk '/libnvrtc(-builtins)?\.so\.[0-9.]+ /{print $NF}'); do cp -L "$library" "$out.new/lib/"; done
fi
cat > "$out.new/orrery" <<'RUN'
#!/bin/sh
# Starts the bundled program with the bundled libraries behind the system's own search order.
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib" exec "$here/build/orrery" "$@"
RUN
chmod +x "$out.new/orrery"
rm -rf "$out"
mv "$out.new" "$out"
echo "bundle: $out ($(du -sh "$out" | cut -f1)); run $out/orrery doctor"
