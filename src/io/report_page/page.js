// The page: its parts, and the addresses that lead to them. `#query=3&hit=17&hsp=2` is the second alignment of the
// hit 17 of query 3, `#hits` the table of all rows, `#hits=12` its row 12. All numbers begin at 1.

function showError(error) {
  const place = document.getElementById("error");
  place.textContent = String(error.message ?? error);
  place.hidden = false;
}

class App {
  constructor(report) {
    this.report = report;
    this.marks = {};
    this.views = new Map();
    this.panel = new AlignmentPanel(this);
    this.main = make("main", { id: "main" });
    this.build();
  }

  get hits() {
    return this.report.tables.find((table) => table.by_query);
  }

  marksOf(table) {
    return (this.marks[table.name] ??= new Set());
  }

  build() {
    const { report } = this;
    this.links = new Map();
    const link = (name, text) => this.links.set(name, make("a", { href: `#${name}` }, text));
    const summary = report.sections.length > 0;
    if (summary) link("run", "Summary");
    if (this.hits) link("query", "Queries");
    for (const { name, title, rows, by_query: byQuery } of report.tables) {
      link(name, `${byQuery ? "All hits" : title} (${rows.toLocaleString("en")})`);
    }
    if (report.matrix) link("matrix", "Heat map");
    if (!summary) link("run", "The run");
    const root = document.getElementById("page");
    this.aside = this.hits && report.queries.id.length > 1 ? this.makeIndex() : null;
    root.append(
      make("p", { id: "error", role: "alert", hidden: true }),
      make("p", { id: "status", role: "status", class: "hidden" }),
      make("nav", { "aria-label": "Parts of this report" }, ...this.links.values()),
      make("div", { class: this.aside ? "columns" : "" }, ...(this.aside ? [this.aside] : []), this.main),
      make("section", { class: "printed-run", "aria-hidden": "true" }, ...runParts(this.report)));
    addEventListener("hashchange", () => this.route(true));
    addEventListener("beforeprint", () => this.view?.grid?.beforePrint());
    addEventListener("afterprint", () => this.view?.grid?.afterPrint());
  }

  makeIndex() {
    const { element, grid } = queryIndex(this.report.queries, (i) => this.setAddress(`#query=${i + 1}`));
    this.index = grid;
    return element;
  }

  setAddress(address) {
    if (location.hash === address) this.route(true);
    else location.hash = address;
  }

  openRow(view, i) {
    this.setAddress(addressIn(view, i));
  }

  // Shows what the address names.
  async route(focus) {
    const turn = (this.turn = Symbol("turn"));
    document.getElementById("error").hidden = true;
    const wanted = new URLSearchParams(location.hash.slice(1));
    const [name, value] = wanted.entries().next().value ?? [this.links.keys().next().value, ""];
    const known = this.links.has(name) ? name : this.links.keys().next().value;
    this.showWhere(known);
    try {
      const view = await this.viewOf(known, value);
      if (turn !== this.turn) return;
      this.show(view);
      await this.openWanted(view, wanted, value, focus);
    } catch (error) {
      showError(error);
    }
  }

  showWhere(name) {
    for (const [one, link] of this.links) {
      if (one === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    this.aside?.classList.toggle("away", name !== "query");
    document.body.classList.toggle("shows-run", name === "run");
  }

  show(view) {
    if (this.view === view) return;
    this.panel.hide();
    this.view = view;
    this.main.replaceChildren(view.page);
    view.shown?.();
    view.grid?.attached();
  }

  // The row that the address names: its alignment is opened.
  async openWanted(view, wanted, value, focus) {
    if (!view.rows) return;
    const i = view.kind === "query" ? rowOfHit(view.rows, wanted) : value === "" ? -1 : Number(value) - 1;
    if (!(i >= 0 && i < view.rows.size)) {
      this.panel.hide();
      return;
    }
    const at = view.grid.shown.indexOf(i);
    view.grid.measure();
    if (at >= 0) view.grid.moveTo(at);
    await this.panel.show(view, i, focus);
  }

  async viewOf(name, value) {
    if (name === "query") return this.queryView(value === "" ? this.firstQuery() : Number(value) - 1);
    if (!this.views.has(name)) {
      const made = this.makeView(name);
      this.views.set(name, made);
      made.catch(() => this.views.delete(name));
    }
    return this.views.get(name);
  }

  firstQuery() {
    const first = this.report.queries.hits.findIndex((count) => count > 0);
    return Math.max(0, first);
  }

  async queryView(query) {
    const { report } = this;
    if (!(query >= 0 && query < report.queries.id.length)) throw new Error("This report has no query of this number.");
    if (this.view?.query === query) return this.view;
    const rows = await report.rows(this.hits, report.firstRow[query], report.firstRow[query + 1]);
    const view = new TableView(this, rows, "query", `query-${query + 1}`, "Hits of the query");
    view.query = query;
    const { id, title, length, hits, found = hits } = report.queries;
    const of = found[query] > hits[query] ? ` of ${found[query].toLocaleString("en")} that were found` : "";
    const some = hits[query] === 0 ? "no hits" : counted(hits[query], "hit");
    const count = `${counted(length[query], "residue")}, ${some}${of}`;
    const steps = make("div", { class: "toolbar" },
      make("a", { href: `#query=${Math.max(1, query)}`, class: "button" }, "Previous query"),
      make("a", { href: `#query=${Math.min(id.length, query + 2)}`, class: "button" }, "Next query"));
    const head = make(
      "div", { class: "head" }, make("h2", {}, `Query ${query + 1}: `, makeName(id[query])), id.length > 1 ? steps : "",
    );
    const picture = hitsOnQuery(rows, (i) => addressOf(rows, i)) ?? "";
    view.page = make(
      "div",
      {},
      head,
      make("p", {}, title[query] ? makeName(title[query]) : "", title[query] ? " · " : "", count),
      ...shownNote(this.report),
      picture,
      rows.size > 0 ? view.element : "",
      this.panel.element,
    );
    view.shown = () => this.index?.moveToRow(query);
    return view;
  }

  async makeView(name) {
    const { report } = this;
    if (name === "run") return { page: make("div", {}, ...runParts(this.report)) };
    if (name === "matrix") return this.matrixView();
    const table = report.tables.find((one) => one.name === name);
    const progress = make("p", { role: "status" }, "Reading rows …");
    this.main.replaceChildren(progress);
    this.view = null;
    const rows = await report.rows(table, 0, table.rows, (done) => {
      progress.textContent = `${done.toLocaleString("en")} of ${counted(table.rows, "row")} read`;
    });
    const view = new TableView(this, rows, "all", name, table.title);
    view.page = make("div", {}, make("h2", {}, table.title), ...shownNote(this.report), view.element);
    view.shown = () => view.page.append(this.panel.element);
    return view;
  }

  async matrixView() {
    const { report } = this;
    const columns = report.matrix.triangle ? report.queries.id : (await report.subjectNames()).id;
    const map = new HeatMap(report, report.queries.id, columns);
    return { page: map.element, shown: () => map.load() };
  }
}

async function start() {
  document.documentElement.classList.add("scripted");
  documentParsed.then(() => document.getElementById("plain")?.remove());
  try {
    if (typeof DecompressionStream === "undefined") throw new Error(
      "This browser is too old for the report; browsers of May 2023 and later show it."
    );
    const app = new App(new Report(await readJson("index")));
    await app.route(false);
    document.documentElement.classList.add("ready");
    performance.mark("shown");
  } catch (error) {
    document.getElementById("page").append(make("p", { id: "error", role: "alert" }, String(error.message ?? error)));
  }
}

start();
