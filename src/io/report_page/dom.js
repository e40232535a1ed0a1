"use strict";
// Makes elements. All text goes into the document as text nodes and attributes, never as markup.

// Elements that the page makes: properties that begin with "on" are listeners, others are attributes, and children
// are nodes or texts. A property that is false or undefined is left out.
function make(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

function makeSvg(tag, properties = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

// A name from a file. The class isolates the characters that change the direction of text.
function makeName(text) {
  return make("span", { class: "given" }, text || "NA");
}

// A name inside of a longer text, such as a label: between characters that isolate its direction.
function isolated(text) {
  return `\u2068${(text || "NA").replace(/[\u2066-\u2069\u202a-\u202e]/g, "\ufffd")}\u2069`;
}

function counted(number, noun) {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

// Tells users of screen readers what has changed.
function announce(text) {
  const place = document.getElementById("status");
  if (place) place.textContent = text;
}
