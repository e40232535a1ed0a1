// Reads the blocks of the file: docs/report-format.md describes them.

const documentParsed = new Promise((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve, { once: true });
  else resolve();
});

// The text of a block. While the parser works, its last element may be incomplete, and later ones are not there.
async function blockText(name) {
  let element = document.getElementById(name);
  if (document.readyState === "loading" && !element?.nextElementSibling) {
    await documentParsed;
    element = document.getElementById(name);
  }
  if (!element) throw new Error(`This file is incomplete: the block "${name}" is missing. Copy or make it again.`);
  return element.textContent;
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

// A block as a Response, whose text, JSON or bytes its reader takes.
async function inflated(name) {
  const bytes = bytesOf(await blockText(name));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

async function readJson(name) {
  return (await inflated(name)).json();
}

async function readBytes(name) {
  return new Uint8Array(await (await inflated(name)).arrayBuffer());
}

// Blocks that were decoded lately. The block that was not used for the longest time goes first.
class Cache {
  constructor(most) {
    this.most = most;
    this.kept = new Map();
  }
  json(name) {
    const found = this.kept.get(name) ?? readJson(name);
    this.kept.delete(name);
    this.kept.set(name, found);
    if (this.kept.size > this.most) this.kept.delete(this.kept.keys().next().value);
    return found;
  }
}

const lately = new Cache(24);

// Letters of sequences, which blocks store in segments: `where` has the sequence and the start of each block's first
// segment. Segments are sorted by sequence and start.
class Letters {
  constructor(kind, where) {
    this.kind = kind;
    this.where = where;
  }
  // The letters from `begin` up to before `end`, which one or several touching segments hold.
  async range(sequence, begin, end, cache = lately) {
    const pieces = [];
    let block = lastAtOrBefore(this.where, sequence, begin);
    for (let at = begin; at < end; block++) {
      const columns = await cache.json(`${this.kind}-letters-${block}`);
      let k = lastAtOrBefore(columns, sequence, at);
      for (; at < end && columns.sequence[k] === sequence; k++) {
        const start = columns.start[k];
        const piece = columns.letters[k].slice(at - start, end - start);
        if (piece === "") break;
        pieces.push(piece);
        at += piece.length;
      }
      if (at < end && k < columns.sequence.length) throw new Error(
        `This file has no letters of ${this.kind} ${sequence}.`
      );
    }
    return pieces.join("");
  }
}

// The last place whose sequence and start are not above the given ones.
function lastAtOrBefore(columns, sequence, start) {
  let low = 0;
  let high = columns.sequence.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const number = columns.sequence[middle];
    if (number < sequence || (number === sequence && columns.start[middle] <= start)) low = middle;
    else high = middle;
  }
  return low;
}

// What a table says of its rows from `first` on, in columns: typed arrays of whole numbers, and arrays of texts.
// `subject` counts in `subjects`, which has ids, titles and lengths of the subjects that the rows name.
class Rows {
  constructor(report, table, first, size) {
    this.report = report;
    this.table = table;
    this.first = first;
    this.size = size;
    this.columns = {};
  }

  static kUnknown = -2147483648;

  // Takes rows [from, to) of a block, which come to the place `at`.
  take(block, from, to, at) {
    for (const name of this.table.columns) {
      const values = block[name];
      let column = this.columns[name];
      if (!column) {
        const texts = values.some((value) => typeof value === "string");
        column = texts ? new Array(this.size).fill(null) : new Int32Array(this.size).fill(Rows.kUnknown);
        this.columns[name] = column;
      } else if (column instanceof Int32Array && values.some((value) => typeof value === "string")) {
        column = this.columns[name] = Array.from(column, (value) => (value === Rows.kUnknown ? null : value));
      }
      for (let k = from, i = at; k < to; k++, i++) if (values[k] !== null) column[i] = values[k];
    }
  }

  // The query of each row: stored, or known from how many rows each query has.
  fillQueries() {
    if (!this.table.by_query) return;
    const { firstRow } = this.report;
    const column = (this.columns.query = new Int32Array(this.size));
    let query = this.report.queryOfRow(this.first);
    for (let i = 0; i < this.size; i++) {
      while (this.first + i >= firstRow[query + 1]) query++;
      column[i] = query;
    }
  }

  // The number of each row's hit among those of its query, from 1 on. Rows of a hit follow each other.
  fillHits() {
    const { query, subject } = this.columns;
    const hit = (this.hit = new Int32Array(this.size));
    for (let i = 0; i < this.size; i++) {
      const same = i > 0 && query[i] === query[i - 1];
      hit[i] = same ? hit[i - 1] + (subject[i] === subject[i - 1] ? 0 : 1) : 1;
    }
  }
}

// The report: its index, and what is read of its blocks when it is needed.
class Report {
  constructor(index) {
    if (index.format !== "alnus-report" || index.version !== 1) {
      throw new Error(`This page shows version 1 of alnus' reports, and the file has version ${index.version}.`);
    }
    Object.assign(this, index);
    this.oneSet = this.subjects === null;
    const { rows = [] } = this.queries;
    this.firstRow = new Float64Array(rows.length + 1);
    rows.forEach((count, k) => (this.firstRow[k + 1] = this.firstRow[k] + count));
    this.letterStores = {
      query: new Letters("queries", this.letters.queries),
      subject: this.oneSet
        ? new Letters("queries", this.letters.queries)
        : new Letters("subjects", this.letters.subjects),
    };
  }

  queryOfRow(row) {
    let low = 0;
    let high = this.firstRow.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.firstRow[middle] <= row) low = middle;
      else high = middle;
    }
    return low;
  }

  // Reads the rows [from, to) of a table. `progress` is called with the number of rows that have been read.
  async rows(table, from, to, progress) {
    const read = to - from > 4 * table.rows_per_block ? readJson : (name) => lately.json(name);
    const rows = new Rows(this, table, from, to - from);
    const per = table.rows_per_block;
    for (let number = Math.floor(from / per); number * per < to; number++) {
      const begin = Math.max(from, number * per);
      const end = Math.min(to, (number + 1) * per);
      rows.take(await read(`${table.name}-rows-${number}`), begin - number * per, end - number * per, begin - from);
      progress?.(end - from);
    }
    if (!rows.columns.subject) rows.columns.subject = new Int32Array(0);
    rows.fillQueries();
    rows.fillHits();
    rows.subjects = await this.subjectsOf(rows, read);
    return rows;
  }

  async subjectNames() {
    const subject = Uint32Array.from({ length: this.subjects.count }, (_, k) => k);
    return this.subjectsOf({ columns: { subject }, size: subject.length }, readJson);
  }

  // Ids, titles and lengths of the subjects of some rows, and `local`, the place of each row's subject among them.
  async subjectsOf(rows, read) {
    const { subject } = rows.columns;
    if (this.oneSet) return { ...this.queries, local: subject };
    const found = { id: [], title: [], length: [], local: new Int32Array(rows.size) };
    const per = this.subjects.per_block;
    const needed = Array.from(new Set(subject)).sort((a, b) => a - b);
    const placeOf = new Int32Array(this.subjects.count);
    const numbers = Array.from(new Set(needed.map((one) => Math.floor(one / per))));
    const texts = await Promise.all(numbers.map((number) => read(`subjects-${number}`)));
    const blocks = new Map(numbers.map((number, k) => [number, texts[k]]));
    for (const one of needed) {
      const block = blocks.get(Math.floor(one / per));
      placeOf[one] = found.id.length;
      for (const name of ["id", "title", "length"]) found[name].push(block[name][one % per]);
    }
    for (let i = 0; i < rows.size; i++) found.local[i] = placeOf[subject[i]];
    return found;
  }
}
