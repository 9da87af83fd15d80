# SPDX-License-Identifier: MIT
# What harness/ledger/members.csv describes, as C, as tables of SQL in C, as JSON Schema or as a page of the documentation.
# usage: awk -v as=members|tables|schema|page -f tools/members.awk harness/ledger/members.csv
# Its columns: record, path, type (record: the record itself, path: the list whose items it is), needed (yes; never: made of rounds, in no record), range, unit, since
# (schema), column and its type in SQL (of a record: its table), rounds (rounds.sql), means (`orrery query --schema`), detail (the
# page, where it says more).
function fields(line,    k, c, quoted) { # RFC 4180, on one line
    n = 1; split("", f); f[1] = ""
    for (k = 1; k <= length(line); k++) {
        c = substr(line, k, 1)
        if (c == "\"" && quoted && substr(line, k + 1, 1) == "\"") { f[n] = f[n] c; k++ }
        else if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) f[++n] = ""
        else f[n] = f[n] c
    }
    for (; n < 12; n++) f[n + 1] = ""
}
function escaped(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
function enumerated(prefix, name) { gsub(/ /, "_", name); return "ORR_" prefix "_" toupper(name == "" ? "none" : name) }
function c_row() {
    if (f[3] == "record") {
        if (c_record != "") print "{0}};"
        end_record()
        c_record = sprintf("{%s, %s, %s, members_of_%s,", escaped(f[1]), escaped(f[2]), escaped(f[8]), f[1])
        c_insert = f[8] == "" ? "" : "INSERT INTO " (f[8] == "cell" ? "rounds.process" : f[8]) " VALUES (NULL"
        printf "static const struct orr_member members_of_%s[] = {\n", f[1]
    } else {
        if (c_insert != "" && f[8] != "") c_insert = c_insert ",?"
        printf "{%s, %s, %d, %s, %s, %s, %d, %d,\n %s},\n", escaped(f[2]), enumerated("MEMBER", f[3]), f[4] == "yes",
            enumerated("RANGE", f[5]), escaped(f[8]), enumerated("SQL", f[9]), f[10] == "own", f[10] != "" && f[10] != "own", escaped(f[11])
    }
}
function end_record() { if (c_record != "") c_records = c_records c_record " " escaped(c_insert (c_insert == "" ? "" : ")")) "},\n" }
# --- tables: of records; of a cell one more for those that are wrong on purpose, and in the schema `rounds` one of its rounds, whose
# values become the one of the cell
function table_row(    column) {
    if (f[3] == "record" && f[8] != "") { tables[++tables_count] = f[8]; means[f[8]] = f[11] }
    if (f[3] == "record") table = f[8]
    if (f[3] == "record" || table == "" || f[8] == "") return
    column = ", " f[8] " " (f[9] == "JSON" ? "TEXT" : f[9] == "LENGTH" ? "INTEGER" : f[9])
    if (table == "cell") of_round = of_round column
    if (f[10] == "own") return
    columns[table] = columns[table] column
    if (table == "cell") made = made (made == "" ? "" : ", ") (f[10] == "made" ? "made." : made_by[f[10]] "(p.") f[8] (f[10] == "made" ? "" : ")") " AS " f[8]
}
# With what `orrery query --schema` says of it above.
function told_table(name, columns, text) { return sprintf("\"-- %s\\n\"\n%s", substr(escaped(text), 2, length(escaped(text)) - 2), create(name, columns)) }
function create(name, columns) { return sprintf("\"CREATE TABLE %s(%s_key INTEGER PRIMARY KEY%s);\"\n", name, substr(name, index(name, ".") + 1), columns) }
function print_tables(    k) {
    printf "static const char sql_ledger_tables[] =\n"
    for (k = 1; k <= tables_count; k++)
        printf "%s%s", told_table(tables[k], columns[tables[k]], means[tables[k]]), tables[k] != "cell" ? "" : told_table("wrong_on_purpose", columns["cell"],
            "Cells whose results are wrong because they were meant to be: their times are an audit's alone, and no cell. Columns as of `cell`.")
    printf ";\nstatic const char sql_ledger_rounds_tables[] =\n%s", create("rounds.process", of_round)
    printf "\"CREATE VIEW rounds.cell AS SELECT %s FROM made CROSS JOIN chosen c CROSS JOIN process p USING (process_key) WHERE c.counts\";\n", made
}
# Neighbours of one meaning share a line.
function page_flush() { if (names != "") { printf "%s- %s: %s\n", first ? "\n" : "", names, row; first = 0 }; names = "" }
function page_row(    name, next_row) {
    if (f[3] == "record") {
        page_flush()
        printf "\n## %s\n%s\n", f[2] == "" ? "`record: \"" f[1] "\"`" : "`" f[1] "`", f[12]; first = 1
    }
    if (f[3] == "record" || f[2] == "" || f[2] == "#" || f[4] == "never") return
    text = f[12] == "" ? f[11] : f[12]
    if (text ~ /^of older /) return # what no run writes any more: the JSON Schema has it
    next_row = text (f[6] == "" ? "" : " [" f[6] "]")
    name = f[2]
    if (names != "" && next_row == row) sub(/.*\//, "", name); else page_flush()
    names = names (names == "" ? "" : ", ") "`" name "`" (f[4] == "yes" ? "\\*" : "") (f[7] == "" ? "" : "³"); row = next_row
}
# --- JSON Schema: members by record and parent, printed from the outermost in
function keep(    parent, slash, key) {
    if (f[3] == "record") { if (f[2] == "") records[++count] = f[1]; else items[f[2]] = f[1]; return }
    if (f[3] == "" || f[4] == "never" || f[2] ~ /\/[0-9]+$/) return
    parent = f[2]; slash = match(parent, /\/[^\/]*$/)
    key = f[1] " " (slash ? substr(parent, 1, slash - 1) : "")
    children[key] = children[key] (children[key] == "" ? "" : "\n") f[2]
    if (f[4] == "yes") wanted[key] = wanted[key] (wanted[key] == "" ? "" : ", ") escaped(substr(parent, slash ? slash + 1 : 1))
    type[f[1] " " f[2]] = f[3]; needed[f[1] " " f[2]] = f[4]; range[f[1] " " f[2]] = f[5]
    told[f[1] " " f[2]] = (f[6] == "" ? "" : f[6] "; ") (f[12] == "" ? f[11] : f[12])
}
function members(record, path, indent,    list, many, k, name, key, least, text) {
    many = split(children[record " " path], list, "\n")
    text = wanted[record " " path] == "" ? "" : "\"required\": [" wanted[record " " path] "], "
    text = text "\"properties\": {\n"
    for (k = 1; k <= many; k++) {
        key = record " " list[k]; name = list[k]; sub(/.*\//, "", name)
        text = text indent "  " escaped(name) ": {\"type\": " of_type(key)
        least = range[key] == "positive" ? ", \"exclusiveMinimum\": 0" : range[key] != "" || type[key] == "count" ? ", \"minimum\": 0" : ""
        if (type[key] != "list") text = text least
        else if (least != "") text = text ", \"items\": {\"type\": " (range[key] == "positive" ? "\"number\"" : "[\"number\", \"null\"]") least "}"
        text = text ", \"description\": " escaped(told[key])
        if ((record "/" list[k]) in items)
            text = text ", \"items\": {\"type\": \"object\", " members(items[record "/" list[k]], "", indent "  ") "}"
        if (children[key] != "") text = text ", " members(record, list[k], indent "  ")
        text = text "}" (k < many ? "," : "") "\n"
    }
    return text indent "}"
}
function of_type(key) {
    return needed[key] == "yes" ? escaped(json[type[key]]) : "[" escaped(json[type[key]]) ", \"null\"]"
}
BEGIN {
    split("text string number number integer integer count integer flag boolean list array object object", pairs, " ")
    for (k = 1; k in pairs; k += 2) json[pairs[k]] = pairs[k + 1]
    split("|first_known|median|median|sum|sum|max|max", pairs, "|")
    for (k = 1; k in pairs; k += 2) made_by[pairs[k]] = pairs[k + 1]
    if (as == "members" || as == "tables") print "/* Generated from harness/ledger/members.csv. */"
    if (as == "page") print "# The members of a journal\n\nMade of `harness/ledger/members.csv` by `make describe`; " \
        "[ARCHITECTURE.md](ARCHITECTURE.md#the-journal-schema-3) says what a journal is.\n" \
        "Every record has the members marked \\*; the others may be absent or null. Journals before schema 3 lack those marked ³.\n" \
        "[The JSON Schema](schemas/journal.schema.json) has the types, `orrery query --schema` the columns of SQL."
}
NR > 1 { fields($0); if (as == "members") c_row(); else if (as == "tables") table_row(); else if (as == "page") page_row(); else keep() }
END {
    if (as == "page") page_flush()
    if (as == "members") end_record()
    if (as == "members") printf "{0}};\nstatic const struct orr_record all_records[] = {\n%s};\n", c_records
    if (as == "tables") print_tables()
    if (as != "schema") exit
    print "{\n\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n\"title\": \"a line of a journal, results/<machine>/<run>.jsonl\","
    print "\"description\": \"made of harness/ledger/members.csv\",\n\"type\": \"object\", \"required\": [\"record\"],\n\"properties\": {\"record\": {\"type\": \"string\"}},\n\"allOf\": ["
    for (k = 1; k <= count; k++)
        text = text (text == "" ? "" : ",\n") "  {\"if\": {\"properties\": {\"record\": {\"const\": " escaped(records[k]) "}}},\n   \"then\": {" members(records[k], "", "    ") "}}"
    print text "\n]\n}"
}
