// What is saved: tables, FASTA and alignments of rows that are shown or marked. Files are made of pieces, and the page
// answers between them.

const kRowsPerPiece = 1000;

function saveAs(name, pieces, type = "text/plain") {
  const address = URL.createObjectURL(new Blob(pieces, { type: `${type};charset=utf-8` }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function forTabs(text) {
  return text.replace(/[\t\n\r]/g, " ");
}

function forCommas(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// The text of all rows, in pieces. `one` makes the text of a row of its number and its aligned letters.
async function piecesOf(rows, list, letters, one) {
  const cache = new Cache(Infinity); // rows in another order than the stored one need all blocks again and again
  const pieces = [];
  for (let begin = 0; begin < list.length; begin += kRowsPerPiece) {
    const texts = [];
    for (const i of list.slice(begin, begin + kRowsPerPiece)) {
      texts.push(one(i, letters ? await alignedLetters(rows, i, cache) : null));
    }
    pieces.push(texts.join(""));
    announce(
      `${Math.min(begin + kRowsPerPiece, list.length).toLocaleString("en")} of ${counted(list.length, "row")} written.`
    );
    await new Promise((resolve) => setTimeout(resolve));
  }
  return pieces;
}

// Rows as a table. csv: with commas; header: with a line of column names.
async function tablePieces(rows, list, names, { csv = false, header = false } = {}) {
  const columns = names.map((name) => COLUMNS.get(name));
  const separator = csv ? "," : "\t";
  const field = csv ? forCommas : forTabs;
  const letters = columns.some((one) => one.kind === "letters");
  const pieces = await piecesOf(rows, list, letters, (i, aligned) => {
    const fields = columns.map((one) => (one.kind === "name" ? field(one.text(rows, i)) : one.text(rows, i, aligned)));
    return `${fields.join(separator)}\n`;
  });
  return header ? [`${names.join(separator)}\n`, ...pieces] : pieces;
}

// The subjects' aligned letters without gaps, in the direction of the query.
function fastaPieces(rows, list) {
  return piecesOf(rows, list, true, (i, aligned) => {
    const text = (name) => COLUMNS.get(name).text(rows, i);
    const title = text("stitle") === "NA" ? "" : ` ${forTabs(text("stitle"))}`;
    const lines = aligned.subject.replaceAll("-", "").replace(/.{1,60}/g, "$&\n");
    return `>${forTabs(text("saccver"))}:${text("sstart")}-${text("send")}${title}\n${lines}`;
  });
}

function alignmentPieces(rows, list) {
  return piecesOf(rows, list, true, (i, aligned) => {
    const text = (name) => forTabs(COLUMNS.get(name).text(rows, i));
    const head = [`Query:   ${text("qheader")}`, `Subject: ${text("theader")}`, alignmentFacts(rows, i).join(", "), ""];
    return `${[...head, ...alignmentLines(rows, i, aligned, 60)].join("\n")}\n`;
  });
}

// The menu of a table. `chosen()` returns { shown, marked }, lists of rows; `columns()` the names of those shown.
function saveMenu(rows, fileName, chosen, columns) {
  const { output } = rows.report;
  const radio = (group, value, text, checked) =>
    make("label", {}, make("input", { type: "radio", name: `${fileName}-${group}`, value, checked }), ` ${text}`);
  const header = make("input", { type: "checkbox", checked: output.header });
  const options = make(
    "div", { class: "options" },
    make(
      "fieldset",
      {},
      make("legend", {}, "Rows"),
      radio("rows", "shown", "that are shown", true),
      radio("rows", "marked", "that are marked"),
    ),
    make("fieldset", {}, make("legend", {}, "Columns of tables"),
      radio("columns", "output", "of the program's table", true), radio("columns", "shown", "that are shown"),
      make("label", {}, header, " line of column names")),
    output.left_out.length > 0 ? make("p", { class: "note" }, `This report has no ${output.left_out.join(", ")}.`) : "",
  );
  const picked = (group) => options.querySelector(`input[name="${fileName}-${group}"]:checked`).value;
  const list = () => chosen()[picked("rows")];
  const names = () => (picked("columns") === "shown" ? columns() : output.columns);
  const table = (csv) => tablePieces(rows, list(), names(), { csv, header: header.checked });
  const button = (text, file, type, pieces) =>
    make("button", { type: "button", onclick: () => saveWhen(list(), `${fileName}${file}`, type, pieces) }, text);
  const buttons = [
    button("TSV", ".tsv", "text/tab-separated-values", () => table(false)),
    button("CSV", ".csv", "text/csv", () => table(true)),
  ];
  if (rows.table.gaps) {
    buttons.push(button("FASTA of subjects' aligned parts", ".fasta", "text/plain", () => fastaPieces(rows, list())));
    buttons.push(button("Alignments", ".txt", "text/plain", () => alignmentPieces(rows, list())));
  }
  return menu("Save", options, make("div", { class: "buttons" }, ...buttons));
}

async function saveWhen(list, name, type, pieces) {
  if (list.length === 0) {
    announce("No row is marked, so nothing was saved.");
    return;
  }
  try {
    saveAs(name, await pieces(), type);
    announce(`${name} was saved: ${counted(list.length, "row")}.`);
  } catch (error) {
    showError(error);
  }
}

// A part of the page that opens and closes by its title. Escape closes it.
function menu(title, ...children) {
  const summary = make("summary", {}, title);
  const details = make("details", {
    class: "menu",
    onkeydown: (event) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      summary.focus();
      event.stopPropagation();
    },
  }, summary, make("div", { class: "menu-body" }, ...children));
  return details;
}

document.addEventListener("click", (event) => {
  for (const one of document.querySelectorAll("details.menu[open]")) if (!one.contains(event.target)) one.open = false;
});
