// ---- Details of a finding.

const { state } = modules.state;
const { counted, fileName, grouped, make, shortPath, span, visible } = modules.format;
const { select, timeOf } = modules.select;
const { placeText, severitySigns } = modules.findings;
const { part, tableOf } = modules.details;

function findingDetails(number, selection) {
  const { finding } = state.findings[number];
  return [
    make(
      "header",
      { class: `head ${finding.severity}` },
      make(
        "p",
        { class: "kind" },
        make("span", {
          class: "sign",
          "aria-hidden": "true",
          text: severitySigns[finding.severity],
        }),
        `${finding.severity} · `,
        make("b", { text: finding.rule }),
        ` · ${state.rules[finding.rule]?.title ?? ""}`,
      ),
      make("h3", { text: visible(finding.title) }),
      occurrenceSteps(number, selection),
    ),
    make(
      "div",
      { class: "columns" },
      make(
        "div",
        {},
        part("Open first", finding.culprit && culpritBlock(finding.culprit)),
        part(
          "Fix",
          finding.fix.text && make("p", { text: visible(finding.fix.text) }),
          finding.fix.edits.flatMap((edit) => [
            make("p", { class: "where", text: editPlace(edit) }),
            codeBlock(edit.replacement),
          ]),
        ),
        part(
          "Because",
          finding.evidence.length &&
            make(
              "ul",
              { class: "evidence" },
              finding.evidence.map((fact) =>
                make(
                  "li",
                  {},
                  visible(fact.text),
                  fact.place
                    ? make("span", { class: "where", text: placeText(fact.place) })
                    : undefined,
                ),
              ),
            ),
        ),
        part(
          "Why this is a rule",
          state.rules[finding.rule] &&
            make(
              "details",
              {},
              make("summary", { text: "What the rule says, and how this happens" }),
              make("p", { text: state.rules[finding.rule].firesWhen }),
              make("p", { text: state.rules[finding.rule].cause }),
            ),
        ),
      ),
      make(
        "div",
        {},
        part("How it got there", finding.cause.length && causeChain(finding.cause)),
        part("Stack", findingStack(selection)),
        part("Crumbs around it", finding.nearby.length && nearbyTable(finding, selection)),
        part("Found in", recordingLinks(number, finding)),
      ),
    ),
    make("p", { class: "fine", text: `fingerprint ${finding.fingerprint}` }),
  ];
}

/** "1 of 12 occurrences", and steps between them. */
function occurrenceSteps(number, selection) {
  const places = selection.places ?? [];
  if (places.length < 2) return undefined;
  const at = Math.min(selection.at, places.length - 1);
  const go = (to) => () =>
    select({ finding: number, at: (to + places.length) % places.length, run: state.run.identity });
  return make(
    "p",
    { class: "steps" },
    make("button", {
      type: "button",
      text: "‹",
      "aria-label": "Previous occurrence",
      onclick: go(at - 1),
    }),
    make("span", { text: `occurrence ${at + 1} of ${grouped(places.length)}` }),
    make("button", {
      type: "button",
      text: "›",
      "aria-label": "Next occurrence",
      onclick: go(at + 1),
    }),
  );
}

function culpritBlock(place) {
  const excerpt = state.excerpts.get(`${place.file}:${place.line}`);
  const position = place.file
    ? `${visible(shortPath(place.file))}${place.line ? `:${place.line}` : ""}`
    : visible(place.module);
  const code = excerpt
    ? codeBlock(excerpt.lines, excerpt.first, place.line)
    : place.source
      ? codeBlock([place.source], place.line ?? 1, place.line)
      : undefined;
  return [
    make(
      "p",
      { class: "culprit" },
      make("b", { text: visible(place.function || place.module) }),
      make("span", { class: "where", text: position, title: visible(place.file ?? "") }),
    ),
    code,
  ];
}

/** Lines of code; with numbers where `first` is one, and with the line that matters marked. */
function codeBlock(lines, first, marked) {
  const rows = lines.map((line, at) => {
    const isIt = first !== undefined && first + at === marked;
    return make(
      "span",
      { class: isIt ? "line marked" : "line" },
      first === undefined
        ? undefined
        : make("span", { class: "number", text: `${isIt ? "▶ " : ""}${first + at}` }),
      make("span", { text: visible(line) || " " }),
      "\n",
    );
  });
  return make(
    "pre",
    {
      tabIndex: 0,
      role: "group",
      "aria-label": first === undefined ? "Code of the fix" : "Code to open first",
    },
    make("code", {}, rows),
  );
}

function editPlace(edit) {
  const file = visible(edit.file.split("/").pop());
  return edit.first === edit.last
    ? `line ${edit.first} of ${file} becomes`
    : `lines ${edit.first} to ${edit.last} of ${file} become`;
}

function causeChain(steps) {
  let last = "";
  return make(
    "ol",
    { class: "chain" },
    steps.map((step) => {
      const stands = [step.thread, step.queue].filter(Boolean).map(visible).join(", ");
      const isNew = stands && stands !== last;
      last = stands || last;
      return make(
        "li",
        { class: step.text.startsWith("no hop") ? "missing" : "" },
        isNew ? make("span", { class: "stands", text: stands }) : undefined,
        make("span", { class: "did", text: visible(step.text) }),
        step.place ? make("span", { class: "where", text: placeText(step.place) }) : undefined,
      );
    }),
  );
}

function findingStack(selection) {
  const { run } = state;
  if (selection.event !== undefined) {
    const frames = run.stack(selection.event);
    if (frames.length) return stackList(frames);
  }
  if (run.crash && (selection.isCrash || selection.event === undefined))
    return crashStack(run.crash.threads[0]);
  return undefined;
}

function crashStack(thread) {
  return thread?.stack.length
    ? stackList(thread.stack.map((frame) => state.run.frames[frame]))
    : undefined;
}

/** A stack, innermost first; the runtime's own frames are quieter than the program's. */
function stackList(frames) {
  return make(
    "ol",
    { class: "stack", start: 0 },
    frames.map((frame) =>
      make(
        "li",
        { class: frame.role },
        make("span", { class: "function", text: frame.name }),
        frame.isInlined ? make("span", { class: "tag", text: "inlined" }) : undefined,
        frame.role === "code"
          ? make("span", { class: "tag own", text: "yours" })
          : frame.role === "check"
            ? make("span", { class: "tag", text: "check" })
            : undefined,
        make("span", {
          class: "where",
          text: frame.file
            ? `${fileName(frame.file)}${frame.line ? `:${frame.line}` : ""}`
            : frame.module,
        }),
      ),
    ),
  );
}

function nearbyTable(finding, selection) {
  const { run } = state;
  const time = timeOf(selection);
  const rows = finding.nearby.map((crumb) => {
    const isTold = crumb.offset !== null;
    const sign = crumb.offset < 0 ? "−" : "+";
    const distance = isTold ? sign + span(crumb.offset) : "";
    const event =
      time === undefined || !isTold ? undefined : eventAt(run, time + crumb.offset, crumb.thread);
    const words = visible(crumb.text);
    return make(
      "tr",
      { class: crumb.offset === 0 ? "here" : "" },
      make("td", {
        class: "offset",
        text: crumb.offset === 0 ? "here" : distance,
      }),
      make(
        "td",
        {},
        event === undefined
          ? words
          : make("button", {
              type: "button",
              class: "link",
              text: words,
              onclick: () => select({ event }),
            }),
      ),
      make("td", { class: "where", text: visible(crumb.queue) || (crumb.thread === null ? "" : `thread ${crumb.thread}`) }),
    );
  });
  return make(
    "div",
    { class: "scrolls", tabIndex: 0, role: "region", "aria-label": "Crumbs around it" },
    tableOf(["when", "crumb", "queue"], rows),
  );
}

/** The event of a thread at a time; undefined where none is kept. */
function eventAt(run, time, thread) {
  const near = 2;
  let [low, high] = [0, run.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.time[middle] < time - near) low = middle + 1;
    else high = middle;
  }
  for (; low < run.count && run.time[low] <= time + near; low += 1)
    if (run.threadOf(low) === thread) return low;
  return undefined;
}

function recordingLinks(number, finding) {
  const runs = state.runs.filter((run) => run.counts[finding.fingerprint]);
  if (state.runs.length < 2) return undefined;
  return make(
    "ul",
    { class: "runs" },
    runs.slice(0, 100).map((run) =>
      make(
        "li",
        {},
        make("button", {
          type: "button",
          class: "link",
          text: `${run.name}, ${visible(run.facts.path)}`,
          "aria-current": run === state.run ? "true" : "false",
          onclick: () => select({ finding: number, run: run.identity }),
        }),
        ` ${counted(run.counts[finding.fingerprint], "time")}`,
      ),
    ),
  );
}

return { crashStack, findingDetails, stackList };
