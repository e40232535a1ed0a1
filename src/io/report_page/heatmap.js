// The heat map of a matrix of values. Its cells are bytes: 0 to 200 from the lowest to the highest value, 255 for a
// value that is not known. A cell stands for one pair, or for the pairs of two groups of sequences.

const kUnknownCell = 255;
const kCellSteps = 200;
const HEAT_KEYS = "Arrow keys go from cell to cell, plus and minus zoom, 0 shows all.";
const SCALE = [[24, 15, 61], [59, 37, 118], [49, 104, 142], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

function colourTable(alike) {
  const table = new Uint32Array(256).fill(0xff808080);
  for (let cell = 0; cell <= kCellSteps; cell++) {
    const at = ((alike === "low" ? kCellSteps - cell : cell) / kCellSteps) * (SCALE.length - 1);
    const k = Math.min(SCALE.length - 2, Math.floor(at));
    const [r, g, b] = SCALE[k].map((value, c) => Math.round(value + (SCALE[k + 1][c] - value) * (at - k)));
    table[cell] = (255 << 24) | (b << 16) | (g << 8) | r;
  }
  return table;
}

class HeatMap {
  constructor(report, rowNames, columnNames) {
    this.report = report;
    Object.assign(this, report.matrix);
    this.names = { rows: rowNames, columns: columnNames };
    this.view = { x: 0, y: 0, width: this.columns, height: this.rows };
    this.at = { row: 0, column: this.triangle ? Math.min(1, this.columns - 1) : 0 };
    // Where the row of a triangle would have its column 0.
    this.starts = Float64Array.from({ length: this.rows }, (_, i) => i * this.columns - (i * (i - 1)) / 2 - i);
    this.build();
  }

  build() {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.output = make("output", { class: "value" });
    this.nearest = make("div", { class: "wide" });
    this.area = make("div", {
      class: "heat", tabindex: 0, role: "application", "aria-label": `${this.title}. ${HEAT_KEYS}`,
      onkeydown: (event) => this.key(event),
    }, this.canvas);
    this.canvas.addEventListener("click", (event) => this.point(event, true));
    this.canvas.addEventListener("mousemove", (event) => this.point(event, false));
    this.canvas.addEventListener("dblclick", () => this.zoom(0.5));
    const button = (text, label, action) => make(
      "button", { type: "button", "aria-label": label, onclick: action }, text,
    );
    const buttons = [
      button("+", "zoom in", () => this.zoom(0.5)),
      button("−", "zoom out", () => this.zoom(2)),
      button("All", "show all", () => this.zoom(Infinity)),
    ];
    if (this.group > 1 || this.column_group > 1) buttons.push(this.kindChooser());
    this.element = make("section", {}, make("h2", {}, makeName(this.title)), make("p", {}, this.words()),
      make(
        "div", { class: "toolbar" }, ...buttons, this.scaleKey(),
      ), make("p", {}, this.output), make("div", { class: "beside" }, this.area, this.nearest),
      this.histogram ? make(
        "section",
        {},
        make("h2", {}, "Histogram"),
        barTable(this.histogram.label, this.histogram.unit, this.histogram.rows),
      ) : "");
  }

  words() {
    const size = this.triangle ? counted(this.sequences, "sequence") : `${counted(this.sequences, "sequence")} in rows`;
    const linkage = "ordered by average linkage, so that alike ones stand together";
    const order = this.order ? linkage : "in the order of the files";
    const [high, wide] = [this.group, this.column_group];
    const groups = high > 1 || wide > 1 ? ` A cell stands for the pairs of ${high} and ${wide} sequences.` : "";
    return `${size}, ${order}.${groups}`;
  }

  kindChooser() {
    const select = make(
      "select",
      { onchange: () => this.load(select.value) },
      make("option", { value: "cells" }, "most alike pair"),
      make("option", { value: "mean" }, "mean of the pairs"),
    );
    return make("label", {}, "Cells show the ", select);
  }

  scaleKey() {
    const canvas = make("canvas", { width: kCellSteps + 1, height: 12, "aria-hidden": "true", class: "scale" });
    const context = canvas.getContext("2d");
    const image = context.createImageData(kCellSteps + 1, 12);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = colourTable(this.alike);
    for (let k = 0; k < pixels.length; k++) pixels[k] = colours[k % (kCellSteps + 1)];
    context.putImageData(image, 0, 0);
    return make("span", { class: "legend" }, String(this.low), canvas, withUnit(this.high, this.unit));
  }

  async load(kind = "cells") {
    this.cells = await readBytes(`matrix-${kind}`);
    this.draw();
    this.say();
    performance.mark("drawn");
  }

  cell(row, column) {
    if (!this.triangle) return this.cells[row * this.columns + column];
    return this.cells[row < column ? this.starts[row] + column : this.starts[column] + row];
  }

  valueText(cell) {
    if (cell === kUnknownCell) return "not known";
    const value = this.low + ((this.high - this.low) * cell) / kCellSteps;
    const decimals = this.high - this.low > 50 ? 1 : 3;
    return withUnit(value.toFixed(decimals), this.unit);
  }

  draw() {
    const room = this.element.clientWidth - 2;
    const side = Math.round(Math.max(100, Math.min(900, room, Math.max(300, innerHeight - 230))));
    const { x, y, width, height } = this.view;
    const tall = Math.max(20, Math.round((side * height) / width));
    const canvas = this.canvas;
    canvas.width = side;
    canvas.height = Math.min(tall, 1200);
    const context = canvas.getContext("2d");
    const image = context.createImageData(canvas.width, canvas.height);
    this.paint(new Uint32Array(image.data.buffer), canvas.width, canvas.height);
    context.putImageData(image, 0, 0);
    context.strokeStyle = "#fff";
    context.lineWidth = 2;
    const [px, py] = [canvas.width / width, canvas.height / height];
    const left = (this.at.column - x) * px;
    const top = (this.at.row - y) * py;
    context.strokeRect(left - 3, top - 3, px + 6, py + 6);
    context.strokeStyle = "#000";
    context.strokeRect(left - 5, top - 5, px + 10, py + 10);
  }

  // Where several cells share a pixel, it shows the most alike one.
  paint(pixels, wide, tall) {
    const { x, y, width, height } = this.view;
    const colours = colourTable(this.alike);
    const low = this.alike === "low";
    for (let p = 0; p < tall; p++) {
      const [top, bottom] = cellsOfPixel(y, height, p, tall);
      for (let q = 0; q < wide; q++) {
        const [left, right] = cellsOfPixel(x, width, q, wide);
        let best = this.cell(top, left);
        for (let row = top; row < bottom; row++) {
          for (let column = left; column < right; column++) {
            const cell = this.cell(row, column);
            if (cell !== kUnknownCell && (best === kUnknownCell || (low ? cell < best : cell > best))) best = cell;
          }
        }
        pixels[p * wide + q] = colours[best];
      }
    }
  }

  say() {
    const { row, column } = this.at;
    const names = [this.name("rows", row), this.name("columns", column)];
    this.output.replaceChildren(
      makeName(names[0]), " and ", makeName(names[1]), `: ${this.valueText(this.cell(row, column))}`,
    );
    this.showNearest();
  }

  name(side, place) {
    const names = this.names[this.triangle ? "rows" : side];
    const number = this.order && this.triangle ? this.order[place] : place;
    const group = side === "rows" ? this.group : this.column_group;
    if (group === 1) return names[number];
    const last = Math.min(names.length, (place + 1) * group) - 1;
    return `${names[place * group]} … ${names[last]}`;
  }

  // The ten most alike partners of the current row, which say in words what the colours show.
  showNearest() {
    const { row } = this.at;
    const sign = this.alike === "low" ? 1 : -1;
    const others = [];
    for (let column = 0; column < this.columns; column++) {
      const cell = this.cell(row, column);
      if (cell !== kUnknownCell && !(this.triangle && this.group === 1 && column === row)) others.push([column, cell]);
    }
    others.sort((a, b) => sign * (a[1] - b[1]) || a[0] - b[0]);
    const lines = others.slice(0, 10).map(([column, cell]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, makeName(this.name("columns", column))),
        make("td", { class: "number" }, this.valueText(cell)),
      ));
    this.nearest.replaceChildren(make(
      "table",
      { class: "histogram" },
      make("caption", {}, "Most alike to ", makeName(this.name("rows", row))),
      make("tbody", {}, ...lines),
    ));
  }

  point(event, choose) {
    if (!this.cells) return;
    const box = this.canvas.getBoundingClientRect();
    const { x, y, width, height } = this.view;
    const column = Math.min(this.columns - 1, Math.floor(x + ((event.clientX - box.left) / box.width) * width));
    const row = Math.min(this.rows - 1, Math.floor(y + ((event.clientY - box.top) / box.height) * height));
    if (choose) {
      this.goTo(row, column);
    } else {
      const names = `${isolated(this.name("rows", row))}, ${isolated(this.name("columns", column))}`;
      this.canvas.title = `${names}: ${this.valueText(this.cell(row, column))}`;
    }
  }

  goTo(row, column) {
    this.at = { row: between(row, 0, this.rows - 1), column: between(column, 0, this.columns - 1) };
    const { view } = this;
    view.x = between(view.x, this.at.column - view.width + 1, this.at.column);
    view.y = between(view.y, this.at.row - view.height + 1, this.at.row);
    this.draw();
    this.say();
  }

  // Shows `factor` times as many cells, around the current one.
  zoom(factor) {
    const width = Math.round(between(this.view.width * factor, Math.min(8, this.columns), this.columns));
    const height = Math.round(between(this.view.height * factor, Math.min(8, this.rows), this.rows));
    const x = between(this.at.column - Math.floor(width / 2), 0, this.columns - width);
    const y = between(this.at.row - Math.floor(height / 2), 0, this.rows - height);
    this.view = { x, y, width, height };
    this.draw();
    announce(`${width} columns and ${height} rows are shown.`);
  }

  key(event) {
    if (!this.cells) return;
    const moves = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageUp: [-50, 0],
      PageDown: [50, 0],
      Home: [0, -Infinity],
      End: [0, Infinity],
    };
    const zooms = { "+": 0.5, "=": 0.5, "-": 2, 0: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) this.goTo(this.at.row + moves[event.key][0], this.at.column + moves[event.key][1]);
    else if (event.key in zooms) this.zoom(zooms[event.key]);
    else return;
    event.preventDefault();
  }
}

function withUnit(value, unit) {
  return unit.startsWith("%") ? `${value}${unit}` : `${value} ${unit}`;
}

function between(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

function cellsOfPixel(begin, size, pixel, pixels) {
  const from = Math.floor(begin + (pixel * size) / pixels);
  const to = Math.floor(begin + ((pixel + 1) * size) / pixels);
  return [from, Math.max(from + 1, to)];
}
