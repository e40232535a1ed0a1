// Pictures: the hits on their query, and bars of histograms.

const kMostLines = 100; // subjects in the picture of a query, until all are asked for
const BITS = [
  { class: "c0", from: -Infinity, text: "below 40" },
  { class: "c1", from: 40, text: "40 to 50" },
  { class: "c2", from: 50, text: "50 to 80" },
  { class: "c3", from: 80, text: "80 to 200" },
  { class: "c4", from: 200, text: "200 and more" },
];

// By what bars are coloured: the bits, or the score in percent of the best one if there are no bits.
function colouring(rows) {
  const by = rows.columns.bitscore ? "bitscore" : "score";
  const keys = keysOf(rows, by);
  if (by === "bitscore") return { title: "Bits", classes: BITS, value: (i) => keys[i] };
  const best = keys.reduce((most, key) => Math.max(most, key), 0) || 1;
  const classes = [0, 20, 40, 60, 80].map((from, k) => ({
    class: `c${k}`, from: k === 0 ? -Infinity : from, text: k === 4 ? "80 to 100%" : `${from} to ${from + 20}%`,
  }));
  return { title: "Score, in percent of the best", classes, value: (i) => (100 * keys[i]) / best };
}

function classOf(classes, value) {
  return classes.findLast((one) => value >= one.from)?.class ?? classes[0].class;
}

function legend({ title, classes }) {
  const items = classes.map((one) =>
    make(
      "li",
      {},
      makeSvg("svg", { class: "swatch", "aria-hidden": "true" }, makeSvg("rect", { class: one.class })),
      one.text,
    ));
  return make("div", { class: "legend" }, make("span", {}, `${title}: `), make("ul", {}, ...items));
}

function niceStep(size, most) {
  const rough = size / most;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
}

// The hits on their query: a line for each subject, with a bar for each of its alignments. Each bar is a link to its
// alignment; arrow keys go from bar to bar.
function hitsOnQuery(rows, linkOf) {
  if (!rows.columns.qstart || rows.size === 0) return null;
  const section = make("section", { class: "graphic" });
  drawHits(section, rows, linkOf, kMostLines);
  return section;
}

function drawHits(section, rows, linkOf, most) {
  const length = Math.max(1, queryLength(rows, 0));
  const colours = colouring(rows);
  const found = rows.hit.at(-1);
  const lines = Math.min(most, found);
  const pitch = lines > 60 ? 7 : 10;
  const place = (residue) => `${(100 * residue) / length}%`;
  const parts = axis(length, place, pitch * lines);
  const bars = []; // best first; in the picture better ones cover others
  for (let i = 0; i < rows.size && rows.hit[i] <= most; i++) {
    const bar = hitBar(rows, i, place, pitch, classOf(colours.classes, colours.value(i)), linkOf);
    if (bar) bars.push(bar);
  }
  const picture = makeSvg(
    "svg",
    {
      class: "hits",
      height: 22 + pitch * lines,
      role: "group",
      "aria-label": "Hits on the query",
      onkeydown: (event) => stepBars(event, bars),
    },
    ...parts,
    ...[...bars].reverse()
  );
  if (bars.length > 0) bars[0].setAttribute("tabindex", 0);
  const showAll = () => {
    drawHits(section, rows, linkOf, Infinity);
    section.querySelector("a").focus();
  };
  const more = found > lines ? make(
    "button", { type: "button", onclick: showAll }, `Draw all ${counted(found, "subject")}, not the first ${lines}`,
  ) : "";
  section.replaceChildren(
    make("div", { class: "head" }, make("h3", {}, "Hits on the query"), more),
    legend(colours),
    make("div", { class: "scroll" }, picture),
  );
}

function axis(length, place, height) {
  const step = niceStep(length, 8);
  const parts = [makeSvg("rect", { class: "query", x: 0, y: 15, width: "100%", height: 4 })];
  for (let residue = step; residue < length; residue += step) {
    if (residue > 0.96 * length) break;
    parts.push(makeSvg("line", { class: "tick", x1: place(residue), x2: place(residue), y1: 12, y2: 22 + height }));
    parts.push(makeSvg("text", { x: place(residue), y: 10, "text-anchor": "middle" }, residue.toLocaleString("en")));
  }
  return parts;
}

function hitBar(rows, i, place, pitch, colour, linkOf) {
  const begin = whole(rows, "qstart", i);
  const end = whole(rows, "qend", i);
  if (begin === null || end === null || end < begin) return null;
  const y = 22 + (rows.hit[i] - 1) * pitch;
  const subject = rows.subjects.id[rows.subjects.local[i]];
  const text = (name) => COLUMNS.get(name).text(rows, i);
  const value = rows.columns.bitscore ? `${text("bitscore")} bits, E ${text("evalue")}` : `score ${text("score")}`;
  const label = `Hit ${rows.hit[i]}: ${isolated(subject)}, ${value}, query ${begin} to ${end}`;
  const width = `max(2px, ${place(end - begin + 1)})`;
  const bar = makeSvg("rect", { class: colour, x: place(begin - 1), y, height: pitch - 2 });
  bar.style.width = width;
  return makeSvg("a", { href: linkOf(i), tabindex: -1, "aria-label": label }, makeSvg("title", {}, label), bar);
}

function stepBars(event, bars) {
  const steps = {
    ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity,
  };
  if (!(event.key in steps)) return;
  const at = bars.indexOf(event.target.closest("a"));
  const next = bars[Math.max(0, Math.min(bars.length - 1, at + steps[event.key]))];
  bars[at]?.setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
  event.preventDefault();
}

// A histogram as a table with bars: labels, numbers, and a bar for each.
function barTable(label, unit, rows) {
  const most = rows.reduce((high, row) => Math.max(high, row[1]), 0) || 1;
  const lines = rows.map(([name, number, share]) => {
    const bar = makeSvg("rect", { class: "bar", height: "100%", width: `${(100 * number) / most}%` });
    const picture = makeSvg("svg", { class: "bars", "aria-hidden": "true" }, bar);
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, makeName(name)),
      make("td", { class: "number" }, number.toLocaleString("en")),
      make("td", { class: "number" }, share ?? ""),
      make("td", { class: "bars" }, picture),
    );
  });
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, label),
    make("th", { scope: "col", class: "number" }, unit),
    make("td", {}),
    make("td", {}),
  );
  return make("table", { class: "histogram" }, make("thead", {}, head), make("tbody", {}, ...lines));
}

// The histogram of scores on a logarithmic axis: bars of pairs, darker ones of hits, a line of what chance gives.
function scorePlot(plot) {
  const { counts, hits = [], expected = [], first_bin: first, bin_width: bin } = plot;
  const [wide, high] = [800, 260];
  const top = Math.log10(Math.max(10, ...counts) * 1.5);
  const y = (count) => high - (high * Math.max(0, Math.log10(Math.max(count, 0.5)) + 0.3)) / (top + 0.3);
  const x = (k) => (wide * k) / counts.length;
  const bars = (values, name) => values.map((count, k) =>
    count > 0 ? makeSvg(
      "rect", { class: name, x: x(k), width: Math.max(0.5, x(1) - 0.3), y: y(count), height: high - y(count) },
    ) : "");
  const parts = [...scoreAxes(plot, top, x, y, wide, high), ...bars(counts, "pairs"), ...bars(hits, "found")];
  const line = expected.map((count, k) => `${x(k + 0.5)},${y(count)}`).filter((_, k) => expected[k] >= 0.5);
  if (line.length > 1) parts.push(makeSvg("polyline", { class: "chance", points: line.join(" ") }));
  if (plot.threshold !== undefined && plot.threshold !== null) {
    const at = x((plot.threshold - first) / bin);
    parts.push(makeSvg("line", { class: "limit", x1: at, x2: at, y1: 0, y2: high }));
  }
  const label = `${isolated(plot.title)}: pairs by ${plot.x_label}, on a logarithmic axis`;
  const picture = makeSvg(
    "svg", { class: "scores", viewBox: `-60 -10 ${wide + 80} ${high + 60}`, role: "img", "aria-label": label }, ...parts
  );
  const words = "Bars: all pairs; darker: hits; line: pairs expected by chance; dashes: the limit of hits.";
  return make(
    "section",
    {},
    make("h2", {}, makeName(plot.title)),
    make("p", {}, makeName(plot.subtitle)),
    make("div", { class: "wide" }, picture),
    make("p", { class: "note" }, words),
    plot.note ? make("p", {}, makeName(plot.note)) : "",
  );
}

function scoreAxes(plot, top, x, y, wide, high) {
  const parts = [];
  for (let power = 0; power <= top; power += Math.ceil(top / 6)) {
    const at = y(10 ** power);
    parts.push(makeSvg("line", { class: "tick", x1: 0, x2: wide, y1: at, y2: at }));
    parts.push(makeSvg("text", { x: -6, y: at + 4, "text-anchor": "end" }, (10 ** power).toLocaleString("en")));
  }
  const step = niceStep(plot.counts.length * plot.bin_width, 8);
  const last = plot.first_bin + plot.counts.length * plot.bin_width;
  for (let score = Math.ceil(plot.first_bin / step) * step; score <= last; score += step) {
    const at = x((score - plot.first_bin) / plot.bin_width);
    parts.push(makeSvg("text", { x: at, y: high + 18, "text-anchor": "middle" }, score.toLocaleString("en")));
  }
  parts.push(makeSvg("text", { x: wide / 2, y: high + 40, "text-anchor": "middle" }, plot.x_label));
  return parts;
}
