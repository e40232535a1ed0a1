// The columns of tables: what each one prints, by the rules of `--outfmt 6`, and by which number it is sorted.

// A number with some decimals, as C prints it: the nearest one, and of two equally near ones the even one. toFixed()
// takes the larger one. A binary number is a tie only if it is an odd multiple of 2^-(decimals + 1).
function fixed(value, decimals) {
  const halves = value * 2 ** (decimals + 1);
  const text = value.toFixed(decimals);
  if (!Number.isInteger(halves) || halves % 2 === 0) return text;
  const last = Number(text.at(-1));
  return last % 2 === 0 ? text : (Number(text) - 10 ** -decimals).toFixed(decimals);
}

function quotient(part, whole, factor, decimals) {
  if (part === null || whole === null) return null;
  return fixed(whole > 0 ? (factor * part) / whole : 0, decimals);
}

// The percentage of covered residues. It is 100 only if all are covered.
function covered(part, whole) {
  if (part === null) return null;
  if (whole === 0) return "0";
  const percent = (100 * part) / whole;
  return String(percent < 99 ? Math.round(percent) : Math.floor(percent));
}

// A whole number of a row, or null if it is not known.
function whole(rows, name, i) {
  const value = rows.columns[name]?.[i];
  return value === undefined || value === Rows.kUnknown ? null : value;
}

function isMinus(rows, i) {
  return whole(rows, "strand", i) === 1;
}

function spans(rows, i) {
  const qstart = whole(rows, "qstart", i);
  const qend = whole(rows, "qend", i);
  const sstart = whole(rows, "sstart", i);
  const send = whole(rows, "send", i);
  if (qstart === null || qend === null || sstart === null || send === null) return null;
  return { query: qend - qstart + 1, subject: (isMinus(rows, i) ? sstart - send : send - sstart) + 1 };
}

// The columns of the alignment, gaps included.
function alignedColumns(rows, i) {
  const span = spans(rows, i);
  const gaps = whole(rows, "gaps", i);
  return span === null || gaps === null ? null : (span.query + span.subject + gaps) / 2;
}

function queryLength(rows, i) {
  return rows.report.queries.length[rows.columns.query[i]];
}

function subjectLength(rows, i) {
  return rows.subjects.length[rows.subjects.local[i]];
}

// What identities are divided by, for each of their columns.
const DENOMINATORS = {
  pident: (rows, i) => alignedColumns(rows, i),
  pident_ungapped: (rows, i) => alignedColumns(rows, i) - whole(rows, "gaps", i),
  pident_shorter: (rows, i) => Math.min(queryLength(rows, i), subjectLength(rows, i)),
  pident_longer: (rows, i) => Math.max(queryLength(rows, i), subjectLength(rows, i)),
  pident_mean: (rows, i) => (queryLength(rows, i) + subjectLength(rows, i)) / 2,
  pident_end_gaps: (rows, i) => {
    const span = spans(rows, i);
    return alignedColumns(rows, i) + queryLength(rows, i) - span.query + subjectLength(rows, i) - span.subject;
  },
};

// Residues of the query that all rows of a hit cover together.
function coveredByHit(rows, i) {
  let begin = i;
  while (begin > 0 && sameHit(rows, begin - 1, i)) begin--;
  const ranges = [];
  for (let k = begin; k < rows.size && sameHit(rows, k, i); k++) {
    if (whole(rows, "qstart", k) === null) return null;
    ranges.push([whole(rows, "qstart", k) - 1, whole(rows, "qend", k)]);
  }
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let residues = 0;
  let reached = 0;
  for (const [from, to] of ranges) {
    residues += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return residues;
}

function sameHit(rows, i, k) {
  return rows.columns.query[i] === rows.columns.query[k] && rows.columns.subject[i] === rows.columns.subject[k];
}

const COLUMNS = new Map();

// kind: "name" (text from a file), "number" or "letters" (needs the aligned letters, and is only for files).
function column(name, title, kind, text, more = {}) {
  COLUMNS.set(name, { name, title, kind, text, ...more });
}

function printed(value) {
  return value === null || value === undefined || value === "" ? "NA" : String(value);
}

function stored(name, title, more) {
  column(name, title, "number", (rows, i) => printed(whole(rows, name, i)), { needs: [name], ...more });
}

// A column of quotients: of a stored column and what `divisor` computes.
function ratio(name, title, part, divisor, factor, decimals) {
  const divided = (rows, i, how) => {
    const dividend = whole(rows, part, i);
    const by = dividend === null || alignedColumns(rows, i) === null ? null : divisor(rows, i);
    return by === null ? null : how(dividend, by);
  };
  column(name, title, "number", (rows, i) => printed(divided(rows, i, (a, b) => quotient(a, b, factor, decimals))), {
    needs: [part, "gaps"],
    value: (rows, i) => divided(rows, i, (a, b) => (b > 0 ? (factor * a) / b : 0)),
  });
}

function mismatches(rows, i) {
  const columns = alignedColumns(rows, i);
  return columns === null ? null : columns - whole(rows, "gaps", i) - whole(rows, "nident", i);
}

function queryName(part) {
  return (rows, i) => printed(rows.report.queries[part][rows.columns.query[i]]);
}
function subjectName(part) {
  return (rows, i) => printed(rows.subjects[part][rows.subjects.local[i]]);
}
function header(id, title) {
  return printed(title ? `${id} ${title}` : id);
}

for (const name of ["qaccver", "qseqid"]) column(name, "query", "name", queryName("id"), { of: "query" });
for (const name of ["saccver", "sseqid"]) column(name, "subject", "name", subjectName("id"), { of: "subject" });
column("qtitle", "query title", "name", queryName("title"), { of: "query", wide: true });
column("stitle", "subject title", "name", subjectName("title"), { of: "subject", wide: true });
column("qheader", "query header", "name", (rows, i) => {
  const k = rows.columns.query[i];
  return header(rows.report.queries.id[k], rows.report.queries.title[k]);
}, { of: "query", wide: true });
column("theader", "subject header", "name", (rows, i) => {
  const k = rows.subjects.local[i];
  return header(rows.subjects.id[k], rows.subjects.title[k]);
}, { of: "subject", wide: true });
column("qset", "query's set", "name", (rows, i) => printed(rows.columns.qset?.[i]), { needs: ["qset"] });
column("sset", "subject's set", "name", (rows, i) => printed(rows.columns.sset?.[i]), { needs: ["sset"] });
column("relation", "relation", "name", (rows, i) => printed(rows.columns.relation?.[i]), { needs: ["relation"] });
stored("value", "value");
stored("bitscore", "bits");
stored("evalue", "E-value", { ascending: true });
stored("score", "score");
stored("adjscore", "adjusted score");
stored("zscore", "Z-score");
stored("zscore_se", "Z-score's error", { ascending: true });
stored("zfit", "P-value of fit", { ascending: true });
for (const [name, divisor] of Object.entries(DENOMINATORS)) {
  const title = name === "pident" ? "identity %" : `identity % (${name.slice(7).replace("_", " ")})`;
  ratio(name, title, "nident", divisor, 100, 3);
}
for (const name of Object.keys(DENOMINATORS)) {
  for (const end of ["min", "max"]) stored(`${name}_${end}`, `${COLUMNS.get(name).title}, ${end}`);
}
ratio("fident", "identity", "nident", alignedColumns, 1, 3);
column(
  "length",
  "length",
  "number",
  (rows, i) => printed(alignedColumns(rows, i)),
  { needs: ["gaps"], value: alignedColumns },
);
stored("nident", "identical");
stored("positive", "positive");
ratio("ppos", "positive %", "positive", alignedColumns, 100, 2);
column(
  "mismatch",
  "mismatches",
  "number",
  (rows, i) => printed(mismatches(rows, i)),
  { needs: ["nident", "gaps"], ascending: true, value: mismatches },
);
stored("gapopen", "gaps", { ascending: true });
stored("gaps", "residues in gaps", { ascending: true });
stored("qstart", "query from", { ascending: true });
stored("qend", "query to", { ascending: true });
stored("sstart", "subject from", { ascending: true });
stored("send", "subject to", { ascending: true });
column(
  "sstrand",
  "strand",
  "name",
  (rows, i) => (rows.report.alphabet !== "dna" ? "NA" : isMinus(rows, i) ? "minus" : "plus"),
  { needs: ["strand"] },
);
column("hsp", "alignment", "number", (rows, i) => printed(whole(rows, "hsp", i) ?? 1), { ascending: true });
column("qlen", "query length", "number", (rows, i) => String(queryLength(rows, i)));
column("slen", "subject length", "number", (rows, i) => String(subjectLength(rows, i)));
column(
  "qcovhsp",
  "query covered %",
  "number",
  (rows, i) => printed(covered(spans(rows, i)?.query ?? null, queryLength(rows, i))),
  { needs: ["qstart", "sstart"] },
);
column(
  "scovhsp",
  "subject covered %",
  "number",
  (rows, i) => printed(covered(spans(rows, i)?.subject ?? null, subjectLength(rows, i))),
  { needs: ["qstart", "sstart"] },
);
column(
  "qcovs",
  "query covered by all %",
  "number",
  (rows, i) => printed(covered(coveredByHit(rows, i), queryLength(rows, i))),
  { needs: ["qstart", "sstart"] },
);
column(
  "qcov",
  "query covered",
  "number",
  (rows, i) => printed(quotient(spans(rows, i)?.query ?? null, queryLength(rows, i), 1, 3)),
  { needs: ["qstart", "sstart"] },
);
column(
  "tcov",
  "subject covered",
  "number",
  (rows, i) => printed(quotient(spans(rows, i)?.subject ?? null, subjectLength(rows, i), 1, 3)),
  { needs: ["qstart", "sstart"] },
);
column("cigar", "CIGAR", "letters", (rows, i, aligned) => (aligned ? cigarOf(aligned) : "NA"));
column("btop", "BTOP", "letters", (rows, i, aligned) => (aligned ? btopOf(aligned) : "NA"));
column("qseq", "aligned query", "letters", (rows, i, aligned) => aligned?.query ?? "NA");
column("sseq", "aligned subject", "letters", (rows, i, aligned) => aligned?.subject ?? "NA");
column("hit", "hit", "number", (rows, i) => String(rows.hit[i]), { ascending: true, width: 7 });
column("row", "row", "number", (rows, i) => String(rows.first + i + 1), { ascending: true, width: 9 });

// The columns that rows of a table can show.
function columnsOf(report, table) {
  const has = new Set(table.columns);
  return [...COLUMNS.values()].filter((one) => {
    if (one.kind === "letters") return false;
    if (one.name === "qseqid" || one.name === "sseqid") return false; // the same as qaccver and saccver
    if (one.name === "hit" && !table.by_query) return false;
    return (one.needs ?? []).every((name) => has.has(name)) && (one.name !== "hsp" || has.has("hsp"));
  });
}

// What rows are sorted and filtered by: a number for each row, NaN if it is not known.
function keysOf(rows, name) {
  rows.keys ??= {};
  return (rows.keys[name] ??= COLUMNS.get(name).kind === "name" ? nameRanks(rows, name) : numbersOf(rows, name));
}

function numbersOf(rows, name) {
  const keys = new Float64Array(rows.size);
  const values = rows.columns[name];
  if (values instanceof Int32Array) {
    for (let i = 0; i < rows.size; i++) keys[i] = values[i] === Rows.kUnknown ? NaN : values[i];
    return keys;
  }
  const { text, value } = COLUMNS.get(name);
  for (let i = 0; i < rows.size; i++) keys[i] = value ? (value(rows, i) ?? NaN) : numberOf(text(rows, i));
  return keys;
}

function numberOf(text) {
  return text === "NA" || text === "" ? NaN : Number(text);
}

// The rank of each row's name among all different ones. A name of a sequence is looked at once for all its rows.
function nameRanks(rows, name) {
  const { of, text } = COLUMNS.get(name);
  const place = of === "query" ? rows.columns.query : of === "subject" ? rows.subjects.local : null;
  const names = [];
  const placeOf = (i) => (place ? place[i] : i);
  for (let i = 0; i < rows.size; i++) names[placeOf(i)] ??= text(rows, i);
  const ranks = namesToRanks(names);
  return Float64Array.from({ length: rows.size }, (_, i) => ranks[placeOf(i)]);
}

// The rank of each name among all different ones.
function namesToRanks(names) {
  const rank = new Map();
  for (const name of names.slice().sort()) if (!rank.has(name)) rank.set(name, rank.size);
  return Float64Array.from(names, (name) => rank.get(name) ?? NaN);
}

// Which rows pass a filter: words that the names of query or subject hold, and comparisons such as evalue<1e-5.
function rowsThatPass(rows, filter) {
  const pass = new Uint8Array(rows.size).fill(1);
  const { words, comparisons } = parsedFilter(filter);
  for (const { name, operator, value } of comparisons) {
    const keys = keysOf(rows, name);
    const holds = COMPARE[operator];
    for (let i = 0; i < rows.size; i++) if (!holds(keys[i], value)) pass[i] = 0;
  }
  if (words.length > 0) keepWords(rows, words, pass);
  return pass;
}

const COMPARE = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
};

function parsedFilter(filter) {
  const words = [];
  const comparisons = [];
  for (const word of filter.trim().split(/\s+/).filter(Boolean)) {
    const found = /^([a-z_]+)(<=|>=|<|>|=)(.+)$/i.exec(word);
    const value = found ? Number(found[3]) : NaN;
    const known = found && COLUMNS.get(found[1].toLowerCase())?.kind === "number";
    if (known && !Number.isNaN(value)) comparisons.push({ name: found[1].toLowerCase(), operator: found[2], value });
    else words.push(word.toLowerCase());
  }
  return { words, comparisons };
}

// Rows whose sequences hold all words. Names are compared once for each sequence and word.
function keepWords(rows, words, pass) {
  const { queries } = rows.report;
  for (const word of words) {
    const holds = (names) => (k) => `${names.id[k]} ${names.title[k]}`.toLowerCase().includes(word);
    const inQuery = remembered(holds(queries), queries.id.length);
    const inSubject = remembered(holds(rows.subjects), rows.subjects.id.length);
    const extra = ["qset", "sset", "relation"].map((name) => rows.columns[name]).filter(Boolean);
    for (let i = 0; i < rows.size; i++) {
      if (!pass[i]) continue;
      const found =
        inSubject(rows.subjects.local[i]) ||
        inQuery(rows.columns.query[i]) ||
        extra.some((texts) => texts[i]?.toLowerCase().includes(word));
      if (!found) pass[i] = 0;
    }
  }
}

function remembered(question, size) {
  const answers = new Int8Array(size);
  return (k) => {
    if (answers[k] === 0) answers[k] = question(k) ? 1 : -1;
    return answers[k] > 0;
  };
}
