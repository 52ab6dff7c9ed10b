// ---- Keys: everything that a pointer can do.

const { state } = modules.state;
const { byId, make, say } = modules.format;
const { VIOLATION } = modules.data;
const {
  followHop,
  lastOfLane,
  select,
  stepFinding,
  stepInLane,
  stepToKind,
  stepToLane,
  timeOf,
} = modules.select;
const { nextTheme, toggleFilter, toggleTable } = modules.controls;

const keySheet = [
  [
    "Move",
    [
      ["← →", "previous, next crumb of the lane"],
      ["↑ ↓", "lane above, lane below"],
      ["Home End", "first, last crumb of the lane"],
      ["J", "the other end of the hop"],
      ["C", "the crash"],
    ],
  ],
  [
    "Look",
    [
      ["+ − or W S", "zoom in, zoom out"],
      ["A D", "pan left, pan right"],
      ["F", "zoom to the selection"],
      ["0", "the whole recording"],
      ["wheel", "zooms; over the lanes' names, or with Alt, it scrolls"],
      ["Shift+wheel", "pans"],
      ["drag, double click", "pans; zooms in"],
    ],
  ],
  [
    "Find",
    [
      ["N P", "next, previous finding"],
      ["V Shift+V", "next, previous violation"],
      ["/", "search"],
      ["Enter Shift+Enter", "next, previous hit"],
      ["L", "filter"],
      ["M", "timeline or table"],
    ],
  ],
  [
    "Page",
    [
      ["T", "theme"],
      ["?", "this list"],
      ["Esc", "close, or clear the selection"],
    ],
  ],
];

const commands = {
  "+": () => state.view.zoom(0.6),
  "=": () => state.view.zoom(0.6),
  w: () => state.view.zoom(0.6),
  "-": () => state.view.zoom(1 / 0.6),
  s: () => state.view.zoom(1 / 0.6),
  a: () => state.view.pan(-0.2),
  d: () => state.view.pan(0.2),
  0: () => state.view.whole(),
  n: () => stepFinding(1),
  p: () => stepFinding(-1),
  v: () => stepToKind(VIOLATION, 1),
  V: () => stepToKind(VIOLATION, -1),
  j: followHop,
  c: () => (state.run.crash ? select({ isCrash: true }) : say("There was no crash")),
  f: () => zoomOntoSelection(),
  l: () => toggleFilter(),
  m: toggleTable,
  t: nextTheme,
  "/": () => {
    byId("search").focus();
    byId("search").select();
  },
  "?": () => byId("key-sheet").showModal(),
};

/** Keys that mean this only while the timeline has the focus. */
const plotCommands = {
  ArrowLeft: () => stepInLane(-1),
  ArrowRight: () => stepInLane(1),
  ArrowUp: () => stepToLane(-1),
  ArrowDown: () => stepToLane(1),
  Home: () => lastOfLane(false),
  End: () => lastOfLane(true),
  Enter: () => byId("details").focus(),
};

function zoomOntoSelection() {
  const time = state.selection && timeOf(state.selection);
  if (time === undefined) return say("Nothing is selected");
  const size = Math.min((state.view.to - state.view.from) / 8, 5e6);
  return state.view.glide(time - size / 2, time + size / 2);
}

function escape() {
  if (!byId("filter-panel").hidden) return toggleFilter(false);
  if (state.selection) {
    select(undefined);
    say("Nothing is selected");
  }
  return undefined;
}

function beginKeys() {
  byId("key-list").replaceChildren(
    ...keySheet.map(([title, keys]) =>
      make(
        "section",
        {},
        make("h3", { text: title }),
        make(
          "dl",
          {},
          keys.map(([key, meaning]) =>
            make(
              "div",
              {},
              make(
                "dt",
                {},
                key
                  .split(" ")
                  .map((word) =>
                    /^(or|drag,|double|click)$/.test(word)
                      ? `${word} `
                      : make("kbd", { text: word }),
                  ),
              ),
              make("dd", { text: meaning }),
            ),
          ),
        ),
      ),
    ),
  );
  document.addEventListener("keydown", (happening) => {
    if (happening.ctrlKey || happening.metaKey || happening.altKey || byId("key-sheet").open)
      return;
    if (happening.key === "Escape" && happening.target !== byId("search")) return escape();
    if (happening.target.matches("input:not([type=checkbox]), select, textarea")) return;
    const act = happening.target === byId("plot") ? plotCommands[happening.key] : undefined;
    const letter = byId("single-keys").checked
      ? (commands[happening.key] ?? commands[happening.key.toLowerCase()])
      : undefined;
    if (!act && !letter) return;
    happening.preventDefault();
    (act ?? letter)();
  });
}

return { beginKeys };
