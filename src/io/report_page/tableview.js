// A table of rows with its tools, in the view of a query or of all rows.

const SHOWN_COLUMNS = {
  query: "hit hsp saccver stitle bitscore evalue pident length qcovhsp qstart qend sstart send sstrand".split(" "),
  all: "row qaccver qset saccver sset hsp relation value bitscore evalue pident length qstart qend sstart send sstrand"
    .split(" "),
};

function addressOf(rows, i) {
  const { table } = rows;
  if (!table.by_query) return `#${table.name}=${rows.first + i + 1}`;
  const hsp = rows.columns.hsp ? `&hsp=${rows.columns.hsp[i]}` : "";
  return `#query=${rows.columns.query[i] + 1}&hit=${rows.hit[i]}${hsp}`;
}

function addressIn(view, i) {
  return view.kind === "query" ? addressOf(view.rows, i) : `#${view.rows.table.name}=${view.rows.first + i + 1}`;
}

function rowOfHit(rows, wanted) {
  if (!wanted.has("hit")) return -1;
  const hit = Number(wanted.get("hit"));
  const hsp = Number(wanted.get("hsp") ?? 0);
  const first = rows.hit.indexOf(hit);
  if (hsp === 0 || !rows.columns.hsp) return first;
  return rows.hit.findIndex((one, i) => one === hit && rows.columns.hsp[i] === hsp);
}

// A table of rows with its tools: filter, columns, marks, files.
class TableView {
  constructor(app, rows, kind, fileName, label) {
    Object.assign(this, { app, rows, kind, fileName });
    this.available = columnsOf(rows.report, rows.table);
    this.marks = app.marksOf(rows.table);
    const start = SHOWN_COLUMNS[kind].filter((name) => this.available.some((one) => one.name === name));
    if (!rows.columns.bitscore) start.splice(start.indexOf("pident"), 0, "score");
    this.chosen = new Set(start.filter((name) => this.available.some((one) => one.name === name)));
    this.grid = new Grid({
      label,
      size: rows.size,
      columns: this.columns(),
      text: (name, i) => COLUMNS.get(name).text(rows, i),
      keys: (name) => keysOf(rows, name),
      open: (i) => this.open(i),
      isMarked: (i) => this.marks.has(rows.first + i),
      setMark: (i, on) => (on ? this.marks.add(rows.first + i) : this.marks.delete(rows.first + i)),
      changed: () => this.count(),
    });
    this.element = make("section", { class: kind }, this.tools(), this.grid.frame);
    this.count();
  }

  columns() {
    return this.available.filter((one) => this.chosen.has(one.name)).sort((a, b) => this.rank(a) - this.rank(b));
  }

  rank({ name }) {
    const place = SHOWN_COLUMNS[this.kind].indexOf(name);
    return place < 0 ? 100 : place;
  }

  open(i) {
    this.app.openRow(this, i);
  }

  tools() {
    const help = `${this.fileName}-filter-help`;
    this.input = make(
      "input",
      {
        type: "search",
        "aria-describedby": help,
        placeholder: "kinase evalue<1e-5",
        spellcheck: "false",
        autocomplete: "off",
        oninput: () => this.filterSoon(),
      },
    );
    this.counted = make("span", { class: "count", role: "status" });
    const hint = "Words that ids or titles contain, and comparisons with columns: evalue<1e-5, pident>=40, qcovhsp>80.";
    return make("div", { class: "toolbar" },
      make("label", {}, "Filter ", this.input),
      make("span", { id: help, class: "hidden" }, hint),
      this.counted,
      this.columnMenu(),
      menu(
        "Mark",
        make(
          "div",
          { class: "buttons" },
          make("button", { type: "button", onclick: () => this.markAll(true) }, "Mark all shown"),
          make("button", { type: "button", onclick: () => this.markAll(false) }, "Unmark all shown"),
        ),
      ),
      saveMenu(this.rows, this.fileName, () => this.lists(), () => this.columns().map((one) => one.name)),
      menu(
        "Help",
        make("p", {}, `Filter: ${hint}`),
        make(
          "p",
          {},
          "Keys in the table: arrows, Page Up, Page Down, Home and End move; Enter opens the alignment, Escape ",
          "closes it; the space bar marks a row. A column's heading sorts.",
        ),
        make(
          "p",
          {},
          "Names of columns for comparisons: ",
          this.available.filter((one) => one.kind === "number").map((one) => one.name).join(", "),
        ),
      ));
  }

  columnMenu() {
    const boxes = this.available.map((one) => {
      const box = make("input", { type: "checkbox", checked: this.chosen.has(one.name), onchange: () => {
        if (box.checked) this.chosen.add(one.name);
        else this.chosen.delete(one.name);
        this.grid.setColumns(this.columns());
      } });
      return make("label", {}, box, ` ${one.title}`, make("code", {}, one.name));
    });
    return menu("Columns", make("div", { class: "boxes" }, ...boxes));
  }

  filterSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.filter(this.input.value), 120);
  }

  filter(text) {
    this.grid.filter(text.trim() === "" ? null : rowsThatPass(this.rows, text));
  }

  lists() {
    const shown = Array.from(this.grid.shown);
    return { shown, marked: shown.filter((i) => this.marks.has(this.rows.first + i)) };
  }

  markAll(on) {
    for (const i of this.grid.shown) this.grid.setMark(i, on);
    this.grid.draw();
    this.count();
  }

  count() {
    if (!this.grid) return;
    const { shown } = this.grid;
    let marked = 0;
    if (this.marks.size > 0) for (const i of shown) marked += this.marks.has(this.rows.first + i);
    const all = this.rows.size;
    const of = shown.length === all ? "" : `${shown.length.toLocaleString("en")} of `;
    const text = `${of}${counted(all, "row")}`;
    this.counted.textContent = marked > 0 ? `${text}, ${marked.toLocaleString("en")} marked` : text;
  }
}
