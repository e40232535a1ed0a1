// The summary of the run.

// The run, with the sections before it.
function runParts(report) {
  const { run, sections, score_plot: plot } = report;
  const facts = run.facts.map(([name, text]) => make("div", {}, make("dt", {}, name), make("dd", {}, text)));
  const inputs = run.inputs.map((one) => make(
    "div",
    {},
    make("dt", {}, one.role),
    make(
      "dd",
      {},
      `${isolated(one.name)}: ${counted(one.records, "record")}, ${counted(one.residues, "residue")}; digest `,
      make("code", {}, one.digest),
    ),
  ));
  const notes = run.notes.map((note) => make("p", {}, note));
  return [
    ...sections.map(sectionPart),
    make(
      "section", {}, make("h2", {}, "The run"), make("dl", {}, ...facts, ...inputs), ...notes, ...shownNote(report)
    ),
    ...(plot ? [scorePlot(plot)] : [])
  ];
}

// What the bound left out, if it did.
function shownNote(report) {
  return report.shown.sentence ? [make("p", { class: "warning" }, report.shown.sentence)] : [];
}

// A section of the summary that the program wrote: lines of text, a table, a histogram, or a document.
function sectionPart(section) {
  const head = make("h2", {}, makeName(section.title));
  if (section.kind === "text") return make(
    "section", {}, head, ...section.lines.map((line) => make("p", {}, makeName(line)))
  );
  const note = section.note ? [make("p", {}, makeName(section.note))] : [];
  if (section.kind === "bars") return make(
    "section", {}, head, barTable(section.label, section.unit, section.rows), ...note
  );
  if (section.kind === "document") {
    const save = make(
      "button",
      { type: "button", onclick: () => saveAs(section.name, [section.text]) },
      `Save ${isolated(section.name)}`,
    );
    return make(
      "section",
      {},
      head,
      save,
      make("pre", { class: "document", tabindex: 0, "aria-label": section.title }, section.text),
    );
  }
  const width = section.rows[0]?.length ?? section.columns.length;
  const isNumber = (k) => section.rows.length > 0 && section.rows.every((row) => /^[-\d.,%]*$/.test(row[k]));
  const kinds = Array.from({ length: width }, (_, k) => (isNumber(k) ? "number" : "name"));
  const cells = (row) => row.map((text, k) => make("td", { class: kinds[k] }, makeName(text)));
  return make("section", {}, head, make("div", { class: "wide" }, make("table", { class: "plain" },
    section.columns.length === 0 ? "" : make(
      "thead",
      {},
      make("tr", {}, ...section.columns.map((name, k) => make("th", { scope: "col", class: kinds[k] }, name))),
    ),
    make("tbody", {}, ...section.rows.map((row) => make("tr", {}, ...cells(row)))))), ...note);
}
