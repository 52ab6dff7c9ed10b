
// ---- Details of an event, of the crash, and of the recording where nothing is selected.

function eventDetails(event) {
  const { run } = state;
  const traits = run.traits(event);
  const took = run.duration(event);
  const hop = run.hopOf.get(event);
  const stack = run.stack(event);
  const about = state.findings.map((_, number) => number)
    .filter((number) => run.occurrences[state.findings[number].finding.fingerprint]?.includes(event));
  return [
    make("header", { class: "head" }, make("p", { class: "kind", text: [kindWords[kinds[traits.kind]], traits.level, traits.category].filter(Boolean).join(" · ") }),
      make("h3", { text: run.message(event) })),
    make("div", { class: "columns" },
      make("div", {}, part("Facts", facts([
        ["time", `${moment(run.time[event])} after the beginning`],
        ["clock", [day(run.wall(run.time[event])), clockTime(run.wall(run.time[event]))].filter(Boolean).join(", ")],
        ["took", took ? span(took) : ""],
        ["queue", queueWords(event)],
        ["thread", `${run.threadName(run.threadOf(event))}${run.threads.get(run.threadOf(event))?.id ? `, id ${run.threads.get(run.threadOf(event)).id}` : ""}`],
        ["cut", traits.isCut ? "more was recorded than is shown" : ""],
        ["left by", traits.isInterrupting ? "a signal handler, amid another crumb" : ""],
      ])), part("Data", run.values(event).length && facts(run.values(event).map(([key, value]) => [key, dataText(key, value)]))),
        hop && part("Hop", hopWords(hop, event))),
      make("div", {}, part("Findings about it", about.length && make("ul", { class: "runs" }, about.map((number) => make("li", {},
        make("button", { type: "button", class: "link", text: `${state.findings[number].finding.rule}: ${visible(state.findings[number].finding.title)}`, onclick: () => select({ finding: number }) }))))),
        part("Stack", stack.length && stackList(stack)))),
  ];
}

function dataText(key, value) { return key === "nanoseconds" ? `${grouped(value)} (${span(Number(value))})` : String(value); }

function queueWords(event) {
  const { run } = state;
  const name = run.queueName(run.queueOf(event)) || "none";
  const main = run.onMain(event);
  if (name === "main queue" && main === 1) return name;
  return `${name} (${["off the main queue", "on the main queue", "whether on main is not known"][main]})`;
}

function hopWords(hop, event) {
  const { run } = state;
  const other = hop.arrival === event ? hop.run : hop.arrival;
  const waited = hop.arrival >= 0 && hop.run >= 0 ? run.time[hop.run] - run.time[hop.arrival] : undefined;
  const end = hop.isDropped ? "was dropped" : "ran";
  return [
    make("p", { text: waited !== undefined ? `It arrived on ${run.queueName(run.queueOf(hop.arrival)) || "a thread without a queue"} and ${end} ${span(waited)} later on ${run.queueName(run.queueOf(hop.run)) || "no queue"}.`
      : hop.run < 0 ? "It had not run when the log ended." : "Its arrival is no longer in the log." }),
    other >= 0 ? make("button", { type: "button", class: "button", text: hop.arrival === event ? "Go to its end (J)" : "Go to its arrival (J)", onclick: () => select({ event: other }) }) : undefined,
  ];
}

// ---- The crash, and the recording.

function crashDetails() {
  const { run } = state;
  return [
    make("header", { class: "head error" }, make("p", { class: "kind" }, make("span", { class: "sign", "aria-hidden": "true", text: "⬢" }), "the crash"),
      make("h3", { text: visible(run.facts.crash ?? "a crash") })),
    part("Facts", facts([
      ["time", run.hasTimes ? `${moment(run.crash.time)} after the beginning` : ""],
      ["clock", [day(run.wall(run.crash.time)), clockTime(run.wall(run.crash.time))].filter(Boolean).join(", ")],
      ["thread", run.crash.thread !== null ? run.threadName(run.crash.thread) : run.crash.kernelID ? `id ${run.crash.kernelID}` : ""],
      ["expected", run.crash.expected ? visible(run.crash.expected) : ""],
    ])),
    ...threadStacks(),
  ];
}

/** Every thread that was stopped by the crash, or that a report shows; the first one is open. */
function threadStacks() {
  const { crash } = state.run;
  if (!crash) return [];
  return [part(`Threads at that moment (${crash.threads.length})`, crash.threads.map((thread, at) => {
    const isFailed = at === 0 && crash.hasThread;
    const queue = thread.queue ? ` · ${thread.queue === mainLabel ? "main queue" : visible(thread.queue)}` : "";
    const name = thread.name ? `“${visible(thread.name)}”` : "";
    return make("details", { open: isFailed || crash.threads.length < 3 },
      make("summary", { text: `${isFailed ? "crashed: " : ""}thread ${thread.ordinal ?? thread.id} ${name}${queue}` }),
      crashStack(thread) ?? make("p", { class: "fine", text: "no stack" }));
  }))];
}

const endings = {
  running: "still runs", clean: "ended by itself", told: "was told to end, and did", crashed: "crashed",
  sudden: "ended without a word", cutShort: "log was cut short while it ran", reported: "a report of another tool's",
};

function overviewDetails() {
  const { run } = state;
  if (!run) return [make("p", { class: "hint", text: "There is nothing in this report." })];
  const { timeline } = run;
  return [
    make("h3", { class: "unseen", text: "The recording" }),
    make("p", { class: "hint", text: run.hasTimes ? "Select a finding, or a mark in the timeline. ? lists the keys." : "Select a finding to read all about it." }),
    make("div", { class: "columns" },
      make("div", {}, part("Recording", facts([
        ["input", visible(run.facts.path)], ["executable", visible(run.facts.executable)],
        ["process", run.facts.process || ""], ["began", [day(run.wall(0)), clockTime(run.wall(0))].filter(Boolean).join(", ")],
        ["end", endings[run.facts.ending] ?? run.facts.ending], ["crash", run.facts.crash ? visible(run.facts.crash) : ""],
        ["subject", run.facts.subject ? visible(run.facts.subject) : ""], ["crumbs", grouped(run.facts.crumbs)],
        ["not shown", timeline?.left ? `${grouped(timeline.left)} of the oldest, for this page's size` : ""],
        ["overwritten", timeline?.recycled ? `${grouped(timeline.recycled)} by newer ones, in the log` : ""],
        ["dropped", timeline?.dropped ? `${grouped(timeline.dropped)} for lack of room, in the log` : ""],
      ])), part("Not readable", run.facts.unread.length && make("ul", { class: "evidence" }, run.facts.unread.slice(0, 20).map((line) => make("li", { text: visible(line) }))))),
      make("div", {}, state.runs.length > 1 ? part(`All recordings (${state.runs.length})`, runTable()) : undefined, ...threadStacks())),
  ];
}

function runTable() {
  return make("div", { class: "scrolls", tabIndex: 0, role: "region", "aria-label": "All recordings" }, make("table", {},
    make("thead", {}, make("tr", {}, ["recording", "end", "crumbs", "findings"].map((name) => make("th", { scope: "col", text: name })))),
    make("tbody", {}, state.runs.slice(0, 500).map((run) => make("tr", { class: run === state.run ? "here" : "" },
      make("td", {}, make("button", { type: "button", class: "link", text: `${run.name} ${visible(fileName(run.facts.path))}`, onclick: () => { openRun(run); select(undefined); } })),
      make("td", { text: endings[run.facts.ending] ?? "" }), make("td", { class: "offset", text: grouped(run.facts.crumbs) }),
      make("td", { class: "offset", text: grouped(Object.keys(run.counts).length) }))))));
}
