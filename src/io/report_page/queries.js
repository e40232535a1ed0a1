// The index of queries.

const QUERY_COLUMNS = [
  { name: "number", title: "#", kind: "number", ascending: true, width: 6 },
  { name: "id", title: "query", kind: "name", width: 14 },
  { name: "hits", title: "hits", kind: "number", width: 7 },
  { name: "evalue", title: "best E", kind: "number", ascending: true, width: 11 },
];

// The list of queries at the side.
function queryIndex(queries, open) {
  const size = queries.id.length;
  const text = {
    number: (i) => String(i + 1),
    id: (i) => printed(queries.id[i]),
    hits: (i) => String(queries.hits[i]),
    evalue: (i) => printed(queries.evalue?.[i]),
  };
  const numbers = (name) => Float64Array.from({ length: size }, (_, i) => numberOf(text[name](i)));
  const keys = (name) => (name === "id" ? namesToRanks(queries.id) : numbers(name));
  const grid = new Grid({
    label: "Queries",
    size,
    columns: QUERY_COLUMNS.filter((one) => one.name !== "evalue" || queries.evalue),
    text: (name, i) => text[name](i),
    keys,
    open,
    changed: () => count(),
  });
  const words = make("input", { type: "search", spellcheck: "false", autocomplete: "off", oninput: () => soon() });
  const which = make(
    "select",
    { onchange: () => filter() },
    make("option", { value: "all" }, "all queries"),
    make("option", { value: "with" }, "with hits"),
    make("option", { value: "without" }, "without hits"),
  );
  const found = make("p", { class: "count", role: "status" });
  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(filter, 120);
  };
  const count = () => (found.textContent = `${grid.shown.length.toLocaleString("en")} of ${counted(size, "query")}`);
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (i) => wanted.every((word) => `${queries.id[i]} ${queries.title[i]}`.toLowerCase().includes(word));
    const counts = { all: () => true, with: (i) => queries.hits[i] > 0, without: (i) => queries.hits[i] === 0 };
    grid.filter(Uint8Array.from({ length: size }, (_, i) => (counts[which.value](i) && holds(i) ? 1 : 0)));
  };
  count();
  const element = make(
    "aside",
    { "aria-label": "Index of queries" },
    make("h2", {}, "Queries"),
    make(
      "div",
      { class: "toolbar" },
      make("label", {}, "Search ", words),
      make("label", {}, make("span", { class: "hidden" }, "Show "), which),
    ),
    found,
    grid.frame,
  );
  return { element, grid };
}
