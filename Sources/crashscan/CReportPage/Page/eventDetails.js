// ---- Details of an event.

const { state } = modules.state;
const { clockTime, day, grouped, make, moment, span, visible } = modules.format;
const { kindWords, kinds } = modules.data;
const { select } = modules.select;
const { facts, part } = modules.details;
const { stackList } = modules.findingDetails;

function eventDetails(event) {
  const { run } = state;
  const traits = run.traits(event);
  const took = run.duration(event);
  const hop = run.hopOf.get(event);
  const stack = run.stack(event);
  const about = state.findings
    .map((_, number) => number)
    .filter((number) =>
      run.occurrences[state.findings[number].finding.fingerprint]?.includes(event),
    );
  return [
    make(
      "header",
      { class: "head" },
      make("p", {
        class: "kind",
        text: [kindWords[kinds[traits.kind]], traits.level, traits.category]
          .filter(Boolean)
          .join(" · "),
      }),
      make("h3", { text: run.message(event) }),
    ),
    make(
      "div",
      { class: "columns" },
      make(
        "div",
        {},
        part(
          "Facts",
          facts([
            ["time", !run.untimed.has(event) ? `${moment(run.time[event])} after the beginning` : ""],
            [
              "clock",
              !run.untimed.has(event)
                ? [day(run.wall(run.time[event])), clockTime(run.wall(run.time[event]))]
                    .filter(Boolean)
                    .join(", ")
                : "",
            ],
            ["took", took ? span(took) : ""],
            ["queue", queueWords(event)],
            ["thread", threadWords(run.threadOf(event))],
            ["cut", traits.isCut ? "more was recorded than is shown" : ""],
            ["recorded by", traits.isInterrupting ? "a signal handler that interrupted another crumb" : ""],
          ]),
        ),
        part(
          "Data",
          run.values(event).length &&
            facts(run.values(event).map(([key, value]) => [key, dataText(key, value)])),
        ),
        hop && part("Hop", hopWords(hop, event)),
      ),
      make(
        "div",
        {},
        part(
          "Findings about it",
          about.length &&
            make(
              "ul",
              { class: "runs" },
              about.map((number) =>
                make(
                  "li",
                  {},
                  make("button", {
                    type: "button",
                    class: "link",
                    text: findingWords(number),
                    onclick: () => select({ finding: number }),
                  }),
                ),
              ),
            ),
        ),
        part("Stack", stack.length && stackList(stack)),
      ),
    ),
  ];
}

function dataText(key, value) {
  return key === "nanoseconds" ? `${grouped(value)} (${span(Number(value))})` : String(value);
}

function findingWords(number) {
  const { finding } = state.findings[number];
  return `${finding.rule}: ${visible(finding.title)}`;
}

function threadWords(ordinal) {
  const id = state.run.threads.get(ordinal)?.id;
  return state.run.threadName(ordinal) + (id ? `, id ${id}` : "");
}

function queueWords(event) {
  const { run } = state;
  const name = run.queueName(run.queueOf(event)) || "none";
  const main = run.onMain(event);
  if (name === "main queue" && main === 1) return name;
  const words = ["off the main queue", "on the main queue", "main queue or not: unknown"];
  return `${name} (${words[main]})`;
}

function hopWords(hop, event) {
  const other = hop.arrival === event ? hop.run : hop.arrival;
  const label = hop.arrival === event ? "Go to its end (J)" : "Go to its arrival (J)";
  const go = {
    type: "button",
    class: "button",
    text: label,
    onclick: () => select({ event: other }),
  };
  return [make("p", { text: hopCourse(hop) }), other >= 0 ? make("button", go) : undefined];
}

/** From where to where a hop went, and how long it waited. */
function hopCourse(hop) {
  const { run } = state;
  if (hop.run < 0) return "The call had not run when the log ended.";
  if (hop.arrival < 0) return "The call's arrival is no longer in the log.";
  const start = run.queueName(run.queueOf(hop.arrival)) || "a thread without a queue";
  const goal = run.queueName(run.queueOf(hop.run)) || "no queue";
  const waited = span(run.time[hop.run] - run.time[hop.arrival]);
  const end = hop.isDropped ? "was dropped" : "ran";
  return `The call arrived on ${start} and ${end} ${waited} later on ${goal}.`;
}

return { eventDetails };
