// The alignment of a row, below the table.
class AlignmentPanel {
  constructor(app) {
    this.app = app;
    const onkeydown = (event) => {
      if (event.key === "Escape") this.close();
    };
    this.element = make("section", { class: "alignment", "aria-label": "Alignment", hidden: true, onkeydown });
  }

  async show(view, i, focus) {
    const { rows } = view;
    const turn = (this.turn = Symbol("turn"));
    const aligned = await alignedLetters(rows, i);
    if (turn !== this.turn) return;
    this.view = view;
    this.row = i;
    const text = (name) => COLUMNS.get(name).text(rows, i);
    this.title = make(
      "h3",
      { tabindex: -1 },
      rows.table.by_query ? `Hit ${rows.hit[i]}: ` : `Row ${rows.first + i + 1}: `,
      makeName(text("saccver")),
      rows.columns.hsp ? `, alignment ${text("hsp")}` : "",
    );
    const button = (label, action, more = {}) => make("button", { type: "button", onclick: action, ...more }, label);
    const tools = make("div", { class: "toolbar" },
      button("Previous", () => this.step(-1)), button("Next", () => this.step(1)),
      aligned ? button("Save alignment", () => this.save()) : "", button("Close", () => this.close()));
    this.element.replaceChildren(
      make("div", { class: "head" }, this.title, tools),
      make("p", {}, "Query: ", makeName(text("qheader"))),
      make("p", {}, "Subject: ", makeName(text("theader"))),
      make("p", { class: "facts" }, alignmentFacts(rows, i).join(" · ")),
      this.letters(rows, i, aligned));
    this.element.hidden = false;
    if (focus) this.title.focus({ preventScroll: true });
    this.keepRowInView(view.grid);
  }

  // Scrolls the page so that the row and its alignment are in view together.
  keepRowInView({ frame }) {
    this.element.scrollIntoView({ block: "nearest" });
    const row = frame.querySelector(".current")?.getBoundingClientRect();
    if (!row) return;
    const hidden = row.bottom - this.element.getBoundingClientRect().top;
    if (hidden > 0) scrollBy(0, hidden + 8);
  }

  letters(rows, i, aligned) {
    if (!aligned) return make("p", { class: "note" }, "This run kept no alignments; --detail alignment does.");
    if (aligned.query === "") return make("p", { class: "note" }, "Nothing is aligned.");
    const wide = Math.floor((this.app.main.clientWidth / this.letterWidth() - 34) / 10) * 10;
    const lines = alignmentLines(rows, i, aligned, between(wide, 20, 100));
    return make("pre", { tabindex: 0, "aria-label": "Aligned letters" }, lines.join("\n"));
  }

  letterWidth() {
    const probe = make("pre", {}, make("span", {}, "0".repeat(100)));
    this.element.hidden = false;
    this.element.append(probe);
    const width = probe.firstChild.getBoundingClientRect().width / 100;
    probe.remove();
    return width || 8;
  }

  step(way) {
    const { grid } = this.view;
    const at = grid.shown.indexOf(this.row) + way;
    if (at >= 0 && at < grid.shown.length) this.app.openRow(this.view, grid.shown[at]);
    else announce(way < 0 ? "This is the first row." : "This is the last row.");
  }

  async save() {
    const { rows } = this.view;
    saveAs(`${this.view.fileName}-row-${this.row + 1}.txt`, await alignmentPieces(rows, [this.row]));
    announce("The alignment was saved.");
  }

  hide() {
    this.turn = null;
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  close() {
    const { view } = this;
    this.hide();
    this.app.setAddress(view.kind === "query" ? `#query=${view.query + 1}` : `#${view.rows.table.name}`);
    view.grid.table.focus({ preventScroll: true });
  }
}
