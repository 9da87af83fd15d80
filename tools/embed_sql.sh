#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a C header that holds one text file as a string, <ending>_<room>_<name>, with its lines as they are. Behind a line
# "--: text OTHER" begins another string, <ending>_<room>_OTHER.
# usage: tools/embed_sql.sh harness/ROOM/NAME.sql|css|js
set -eu
name=$(basename "$1")
prefix=${1##*.}_$(basename "$(dirname "$1")")_
printf '/* Generated from %s. */\nstatic const char %s[] =\n' "$1" "$prefix${name%.*}"
sed -e "/^--: text /{s/^--: text \(.*\)/;\nstatic const char $prefix\1[] =/;b" -e '}' \
  -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' "$1"
printf ';\n'
