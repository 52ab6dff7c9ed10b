// ---- Selection: one thing at a time, in the timeline, in the list and in the details.

const { state } = modules.state;
const { byId, moment, say } = modules.format;
const { firstAt, kindWords, kinds } = modules.data;
const { laneHeight } = modules.lanes;
const { axisHeight } = modules.ground;

/**
 * Selects an event (`{event}`), the crash (`{isCrash}`), or a finding (`{finding}`, at one of its
 * occurrences). Without `isQuiet` it is brought into view.
 */
function select(target, { isQuiet = false, isFocused = false } = {}) {
  if (target?.finding !== undefined) target = placed(target);
  state.selection = target;
  if (target && !isQuiet) reveal(target);
  modules.details.showDetails();
  modules.findings.markFinding();
  modules.table.markRow();
  modules.main.redraw();
  if (target) say(spoken(target));
  if (isFocused) byId("details").focus();
}

/** Where a finding is in the timeline: at an event, at the crash, or at a time only. */
function placed(target) {
  const entry = state.findings[target.finding];
  const at = target.at ?? 0;
  const run = state.runs.find((run) => run.identity === (target.run ?? entry.finding.incident));
  if (run && run !== state.run) modules.main.openRun(run);
  if (!run?.timeline) return { finding: target.finding, at, time: undefined };
  const events = run.occurrences[entry.finding.fingerprint] ?? [];
  if (events.length)
    return {
      finding: target.finding,
      at,
      event: events[Math.min(at, events.length - 1)],
      places: events,
    };
  const wall = entry.wall === "0" ? undefined : run.momentOf(entry.wall);
  if (
    run.crash &&
    (wall === undefined || Math.abs(wall - run.crash.time) < 1e6 || wall > run.crash.time)
  ) {
    return { finding: target.finding, at, isCrash: true, time: run.crash.time };
  }
  return { finding: target.finding, at, time: wall };
}

function timeOf(target) {
  if (target.event !== undefined) return state.run.time[target.event];
  return target.isCrash ? state.run.crash.time : target.time;
}

/** Brings what is selected into view: a finding with the crumbs around it. */
function reveal(target) {
  const time = timeOf(target);
  if (time === undefined || !state.run.hasTimes) return;
  if (target.finding !== undefined) {
    const offsets = state.findings[target.finding].finding.nearby.map((crumb) => crumb.offset ?? 0);
    const back = Math.min(0, ...offsets);
    const ahead = Math.max(0, ...offsets);
    const room = Math.max((ahead - back) * 0.35, 200e3);
    state.view.glide(time + back - room, time + ahead + room);
  } else {
    state.view.reveal(time);
  }
  scrollTo(target);
}

/** Scrolls the lane of what is selected into view. */
function scrollTo(target) {
  const lane = target.isCrash
    ? state.lanes.crashLane
    : target.event === undefined
      ? undefined
      : state.lanes.laneOf(target.event);
  if (!lane) return;
  const plot = byId("plot");
  const room = plot.clientHeight - axisHeight;
  if (lane.y < plot.scrollTop) plot.scrollTop = Math.max(0, lane.y - laneHeight);
  else if (lane.y + lane.height > plot.scrollTop + room)
    plot.scrollTop = lane.y + lane.height - room + laneHeight;
}

/** What is selected, in words for those who listen. */
function spoken(target) {
  const { run } = state;
  if (target.finding !== undefined) {
    const { finding } = state.findings[target.finding];
    const place = `Finding ${target.finding + 1} of ${state.findings.length}`;
    return `${place}, ${finding.severity}: ${finding.title}`;
  }
  if (target.isCrash) return `The crash, ${run.facts.crash ?? ""}, at ${moment(run.crash.time)}`;
  const traits = run.traits(target.event);
  const main = ["off the main queue", "on the main queue", ""][run.onMain(target.event)];
  return [
    `${kindWords[kinds[traits.kind]]}: ${run.message(target.event)}`,
    moment(run.time[target.event]),
    run.queueName(run.queueOf(target.event)),
    run.threadName(run.threadOf(target.event)),
    main,
  ]
    .filter(Boolean)
    .join(", ");
}

// ---- Steps from what is selected to the next of something.

/** Selects the crumb `by` places further in the selected one's lane. */
function stepInLane(by) {
  const { lanes, run, selection } = state;
  const lane = currentLane();
  if (!lane) return;
  const time = selection ? (timeOf(selection) ?? state.view.from) : state.view.from;
  const events = lane.events;
  let at = firstAt(events, run.time, time);
  if (selection?.event !== undefined) {
    while (at < events.length && run.time[events[at]] === time && events[at] !== selection.event)
      at += 1;
    if (events[at] === selection.event) at += by;
    else if (by < 0) at -= 1;
  } else if (by < 0) at -= 1;
  if (at < 0 || at >= events.length) return say("No further crumb in this lane");
  state.lane = lane;
  select({ event: events[at] });
}

/** The lane in which the keys go; the one of what is selected, else the main queue's. */
function currentLane() {
  const { lanes, selection } = state;
  const usable = lanes.all.filter((lane) => lane.kind !== "section" && lane.events.length);
  if (state.lane && usable.includes(state.lane)) return state.lane;
  if (selection?.event !== undefined) {
    const lane = lanes.laneOf(selection.event);
    if (usable.includes(lane)) return lane;
  }
  return usable.find((lane) => lane.isMain) ?? usable[0];
}

/** Selects the nearest crumb of the lane `by` lanes further down. */
function stepToLane(by) {
  const { lanes, run, selection } = state;
  const usable = lanes.all.filter((lane) => lane.kind !== "section" && lane.events.length);
  const lane = usable[usable.indexOf(currentLane()) + by];
  if (!lane) return say("No further lane");
  const time = selection ? (timeOf(selection) ?? state.view.from) : state.view.from;
  const at = Math.min(firstAt(lane.events, run.time, time), lane.events.length - 1);
  const before = Math.max(0, at - 1);
  const isBefore =
    Math.abs(run.time[lane.events[before]] - time) < Math.abs(run.time[lane.events[at]] - time);
  select({ event: lane.events[isBefore ? before : at] });
  state.lane = lane;
  byId("plot").scrollTop = Math.min(byId("plot").scrollTop, lane.y);
  return say(`${lane.label}: ${spoken(state.selection)}`);
}

function lastOfLane(isLast) {
  const lane = currentLane();
  if (lane) select({ event: lane.events[isLast ? lane.events.length - 1 : 0] });
}

/** Selects the next event of a kind, from what is selected on. */
function stepToKind(kind, by) {
  const { lanes, run, selection } = state;
  const events = lanes.shown.filter((event) => run.kind[event] === kind);
  if (!events.length) return say(`No ${kindWords[kinds[kind]]}`);
  const time = selection ? (timeOf(selection) ?? -Infinity) : -Infinity;
  const next =
    by > 0
      ? (events.find((event) => run.time[event] > time) ?? events[0])
      : (events.findLast((event) => run.time[event] < time) ?? events[events.length - 1]);
  return select({ event: next });
}

/** From one end of a hop to the other. */
function followHop() {
  const hop = state.run.hopOf.get(state.selection?.event);
  if (!hop) return say("This is not a hop");
  const other = hop.arrival === state.selection.event ? hop.run : hop.arrival;
  if (other < 0) return say("The hop's other end is not in the log");
  return select({ event: other });
}

function stepFinding(by) {
  const shown = modules.findings.shownFindings();
  if (!shown.length) return say("No findings");
  const at = shown.indexOf(state.selection?.finding);
  const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length;
  return select({ finding: shown[next] });
}

return {
  followHop,
  lastOfLane,
  placed,
  select,
  stepFinding,
  stepInLane,
  stepToKind,
  stepToLane,
  timeOf,
};
