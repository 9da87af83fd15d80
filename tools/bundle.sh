#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes a folder that runs by itself on another x86-64 Linux with a C library at least as new as this one's:
# what `make install` installs, and every shared library except the C library, the loader and the drivers' own.
# usage: tools/bundle.sh BUILD FOLDER      ORRERY_BUNDLE_NVRTC=1 adds NVRTC (large), for machines with a driver but no toolkit.
set -euo pipefail
build=$1 out=$(realpath -m "$2")
rm -rf "$out.new"
tools/stage.sh "$build" "$out.new" >/dev/null
install -m 755 "$build/portable/orrery" "$out.new/bin/orrery"
# Whoever unpacks the folder has no use for a shell's or man's search paths.
rm -rf "$out.new"/share/{man,bash-completion,orrery/installed}
mkdir -p "$out.new/lib"
# The libraries that the program and the plugins load, without those that belong to the system's C library. MPI is the other
# machine's, whose mpirun it must fit: liborrery_mpi.so takes any of the same family (Open MPI 4 and 5: libmpi.so.40).
ldd "$out.new/bin/orrery" "$out.new/lib/orrery/liborrery_flint.so" $(find "$out.new/lib/orrery/variants" -name '*.so') | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv)\.so[^/]*)$' | while read -r library; do cp -L "$library" "$out.new/lib/"; done
if [ "${ORRERY_BUNDLE_NVRTC:-}" = 1 ]; then
    for library in $(ldconfig -p | awk '/libnvrtc(-builtins)?\.so\.[0-9.]+ /{print $NF}'); do cp -L "$library" "$out.new/lib/"; done
fi
cat > "$out.new/orrery" <<'RUN'
#!/bin/sh
# Starts the bundled program with the bundled libraries.
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib" exec "$here/bin/orrery" "$@"
RUN
chmod +x "$out.new/orrery"
rm -rf "$out"
mv "$out.new" "$out"
packed=$(tar -C "$(dirname "$out")" -c "$(basename "$out")" | gzip | wc -c)
echo "bundle: $2, $(du -sh "$out" | cut -f1), $(numfmt --to=iec "$packed")B as .tar.gz; run $2/orrery doctor"
