// ---- Print: the timeline as a picture, the findings in full.

const { state } = modules.state;
const { byId, counted, make } = modules.format;
const { Lanes } = modules.lanes;
const { View } = modules.view;
const { palettes } = modules.palette;
const { axisHeight } = modules.ground;
const { Plot } = modules.plot;
const { sized } = modules.overview;
const { placed } = modules.select;
const { findingDetails } = modules.findingDetails;

/** Builds what only paper shows. */
function preparePrint() {
  const { run, runs } = state;
  if (!run) return;
  const parts = [
    make("h1", { text: byId("name").textContent }),
    make("p", { text: byId("facts").textContent }),
  ];
  if (run.hasTimes) parts.push(printedTimeline());
  parts.push(make("h2", { text: counted(state.findings.length, "finding") }));
  const selected = state.selection;
  state.findings.forEach((entry, number) => {
    const isHere = entry.finding.incident === run.identity || runs.length === 1;
    const place = isHere ? placed({ finding: number, at: 0 }) : { finding: number, at: 0 };
    parts.push(make("article", {}, findingDetails(number, place).filter(Boolean)));
  });
  state.selection = selected;
  byId("printed").replaceChildren(...parts);
  byId("printed").hidden = false;
  for (const closed of byId("printed").querySelectorAll("details")) closed.open = true;
}

/** The whole recording, as many lanes as a page has room for, in the colours of paper. */
function printedTimeline() {
  const { run } = state;
  const lanes = new Lanes(run, state.filter, state.which);
  const view = new View();
  view.begin(run.start, run.end);
  const size = { width: 1100, height: Math.min(lanes.height, 900) + axisHeight };
  view.width = size.width;
  const canvas = make("canvas", { role: "img", "aria-label": "The timeline as a picture" });
  const pen = sized(canvas, size.width, size.height, 2);
  canvas.style.width = "100%";
  canvas.style.height = "auto";
  new Plot(pen, size, palettes.light, {
    view,
    lanes,
    run,
    scroll: 0,
    selection: undefined,
    hits: null,
    isPrint: true,
  }).draw();
  const left =
    lanes.height > 900 ? make("p", { class: "fine", text: "Not all lanes are shown." }) : undefined;
  return make("figure", {}, canvas, left);
}

function endPrint() {
  byId("printed").hidden = true;
  byId("printed").replaceChildren();
}

return { endPrint, preparePrint };
