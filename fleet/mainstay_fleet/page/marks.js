"use strict";
// Makes the pieces that the page is put together of; text goes in as text only.

function element(name, attributes, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...content);
  return made;
}

const day = 86400000;

// Bars by day, from the fleet's first day to its last; at most the last sixty.
function sparkline(days, first, last) {
  const space = "http://www.w3.org/2000/svg";
  const end = Date.parse(last.slice(0, 10));
  const start = Math.max(Date.parse(first.slice(0, 10)), end - 59 * day);
  const count = Math.round((end - start) / day) + 1;
  const bars = new Map(days.map((one) => [Math.round((Date.parse(one.day) - start) / day), one]));
  const most = Math.max(1, ...days.map((one) => one.logs));
  const width = Math.max(4, Math.min(16, Math.floor(120 / count)));
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "spark");
  svg.setAttribute("width", count * width);
  svg.setAttribute("height", 22);
  svg.setAttribute("role", "img");
  const told = days.map((one) => `${one.day}: ${one.logs}`).join(", ");
  svg.setAttribute("aria-label", `logs by day: ${told || "not told"}`);
  for (let at = 0; at < count; at++) {
    const height = bars.has(at) ? Math.max(2, Math.round((bars.get(at).logs / most) * 20)) : 1;
    const bar = document.createElementNS(space, "rect");
    bar.setAttribute("x", at * width);
    bar.setAttribute("y", 22 - height);
    bar.setAttribute("width", width - 1);
    bar.setAttribute("height", height);
    svg.append(bar);
  }
  return svg;
}

function percent(part, whole) {
  if (!whole) return "";
  const share = (100 * part) / whole;
  return share >= 10 || share === 0 ? `${Math.round(share)} %` : `${share.toFixed(share >= 1 ? 1 : 2)} %`;
}

function counted(number, one, many) {
  return `${number} ${number === 1 ? one : many}`;
}

function moment(time) {
  return time ? element("time", { datetime: time }, time.slice(0, 16).replace("T", " ")) : "not told";
}

// What was packed into the page, as the address of a document of its own.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = await new Response(stream).arrayBuffer();
  return URL.createObjectURL(new Blob([page], { type: "text/html" }));
}
