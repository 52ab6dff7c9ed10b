// ---- Details: all there is to say about what is selected.

const { state } = modules.state;
const { byId, make } = modules.format;

function showDetails() {
  const { selection } = state;
  const parts = !selection
    ? modules.runDetails.overviewDetails()
    : selection.finding !== undefined
      ? modules.findingDetails.findingDetails(selection.finding, selection)
      : selection.isCrash
        ? modules.runDetails.crashDetails()
        : modules.eventDetails.eventDetails(selection.event);
  byId("detail").replaceChildren(...parts.filter(Boolean));
  byId("details").scrollTop = 0;
}

function part(title, ...children) {
  const content = children.flat().filter(Boolean);
  return content.length
    ? make("section", { class: "part" }, make("h4", { text: title }), content)
    : undefined;
}

/** A table of rows that are made already; `caption` is an element that stands before its head. */
function tableOf(names, rows, caption) {
  return make(
    "table",
    {},
    caption,
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        names.map((name) => make("th", { scope: "col", text: name })),
      ),
    ),
    make("tbody", {}, rows),
  );
}

/** Names and values, one under the other. */
function facts(pairs) {
  return make(
    "dl",
    {},
    pairs
      .filter(([, value]) => value !== undefined && value !== "" && value !== null)
      .map(([name, value]) =>
        make(
          "div",
          {},
          make("dt", { text: name }),
          make("dd", {}, value instanceof Node ? value : String(value)),
        ),
      ),
  );
}

return { facts, part, showDetails, tableOf };
