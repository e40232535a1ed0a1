// Alignments: the letters of both sequences column by column, and the line between them.

const COMPLEMENT = new Map();
for (const pair of ["AT", "CG", "RY", "KM", "BV", "DH", "SS", "WW", "NN"]) {
  for (const [a, b] of [pair, pair.toLowerCase()]) COMPLEMENT.set(a, b).set(b, a);
}

function reverseComplement(letters) {
  return Array.from(letters, (letter) => COMPLEMENT.get(letter) ?? letter).reverse().join("");
}

// The aligned letters of a row, with "-" for gaps, along the query: { query, subject }, or null if nothing is known.
async function alignedLetters(rows, i, cache = lately) {
  const { table, report } = rows;
  if (!table.gaps) return null;
  const row = rows.first + i;
  const block = await cache.json(`${table.name}-gaps-${Math.floor(row / table.rows_per_block)}`);
  const cigar = block.cigar[row % table.rows_per_block];
  if (cigar === null || cigar === "*") return { query: "", subject: "" };
  const [sstart, send] = [whole(rows, "sstart", i), whole(rows, "send", i)];
  const { query, subject } = report.letterStores;
  const ofQuery = await query.range(rows.columns.query[i], whole(rows, "qstart", i) - 1, whole(rows, "qend", i), cache);
  const given = await subject.range(rows.columns.subject[i], Math.min(sstart, send) - 1, Math.max(sstart, send), cache);
  return withGaps(cigar, ofQuery, isMinus(rows, i) ? reverseComplement(given) : given);
}

function withGaps(cigar, query, subject) {
  const aligned = { query: "", subject: "" };
  let [q, s] = [0, 0];
  for (const [, digits, letter] of cigar.matchAll(/(\d+)([MID])/g)) {
    const length = Number(digits);
    const gap = "-".repeat(length);
    aligned.query += letter === "D" ? gap : query.slice(q, (q += length));
    aligned.subject += letter === "I" ? gap : subject.slice(s, (s += length));
  }
  return aligned;
}

// The runs of a CIGAR with `=` and `X`, as [length, letter].
function runsOf({ query, subject }) {
  const [a, b] = [query.toUpperCase(), subject.toUpperCase()];
  const runs = [];
  for (let k = 0; k < a.length; k++) {
    const letter = a[k] === "-" ? "D" : b[k] === "-" ? "I" : a[k] === b[k] ? "=" : "X";
    if (runs.at(-1)?.[1] === letter) runs.at(-1)[0]++;
    else runs.push([1, letter]);
  }
  return runs;
}

function cigarOf(aligned) {
  return runsOf(aligned).map(([length, letter]) => `${length}${letter}`).join("") || "*";
}

function btopOf(aligned) {
  const [a, b] = [aligned.query.toUpperCase(), aligned.subject.toUpperCase()];
  let text = "";
  let at = 0;
  for (const [length, letter] of runsOf(aligned)) {
    if (letter === "=") text += length;
    else for (let k = at; k < at + length; k++) text += a[k] + b[k];
    at += length;
  }
  return text;
}

// The line between the sequences: the letter of equal ones ("|" for DNA), "+" for those that score above 0.
function middleLine({ query, subject }, report) {
  const dna = report.alphabet === "dna";
  let line = "";
  for (let k = 0; k < query.length; k++) {
    const [a, b] = [query[k].toUpperCase(), subject[k].toUpperCase()];
    if (a === b) line += dna ? "|" : a;
    else line += report.positive[a]?.includes(b) ? "+" : " ";
  }
  return line;
}

// Lines of `width` columns, with the numbers of their first and last residues.
function alignmentLines(rows, i, aligned, width) {
  const middle = middleLine(aligned, rows.report);
  const [qstart, sstart] = [whole(rows, "qstart", i), whole(rows, "sstart", i)];
  const step = isMinus(rows, i) ? -1 : 1;
  const digits = String(Math.max(whole(rows, "qend", i), sstart, whole(rows, "send", i))).length;
  let [q, s] = [qstart, sstart];
  const lines = [];
  const line = (name, letters, from, to) => `${name} ${String(from).padStart(digits)} ${letters} ${to}`;
  for (let at = 0; at < middle.length; at += width) {
    const [a, b] = [aligned.query.slice(at, at + width), aligned.subject.slice(at, at + width)];
    const [ofA, ofB] = [a.replaceAll("-", "").length, b.replaceAll("-", "").length];
    lines.push(line("Query  ", a, q, ofA > 0 ? q + ofA - 1 : q));
    lines.push(`${" ".repeat(9 + digits)}${middle.slice(at, at + width)}`.trimEnd());
    lines.push(line("Subject", b, s, ofB > 0 ? s + step * (ofB - 1) : s), "");
    q += ofA;
    s += step * ofB;
  }
  return lines;
}

// What an alignment's numbers say, in words.
function alignmentFacts(rows, i) {
  const text = (name) => COLUMNS.get(name).text(rows, i);
  const facts = [];
  if (rows.columns.bitscore) facts.push(`${text("bitscore")} bits`, `E-value ${text("evalue")}`);
  if (rows.columns.score) facts.push(`score ${text("score")}`);
  if (rows.columns.relation) facts.push(`${text("relation")}: ${text("value")}`);
  if (rows.columns.nident) {
    facts.push(`${text("nident")} of ${text("length")} columns identical (${text("pident")}%)`);
    if (rows.report.alphabet !== "dna") facts.push(`${text("positive")} positive`);
    facts.push(`${text("gaps")} residues in ${text("gapopen")} gaps`);
  }
  if (rows.columns.qstart) facts.push(
    `query ${text("qstart")} to ${text("qend")}`, `subject ${text("sstart")} to ${text("send")}`,
  );
  if (rows.report.alphabet === "dna" && rows.columns.strand) facts.push(`${text("sstrand")} strand`);
  return facts;
}

