#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes BUILD/orrery_VERSION_ARCHITECTURE.deb of what was built. usage: tools/deb.sh BUILD
set -euo pipefail
build=$1
for tool in dpkg-deb dpkg-shlibdeps help2man; do
    command -v $tool >/dev/null || { echo "$tool is missing: apt install dpkg-dev help2man" >&2; exit 1; }
done
version=$(tools/version.sh --version) architecture=$(dpkg --print-architecture)
maintainer=${MAINTAINER:-Orrery developers <orrery@example.org>} # whoever publishes packages names an address that is read
work=$build/deb
rm -rf "$work"
mkdir -p "$work/debian" "$work/root/DEBIAN"
tools/stage.sh "$build" /usr "$work/root" >/dev/null
find "$work/root/usr/bin" "$work/root/usr/lib" -type f -exec strip --strip-unneeded --remove-section=.comment --remove-section=.note {} +
rm "$work/root/usr/share/orrery/installed" "$work/root/usr/share/doc/orrery/LICENSE" # dpkg keeps its own list
printf 'orrery (%s) unstable; urgency=medium\n\n  * What changed: CHANGELOG.md.gz beside this file.\n\n -- %s  %s\n' "$version" "$maintainer" \
    "$(date -R -u -d "@$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)")" >"$work/root/usr/share/doc/orrery/changelog"
gzip -9n "$work/root/usr/share/doc/orrery/changelog" "$work/root/usr/share/man/man1/orrery.1" "$work/root/usr/share/doc/orrery/CHANGELOG.md"
printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\n' >"$work/root/usr/share/doc/orrery/copyright"
{
    sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
    echo 'License: Expat'
    sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
} >>"$work/root/usr/share/doc/orrery/copyright"
printf 'Source: orrery\n\nPackage: orrery\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -e root/usr/bin/orrery -e root/usr/lib/orrery/liborrery_flint.so \
    $(find root/usr/lib/orrery/variants -name '*.so' -printf '-e %p ') 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "dpkg-shlibdeps names no package that the program depends on" >&2; exit 1; }
cat >"$work/root/DEBIAN/control" <<CONTROL
Package: orrery
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: science
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$work/root" | cut -f1)
Depends: $depends
Recommends: pocl-opencl-icd, gnuplot-nox | gnuplot
Description: re-runs published GPU N-body results on the machine at hand
 Runs the papers' algorithms on the papers' inputs, verifies what they
 compute against double precision, and shows each table and figure beside
 the published one, with a verdict on each claim.
CONTROL
package=$build/orrery_${version}_$architecture.deb
rm -f "$build"/orrery_*.deb
dpkg-deb --root-owner-group -Zxz --build "$work/root" "$package" >/dev/null
rm -rf "$work"
echo "package: $package, $(numfmt --to=iec "$(stat -c %s "$package")")B; apt install ./$package"
