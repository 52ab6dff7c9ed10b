// ---- Details of the crash, and of the recording where nothing is selected.

const { state } = modules.state;
const { clockTime, day, fileName, grouped, make, moment, visible } = modules.format;
const { mainLabel } = modules.data;
const { select } = modules.select;
const { facts, part, tableOf } = modules.details;
const { crashStack } = modules.findingDetails;

function crashDetails() {
  const { run } = state;
  return [
    make(
      "header",
      { class: "head error" },
      make(
        "p",
        { class: "kind" },
        make("span", { class: "sign", "aria-hidden": "true", text: "⬢" }),
        "the crash",
      ),
      make("h3", { text: visible(run.facts.crash ?? "a crash") }),
    ),
    part(
      "Facts",
      facts([
        ["time", run.hasTimes && run.crash.isTimed ? `${moment(run.crash.time)} after the beginning` : ""],
        [
          "clock",
          run.crash.isTimed
            ? [day(run.wall(run.crash.time)), clockTime(run.wall(run.crash.time))]
                .filter(Boolean)
                .join(", ")
            : "",
        ],
        [
          "thread",
          run.crash.thread !== null
            ? run.threadName(run.crash.thread)
            : run.crash.kernelID
              ? `id ${run.crash.kernelID}`
              : "",
        ],
        ["expected", run.crash.expected ? visible(run.crash.expected) : ""],
      ]),
    ),
    ...threadStacks(),
  ];
}

/** Every thread that was stopped by the crash, or that a report shows; the first one is open. */
function threadStacks() {
  const { crash } = state.run;
  if (!crash) return [];
  return [
    part(
      `Threads at that moment (${crash.threads.length})`,
      crash.threads.map((thread, at) => {
        const isFailed = at === 0 && crash.hasThread;
        const word = isFailed ? "crashed: thread" : "thread";
        const queue = thread.queue
          ? ` · ${thread.queue === mainLabel ? "main queue" : visible(thread.queue)}`
          : "";
        const name = thread.name ? `“${visible(thread.name)}”` : "";
        return make(
          "details",
          { open: isFailed || crash.threads.length < 3 },
          make("summary", {
            text: `${word} ${thread.ordinal ?? thread.id} ${name}${queue}`,
          }),
          crashStack(thread) ?? make("p", { class: "fine", text: "no stack" }),
        );
      }),
    ),
  ];
}

function overviewDetails() {
  const { run } = state;
  if (!run) return [make("p", { class: "hint", text: "There is nothing in this report." })];
  const { timeline } = run;
  return [
    make("h3", { class: "unseen", text: "The recording" }),
    make("p", {
      class: "hint",
      text: run.hasTimes
        ? "Select a finding, or a mark in the timeline. ? lists the keys."
        : "Select a finding to see its details.",
    }),
    make(
      "div",
      { class: "columns" },
      make(
        "div",
        {},
        part(
          "Recording",
          facts([
            ["input", visible(run.facts.path)],
            ["executable", visible(run.facts.executable)],
            ["release", visible(run.facts.release || "")],
            ["environment", visible(run.facts.environment || "")],
            ["process", run.facts.process || ""],
            ["began", [day(run.wall(0)), clockTime(run.wall(0))].filter(Boolean).join(", ")],
            ["end", run.facts.manner ?? run.facts.ending],
            ["crash", run.facts.crash ? visible(run.facts.crash) : ""],
            ["subject", run.facts.subject ? visible(run.facts.subject) : ""],
            ["crumbs", grouped(run.facts.crumbs)],
            [
              "not shown",
              timeline?.left ? `${grouped(timeline.left)} of the oldest, to keep this page small` : "",
            ],
            [
              "overwritten",
              timeline?.recycled ? `${grouped(timeline.recycled)} by newer ones` : "",
            ],
            [
              "dropped",
              timeline?.dropped ? `${grouped(timeline.dropped)} because the log had no room` : "",
            ],
          ]),
        ),
        part(
          "Not readable",
          run.facts.unread.length &&
            make(
              "ul",
              { class: "evidence" },
              run.facts.unread.slice(0, 20).map((line) => make("li", { text: visible(line) })),
            ),
        ),
      ),
      make(
        "div",
        {},
        state.runs.length > 1
          ? part(`All recordings (${state.runs.length})`, runTable())
          : undefined,
        ...threadStacks(),
      ),
    ),
  ];
}

function runTable() {
  const rows = state.runs.slice(0, 500).map((run) =>
    make(
      "tr",
      { class: run === state.run ? "here" : "" },
      make(
        "td",
        {},
        make("button", {
          type: "button",
          class: "link",
          text: `${run.name} ${visible(fileName(run.facts.path))}`,
          onclick: () => {
            modules.main.openRun(run);
            select(undefined);
          },
        }),
      ),
      make("td", { text: run.facts.manner ?? run.facts.ending }),
      make("td", { class: "offset", text: grouped(run.facts.crumbs) }),
      make("td", { class: "offset", text: grouped(Object.keys(run.counts).length) }),
    ),
  );
  return make(
    "div",
    { class: "scrolls", tabIndex: 0, role: "region", "aria-label": "All recordings" },
    tableOf(["recording", "end", "crumbs", "findings"], rows),
  );
}

return { crashDetails, overviewDetails };
