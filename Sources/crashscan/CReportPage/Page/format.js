// ---- Words: how times, numbers and texts are written.

const numberFormat = new Intl.NumberFormat("en");

/** A number with its thousands apart. */
function grouped(number) {
  return numberFormat.format(number);
}

/** "1 crumb", "2 crumbs". */
function counted(count, word) {
  return `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
}

const units = [
  ["s", 1e9],
  ["ms", 1e6],
  ["µs", 1e3],
  ["ns", 1],
];

/** A span of nanoseconds as TimeSpan.swift has it, so that a page says what the text report says. */
function span(nanoseconds) {
  const size = Math.abs(nanoseconds);
  const pair = (large, largeUnit, small, smallUnit) =>
    `${large} ${largeUnit}` + (small ? ` ${small} ${smallUnit}` : "");
  if (size >= 59.95e9) {
    const seconds = Math.round(size / 1e9);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(seconds / 3600);
    if (seconds < 3600) return pair(minutes, "min", seconds % 60, "s");
    if (seconds < 86400) return pair(hours, "h", minutes % 60, "min");
    return pair(Math.floor(hours / 24), "d", hours % 24, "h");
  }
  if (size < 1000) return `${Math.round(size)} ns`;
  const [name, unit] = units.find(([, unit]) => size >= unit * 0.9995) ?? units[3];
  const tenths = Math.floor((size + unit / 20) / (unit / 10));
  const isWhole = tenths >= 1000 || tenths % 10 === 0;
  return `${isWhole ? Math.floor((size + unit / 2) / unit) : (tenths / 10).toFixed(1)} ${name}`;
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A moment after the beginning; with as many digits as tell it from another one `step` away. */
function moment(nanoseconds, step = 0) {
  const size = Math.max(Math.abs(nanoseconds), step);
  const [name, unit] =
    size === 0 ? units[1] : (units.find(([, unit]) => size >= unit * 0.9999) ?? units[3]);
  if (!step) return `${trimmed((nanoseconds / unit).toFixed(unit === 1 ? 0 : 3))} ${name}`;
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-6));
  return `${(nanoseconds / unit).toFixed(digits)} ${name}`;
}

/** The time of day in the reader's own zone, to the millisecond. */
function clockTime(milliseconds) {
  const date = new Date(milliseconds);
  if (!milliseconds || Number.isNaN(date.getTime())) return "";
  const two = (number) => String(number).padStart(2, "0");
  return (
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}` +
    `.${String(date.getMilliseconds()).padStart(3, "0")}`
  );
}

function day(milliseconds) {
  const date = new Date(milliseconds);
  if (!milliseconds || Number.isNaN(date.getTime())) return "";
  return new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(date);
}

/** Text with what is invisible, or turns the direction of writing, shown as escapes. */
function visible(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0);
    if (code === 10) return "\\n";
    return code === 9 ? "\\t" : `\\u{${code.toString(16).toUpperCase()}}`;
  });
}

/** The last part of a path. */
function fileName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The last parts of a path: enough to know a file by. */
function shortPath(path) {
  return path.split("/").slice(-3).join("/");
}

// ---- Elements.

const byId = (id) => document.getElementById(id);

/** An element; `traits` are its class, properties and listeners, `children` elements and texts. */
function make(tag, traits = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(traits)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(
    ...children.flat().filter((child) => child !== undefined && child !== null && child !== ""),
  );
  return element;
}

/** Says something to those who listen rather than look. */
function say(text) {
  byId("said").textContent = text;
}

return {
  byId,
  clockTime,
  counted,
  day,
  fileName,
  grouped,
  make,
  moment,
  say,
  shortPath,
  span,
  visible,
};
