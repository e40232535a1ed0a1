// A table of any number of rows, of which only those in view are in the document. Two rows without text, above and
// below, take the place of the others. The table itself keeps the focus and names the current row
// (aria-activedescendant), so that the focus stays while rows come and go.

const kTallest = 15_000_000; // pixels; browsers end elements at 17.8 (Firefox) or 33 million
const kSpare = 10; // rows above and below those in view
const kMostPrinted = 2000;
let gridCount = 0;

// The rows' order by their keys, unknown ones (NaN) last; equal ones stay in the order in which they are stored. It
// is a radix sort of the bits of the numbers, 16 at a time.
function orderBy(keys, descending) {
  const size = keys.length;
  const bits = new Uint32Array(2 * size);
  const numbers = new Float64Array(bits.buffer);
  for (let i = 0; i < size; i++) numbers[i] = Number.isNaN(keys[i]) ? Infinity : (descending ? -keys[i] : keys[i]) + 0;
  for (let i = 1; i < 2 * size; i += 2) {
    const negative = bits[i] >>> 31;
    if (negative) bits[i - 1] = ~bits[i - 1];
    bits[i] = negative ? ~bits[i] : bits[i] | 0x80000000;
  }
  let order = Uint32Array.from({ length: size }, (_, i) => i);
  let other = new Uint32Array(size);
  for (let digit = 0; digit < 4; digit++) {
    const half = digit >> 1;
    const shift = 16 * (digit & 1);
    const starts = new Uint32Array(65537);
    for (let i = 0; i < size; i++) starts[((bits[2 * i + half] >>> shift) & 0xffff) + 1]++;
    if (size > 0 && starts[((bits[half] >>> shift) & 0xffff) + 1] === size) continue; // all are the same here
    for (let k = 0; k < 65536; k++) starts[k + 1] += starts[k];
    for (const i of order) other[starts[(bits[2 * i + half] >>> shift) & 0xffff]++] = i;
    [order, other] = [other, order];
  }
  return order;
}

// The width of a column in characters.
function widthOf(one) {
  if (one.width) return one.width;
  return one.wide ? 36 : Math.max(one.kind === "name" ? 20 : 10, one.title.length + 3);
}

class Grid {
  // options: label; columns (name, title, kind, wide, ascending); size; text(column name, row); keys(column name);
  // open(row); marks, a set of rows or nothing; isMarked(row), setMark(row, on); changed(), after sorting and marking.
  constructor(options) {
    Object.assign(this, options);
    this.prefix = `grid${gridCount++}`;
    this.order = Uint32Array.from({ length: this.size }, (_, i) => i);
    this.shown = this.order;
    this.current = 0; // place in `shown`
    this.scroll = 0; // pixels
    this.viewHeight = 640; // pixels, until the table is in the document
    this.height = 26; // of a row
    this.sorted = { name: null, descending: false };
    this.build();
  }

  build() {
    this.head = make("thead");
    this.body = make("tbody");
    this.above = make("tr", { class: "spacer", "aria-hidden": "true" }, make("td"));
    this.below = make("tr", { class: "spacer", "aria-hidden": "true" }, make("td"));
    this.table = make(
      "table",
      {
        role: "grid", tabindex: 0, "aria-label": this.label, "aria-multiselectable": this.setMark ? "true" : undefined,
        onkeydown: (event) => this.key(event),
        onclick: (event) => this.click(event),
        onfocus: () => this.showCurrent(),
        onblur: () => this.markCurrent(),
      },
      make("colgroup"), this.head, this.body,
    );
    this.frame = make("div", { class: "grid", onscroll: () => this.scrolled() }, this.table);
    this.body.append(this.above, this.below);
    this.setColumns(this.columns);
    new ResizeObserver(() => this.measure()).observe(this.frame);
  }

  // Sizes and the scrolled distance are kept, because asking the browser for them makes it lay out the page.
  measure() {
    const height = this.frame.clientHeight - this.head.offsetHeight;
    if (height <= 0 || height === this.viewHeight) return;
    this.viewHeight = height;
    this.height = parseFloat(getComputedStyle(this.table).getPropertyValue("--row"));
    this.draw();
  }

  scrolled() {
    this.scroll = this.frame.scrollTop;
    this.draw();
  }

  scrollTo(distance) {
    this.scroll = Math.max(0, distance);
    this.frame.scrollTop = this.scroll;
  }

  // After the table was put back into the document.
  attached() {
    if (this.scroll > 0) this.frame.scrollTop = this.scroll;
  }

  setColumns(columns) {
    this.columns = columns;
    const widths = columns.map(widthOf);
    const cols = columns.map(() => make("col"));
    cols.forEach((col, k) => (col.style.width = `${widths[k]}ch`));
    const mark = make("col", { class: "mark" });
    this.table.querySelector("colgroup").replaceChildren(...(this.setMark ? [mark] : []), ...cols);
    this.table.style.width = `max(100%, ${widths.reduce((sum, width) => sum + width, this.setMark ? 4 : 0)}ch)`;
    const cells = columns.map((one) => this.headCell(one));
    if (this.setMark) cells.unshift(make(
      "th", { scope: "col", class: "mark" }, make("span", { class: "hidden" }, "mark"),
    ));
    this.head.replaceChildren(make("tr", { "aria-rowindex": 1 }, ...cells));
    for (const row of [...this.body.rows]) if (!row.classList.contains("spacer")) row.remove();
    for (const row of [this.above, this.below]) row.firstChild.colSpan = cells.length;
    this.showSorting();
    this.draw();
  }

  headCell(one) {
    const button = make("button", { type: "button", onclick: () => this.sort(one.name) }, one.title);
    // Browsers print buttons on the first page only, so that headings have their text a second time for printing.
    const printed = make("span", { class: "for-print", "aria-hidden": "true" }, one.title);
    return make("th", { scope: "col", class: one.kind, "data-column": one.name, title: one.name }, button, printed);
  }

  showSorting() {
    for (const cell of this.head.querySelectorAll("th[data-column]")) {
      const here = cell.dataset.column === this.sorted.name;
      cell.setAttribute("aria-sort", here ? (this.sorted.descending ? "descending" : "ascending") : "none");
    }
  }

  // Sorts by a column; a second time the other way round, and a third time brings back the stored order.
  sort(name) {
    const one = this.columns.find((column) => column.name === name);
    const first = one.kind === "number" && !one.ascending;
    const again = this.sorted.name === name;
    if (again && this.sorted.descending !== first) this.sorted = { name: null, descending: false };
    else this.sorted = { name, descending: again ? !first : first };
    this.order = this.sorted.name
      ? orderBy(this.keys(name), this.sorted.descending)
      : Uint32Array.from({ length: this.size }, (_, i) => i);
    this.showSorting();
    this.applyFilter();
    const way = this.sorted.descending ? "falling" : "rising";
    announce(this.sorted.name ? `Sorted by ${one.title}, ${way}.` : "In the stored order.");
  }

  // pass: 1 for each row that is shown; null: all.
  filter(pass) {
    this.pass = pass;
    this.applyFilter();
  }

  applyFilter() {
    this.shown = this.pass ? this.order.filter((row) => this.pass[row]) : this.order;
    this.current = 0;
    this.scrollTo(0);
    this.draw();
    this.changed?.();
  }

  // Where rows are, in pixels. With more rows than the tallest element holds, the scroll bar goes over places in
  // proportion.
  geometry() {
    const count = this.shown.length;
    const view = this.viewHeight;
    const full = count * this.height;
    const tall = Math.min(full, kTallest);
    const scaled = full > tall;
    const most = Math.max(0, count - view / this.height);
    const scroll = Math.min(this.scroll, Math.max(0, tall - view));
    const top = scaled ? Math.min(most, (scroll / (tall - view)) * most) : scroll / this.height;
    return { count, view, tall, scaled, most, scroll, top };
  }

  draw() {
    if (this.printing) return;
    const { count, view, tall, scroll, top } = this.geometry();
    const begin = Math.max(0, Math.floor(top) - kSpare);
    const end = Math.min(count, Math.ceil(top + view / this.height) + kSpare);
    const above = Math.max(0, scroll - (top - begin) * this.height);
    this.place(begin, end);
    this.above.firstChild.style.height = `${above}px`;
    this.below.firstChild.style.height = `${Math.max(0, tall - above - (end - begin) * this.height)}px`;
    this.above.hidden = above === 0;
    this.table.setAttribute("aria-rowcount", count + 1);
    this.markCurrent();
  }

  // Shows the places [begin, end) in the rows that are in the document.
  place(begin, end) {
    const rows = [...this.body.rows].slice(1, -1);
    while (rows.length < end - begin) rows.push(this.addRow());
    while (rows.length > end - begin) rows.pop().remove();
    for (let k = 0; k < rows.length; k++) this.fill(rows[k], begin + k);
  }

  addRow() {
    const cells = this.columns.map((one) => make("td", { class: one.kind }, ""));
    if (this.setMark) cells.unshift(make("td", { class: "mark" }, make("input", { type: "checkbox", tabindex: -1 })));
    const row = make("tr", {}, ...cells);
    this.below.before(row);
    return row;
  }

  fill(row, at) {
    const which = this.shown[at];
    row.id = `${this.prefix}-${at}`;
    row.dataset.at = at;
    row.setAttribute("aria-rowindex", at + 2);
    row.classList.toggle("odd", at % 2 === 1);
    let k = 0;
    if (this.setMark) {
      const box = row.cells[k++].firstChild;
      box.checked = this.isMarked(which);
      box.setAttribute("aria-label", `mark row ${at + 1}`);
      row.setAttribute("aria-selected", box.checked);
    }
    for (const one of this.columns) {
      const cell = row.cells[k++];
      const text = this.text(one.name, which);
      if (cell.firstChild.data !== text) cell.firstChild.data = text;
      if (one.wide) cell.title = text;
    }
  }

  markCurrent() {
    const row = document.getElementById(`${this.prefix}-${this.current}`);
    for (const other of this.body.querySelectorAll(".current")) other.classList.remove("current");
    row?.classList.add("current");
    if (row) this.table.setAttribute("aria-activedescendant", row.id);
    else this.table.removeAttribute("aria-activedescendant");
  }

  showCurrent() {
    const { count, view, tall, scaled, most, top } = this.geometry();
    const inView = Math.floor(view / this.height);
    let first = top;
    if (this.current < top) first = this.current;
    else if (this.current + 1 > top + inView) first = this.current + 1 - inView;
    if (first !== top && count > 0) {
      this.scrollTo(scaled ? (first / most) * (tall - view) : first * this.height);
    }
    this.draw();
  }

  moveTo(at) {
    this.current = Math.max(0, Math.min(this.shown.length - 1, at));
    this.showCurrent();
  }

  // Makes a row the current one, if it is shown.
  moveToRow(which) {
    const at = this.shown.indexOf(which);
    if (at >= 0) this.moveTo(at);
  }

  key(event) {
    if (event.target !== this.table || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.geometry().view / this.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const places = { Home: 0, End: this.shown.length - 1 };
    if (event.key in steps) this.moveTo(this.current + steps[event.key]);
    else if (event.key in places) this.moveTo(places[event.key]);
    else if (event.key === "Enter" && this.shown.length > 0) this.open?.(this.shown[this.current]);
    else if (event.key === " " && this.setMark) this.toggle(this.current);
    else return;
    event.preventDefault();
  }

  click(event) {
    const row = event.target.closest("tbody tr[data-at]");
    if (!row) return;
    this.current = Number(row.dataset.at);
    this.table.focus({ preventScroll: true });
    if (event.target.closest("td.mark")) this.toggle(this.current, event.target.matches("input"));
    else {
      this.markCurrent();
      if (getSelection().isCollapsed) this.open?.(this.shown[this.current]);
    }
  }

  toggle(at) {
    const which = this.shown[at];
    if (which === undefined) return;
    this.setMark(which, !this.isMarked(which));
    this.draw();
    this.changed?.();
  }

  // Puts the first rows that are shown into the document, for printing; draw() brings back those in view.
  beforePrint() {
    this.printing = true;
    this.place(0, Math.min(this.shown.length, kMostPrinted));
    this.above.hidden = this.below.hidden = true;
  }
  afterPrint() {
    this.printing = false;
    this.below.hidden = false;
    this.draw();
  }
}
