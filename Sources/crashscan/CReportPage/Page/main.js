// ---- The page.

const { state } = modules.state;
const { byId, clockTime, counted, day, fileName, grouped, make, span, visible } = modules.format;
const { Run } = modules.data;
const { Lanes } = modules.lanes;
const { Filter, showFilterPanel } = modules.filter;
const { View, margins } = modules.view;
const { paletteNow } = modules.palette;
const { showLegend } = modules.marks;
const { axisHeight } = modules.ground;
const { Plot } = modules.plot;
const { overview, sized } = modules.overview;
const { pointer } = modules.pointer;
const { select } = modules.select;
const { showFindings, showRules } = modules.findings;
const { showDetails } = modules.details;
const { showTable } = modules.table;
const { search, showHits } = modules.search;
const { beginControls, showTheme } = modules.controls;
const { beginKeys } = modules.keys;
const { endPrint, preparePrint } = modules.print;

let isDue = false;

/** Asks for a frame; many requests make one. */
function redraw() {
  if (isDue || !state.run) return;
  isDue = true;
  requestAnimationFrame(frame);
}

const frames = { count: 0, last: 0, drawn: 0 };

function frame(now) {
  isDue = false;
  const isMoving = state.view.step(now);
  if (!state.run.hasTimes || state.isTable) return;
  const start = performance.now();
  const plot = byId("plot");
  const size = { width: plot.clientWidth, height: plot.clientHeight };
  margins.labels = size.width < 640 ? 128 : 232;
  if (size.width < margins.labels + 40) return;
  state.view.width = size.width;
  const pen = sized(byId("canvas"), size.width, size.height);
  frames.drawn = new Plot(pen, size, paletteNow(), {
    ...state,
    scroll: plot.scrollTop,
  }).draw().drawn;
  overview.draw();
  frames.count += 1;
  frames.last = performance.now() - start;
  if (isMoving) redraw();
}

/** Fits the canvas to the room that there is. */
function measure() {
  const { run } = state;
  if (run?.hasTimes && !state.isTable)
    byId("plot-height").style.height =
      `${Math.max(0, state.lanes.height + axisHeight - byId("plot").clientHeight)}px`;
  redraw();
}

function layOutLanes() {
  state.lanes = new Lanes(state.run, state.filter, state.which);
  state.lane = undefined;
  if (byId("search").value) search();
  showTable();
  measure();
}

/** Shows another recording. */
function openRun(run) {
  state.run = run.decode();
  state.filter.clear();
  byId("filter-count").textContent = "";
  byId("run").selectedIndex = run.number;
  state.view.begin(run.start, run.end);
  state.selection = undefined;
  byId("plot").scrollTop = 0;
  showHead();
  showLegend();
  showEmpty();
  layOutLanes();
  if (!byId("filter-panel").hidden) showFilterPanel();
  byId("plot").setAttribute(
    "aria-label",
    `Timeline of ${run.name}: ${[
      counted(run.count, "crumb"),
      counted(run.threads.size, "thread"),
      counted(run.queues.length, "queue"),
    ].join(", ")}`,
  );
}

function showHead() {
  const { run } = state;
  byId("name").textContent = run.name;
  const { facts } = run;
  const isBad = !["running", "clean", "terminated", "reported"].includes(facts.ending);
  const chip = (text, kind = "") => make("span", { class: `chip ${kind}`, text, title: text });
  const end = facts.crash
    ? `${facts.ending === "crashed" ? "crashed, " : ""}${visible(facts.crash)}`
    : (facts.manner ?? facts.ending);
  const wall = run.wall(0);
  byId("facts").replaceChildren(
    ...[
      end ? chip(end, isBad ? "bad" : facts.ending === "reported" ? "" : "good") : "",
      facts.process ? chip(`process ${facts.process}`) : "",
      chip(counted(facts.crumbs, "crumb")),
      run.hasTimes ? chip(span(run.end - Math.min(run.start, 0))) : "",
      wall ? chip(`${day(wall)}, ${clockTime(wall)}`) : "",
      run.timeline?.left ? chip(`${grouped(run.timeline.left)} older crumbs left out`, "bad") : "",
    ]
      .filter(Boolean)
      .flatMap((chip) => [chip, " "]),
  );
}

/** Says why there is no timeline, where there is none. */
function showEmpty() {
  const { run } = state;
  const why = run.hasTimes
    ? ""
    : !run.timeline
      ? "This report was made from summaries, which contain findings but no crumbs. " +
        "Make it from the logs to see the timeline."
      : run.isReport
        ? (run.untimed.size === 0 && (run.crash?.isTimed ?? true)
            ? "This report shows one moment only, so there is no timeline to draw."
            : "This report does not say when things happened, so there is no timeline to draw.") +
          (run.crash ? " Its threads are below." : "")
        : "This log has no crumbs yet, so there is nothing to draw.";
  byId("empty").textContent = why;
  byId("empty").hidden = !why;
  byId("stage").hidden = Boolean(why);
  byId("legend").classList.toggle("idle", Boolean(why));
  document.querySelector(".zoom").hidden = Boolean(why);
}

function begin() {
  Object.assign(state, { filter: new Filter(), view: new View() });
  const source = JSON.parse(byId("data").textContent);
  state.runs = source.runs.map((run, number) => new Run(run, number));
  state.findings = source.findings;
  state.rules = source.rules;
  for (const excerpt of source.excerpts)
    state.excerpts.set(`${excerpt.file}:${excerpt.line}`, excerpt);
  byId("run").replaceChildren(
    ...state.runs.map((run) =>
      make("option", { text: `${run.name} · ${visible(fileName(run.facts.path))}` }),
    ),
  );
  byId("run-choice").hidden = state.runs.length < 2;
  beginControls();
  beginKeys();
  pointer.begin();
  overview.begin();
  showRules();
  showFindings();
  showHits();
  new ResizeObserver(measure).observe(byId("plot"));
  addEventListener("beforeprint", preparePrint);
  addEventListener("afterprint", endPrint);
  if (state.runs.length) openRun(state.runs[0]);
  else showNothing();
  showTheme();
  showDetails();
  const wanted = /^#finding-(\d+)$/.exec(location.hash);
  if (wanted && state.findings[wanted[1] - 1]) select({ finding: wanted[1] - 1 });
  // A page with a timeline opens with all of it in view, and with the details of the first finding. Without a
  // timeline, the details show the threads.
  else if (state.findings.length && state.run?.hasTimes && state.run.timeline)
    select({ finding: 0 }, { isQuiet: true });
}

function showNothing() {
  byId("empty").textContent = "Nothing was read, so there is nothing to show.";
  byId("empty").hidden = false;
  byId("stage").hidden = true;
}

/** For scripts that drive the page: where an event is drawn, and how long frames take. */
window.timeline = Object.freeze({
  frames,
  get counts() {
    return {
      crumbs: state.run?.count ?? 0,
      shown: state.lanes?.shown.length ?? 0,
      hits: state.hitList?.length ?? 0,
      hops: state.run?.hops?.length ?? 0,
    };
  },
  get window() {
    return [state.view.from, state.view.to];
  },
  get selection() {
    return state.selection && { ...state.selection };
  },
  lanes: () => state.lanes.all.map(({ kind, label, y, height }) => ({ kind, label, y, height })),
  /** Where the first event with this message, or the crash, is drawn on the plot. */
  place(message) {
    const { run, lanes, view } = state;
    const event =
      message === undefined
        ? undefined
        : Array.from({ length: run.count }, (_, at) => at).find(
            (at) => run.message(at) === message,
          );
    const lane = event === undefined ? lanes.crashLane : lanes.laneOf(event);
    return {
      x: view.x(event === undefined ? run.crash.time : run.time[event]),
      y: lane.y + lane.height / 2 + axisHeight - byId("plot").scrollTop,
    };
  },
  /** Draws once more, now, and says how many milliseconds that took. */
  time() {
    frame(performance.now());
    return frames.last;
  },
});

return { begin, layOutLanes, measure, openRun, redraw };
