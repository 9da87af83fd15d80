#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a C header that holds one text file as a string, <ending>_<room>_<name>, with its lines as they are.
# usage: tools/embed_sql.sh harness/ROOM/NAME.sql|css|js
set -eu
name=$(basename "$1")
name=${1##*.}_$(basename "$(dirname "$1")")_${name%.*}
printf '/* Generated from %s. */\nstatic const char %s[] =\n' "$1" "$name"
sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' "$1"
printf ';\n'
