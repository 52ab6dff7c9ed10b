// ---- Table: the same crumbs in words, a page at a time.

const { state } = modules.state;
const { byId, grouped, make, moment } = modules.format;
const { NOTE, kindWords, kinds } = modules.data;
const { select } = modules.select;
const { tableOf } = modules.details;

const rowsOfPage = 200;

function showTable() {
  byId("table").hidden = !state.isTable;
  byId("stage").hidden = state.isTable || !state.run?.hasTimes;
  byId("as-table").setAttribute("aria-pressed", String(state.isTable));
  if (!state.isTable) return;
  const { run, lanes } = state;
  const events = state.hits ? lanes.shown.filter((event) => state.hits.has(event)) : lanes.shown;
  const pages = Math.max(1, Math.ceil(events.length / rowsOfPage));
  if (state.page === undefined)
    state.page = Math.max(0, Math.floor(events.indexOf(state.selection?.event ?? -1) / rowsOfPage));
  state.page = Math.min(Math.max(0, state.page), pages - 1);
  const first = state.page * rowsOfPage;
  const last = Math.min(first + rowsOfPage, events.length);
  const go = (by) => () => {
    state.page += by;
    showTable();
    byId("table").scrollTop = 0;
  };
  byId("table").replaceChildren(
    make(
      "div",
      { class: "pages" },
      make("button", {
        type: "button",
        text: "‹",
        "aria-label": "Previous page",
        disabled: state.page === 0,
        onclick: go(-1),
      }),
      make("span", {
        role: "status",
        text: events.length
          ? `crumbs ${grouped(first + 1)} to ${grouped(last)} of ${grouped(events.length)}`
          : "no crumbs",
      }),
      make("button", {
        type: "button",
        text: "›",
        "aria-label": "Next page",
        disabled: state.page >= pages - 1,
        onclick: go(1),
      }),
    ),
    tableOf(
      ["time", "thread", "queue", "main", "kind", "message", "data"],
      Array.from(events.subarray(first, first + rowsOfPage), tableRow),
      make("caption", { class: "unseen", text: `Crumbs of ${run.name}` }),
    ),
  );
  markRow();
}

function tableRow(event) {
  const { run } = state;
  const traits = run.traits(event);
  const word =
    traits.kind === NOTE && traits.category ? traits.category : kindWords[kinds[traits.kind]];
  return make(
    "tr",
    { "data-event": event, class: kinds[traits.kind], onclick: () => select({ event }) },
    make("td", {
      class: "offset",
      text: run.hasTimes && !run.untimed.has(event) ? moment(run.time[event]) : "",
    }),
    make("td", { text: run.threadName(run.threadOf(event)) }),
    make("td", { text: run.queueName(run.queueOf(event)) }),
    make("td", { text: ["off", "main", "?"][run.onMain(event)] }),
    make("td", { text: word }),
    make(
      "td",
      {},
      make("button", { type: "button", class: "link", text: run.message(event) || "(no message)" }),
    ),
    make("td", {
      class: "where",
      text: run
        .values(event)
        .map(([key, value]) => `${key}=${value}`)
        .join("  "),
    }),
  );
}

function markRow() {
  if (!state.isTable) return;
  for (const row of byId("table").querySelectorAll("tbody tr")) {
    const isIt = Number(row.dataset.event) === state.selection?.event;
    row.classList.toggle("here", isIt);
    if (isIt) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    if (isIt) row.scrollIntoView({ block: "nearest" });
  }
}

return { markRow, rowsOfPage, showTable };
