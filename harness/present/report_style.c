#include "present/report_parts.h"

/* Light and dark; figures keep their white ground. */
const char orr_report_style[] =
    ":root{--ink:#1c1c1c;--soft:#5a5a5a;--ground:#fff;--card:#f6f7f9;--line:#d9dce1;--link:#0b5cad}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a4a8ae;--ground:#15171a;--card:#1e2126;"
    "--line:#343941;--link:#7db7f2}}\n"
    "body{font:16px/1.5 system-ui,'Segoe UI','DejaVu Sans',sans-serif;color:var(--ink);background:var(--ground);"
    "max-width:1280px;margin:0 auto;padding:24px}\n"
    "h1{font-size:1.9em;margin:.2em 0}h2{font-size:1.5em;border-bottom:1px solid var(--line);margin-top:2.2em;"
    "padding-bottom:.2em}h3{font-size:1.2em;margin-top:2em}h4{font-size:1em;margin:1.6em 0 .4em}\n"
    "a{color:var(--link)}.facts,.soft{color:var(--soft);font-size:.9em}.wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.86em;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:4px 10px;border-bottom:1px solid "
    "var(--line);text-align:left;vertical-align:top;white-space:nowrap}\n"
    "th{background:var(--card);font-weight:600;white-space:normal}.r{text-align:right}td.long{white-space:normal}\n"
    "tbody tr:hover{background:var(--card)}img{max-width:100%;height:auto;background:#fff;border:1px solid var(--line);"
    "border-radius:6px;margin:1em 0}\n"
    "td.yes,td.partly,td.no{color:#fff;font-weight:600}td.yes{background:#1a7f37}td.partly{background:#8a6100}"
    "td.no{background:#b3261e}td.unknown{color:var(--soft)}\n"
    "ul.contents{columns:2}sup{color:var(--link)}\n";
