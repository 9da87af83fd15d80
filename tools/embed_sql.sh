#!/bin/sh
# Prints a C header that holds one SQL file as a string, sql_<room>_<name>, with its lines as they are.
# usage: tools/embed_sql.sh harness/ROOM/NAME.sql
set -eu
name=$(basename "$(dirname "$1")")_$(basename "$1" .sql)
printf '/* Generated from %s. */\nstatic const char sql_%s[] =\n' "$1" "$name"
sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' "$1"
printf ';\n'
