// ---- Marks: each kind of event by a shape of its own.

const { state } = modules.state;
const { byId, make } = modules.format;
const { ERROR, HANG, HOP, LIFECYCLE, NOTE, TASK, UI_WORK, VIOLATION } = modules.data;
const { hatching, paletteNow } = modules.palette;

/** Traces the outline of a shape of radius `r` around a point. */
const outlines = {
  diamond(pen, x, y, r) {
    polygon(pen, [
      [x, y - r],
      [x + r, y],
      [x, y + r],
      [x - r, y],
    ]);
  },
  octagon(pen, x, y, r) {
    polygon(
      pen,
      Array.from({ length: 8 }, (_, at) => {
        const turn = Math.PI / 8 + (at * Math.PI) / 4;
        return [x + r * Math.cos(turn), y + r * Math.sin(turn)];
      }),
    );
  },
  square(pen, x, y, r) {
    pen.beginPath();
    pen.rect(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7);
  },
  ring(pen, x, y, r) {
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
  },
  flag(pen, x, y, r) {
    polygon(pen, [
      [x, y - r],
      [x + r * 1.5, y - r * 0.4],
      [x, y + r * 0.25],
    ]);
  },
  hourglass(pen, x, y, r) {
    polygon(pen, [
      [x - r, y - r],
      [x + r, y - r],
      [x - r, y + r],
      [x + r, y + r],
    ]);
  },
};

function polygon(pen, points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.closePath();
}

/** Draws the mark of an event at a point. */
function drawMark(pen, colours, run, event, x, y) {
  const kind = run.kind[event];
  if (kind === VIOLATION) return sign(pen, "diamond", x, y, 9, colours.violation, colours, "!");
  if (kind === ERROR) return sign(pen, "square", x, y, 7, colours.error, colours, "×");
  if (kind === HANG) return shape(pen, "hourglass", x, y, 7, colours.hang, colours);
  if (kind === LIFECYCLE) return flag(pen, x, y, colours);
  if (kind === TASK) return bracket(pen, x, y, colours.task);
  if (kind === HOP) return hopEnd(pen, run, event, x, y, colours);
  return tick(pen, run, event, x, y, colours);
}

/** A filled shape that stands out from whatever is below it. */
function shape(pen, name, x, y, r, colour, colours) {
  outlines[name](pen, x, y, r);
  pen.lineWidth = 3;
  pen.strokeStyle = colours.ground;
  pen.stroke();
  pen.fillStyle = colour;
  pen.fill();
}

function sign(pen, name, x, y, r, colour, colours, letter) {
  shape(pen, name, x, y, r, colour, colours);
  pen.fillStyle = colours.onMark;
  pen.font = `700 ${Math.round(r * 1.4)}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(letter, x, y + 0.5);
}

function flag(pen, x, y, colours) {
  pen.fillStyle = colours.lifecycle;
  pen.fillRect(x - 1, y - 8, 2, 16);
  outlines.flag(pen, x + 1, y - 2, 6);
  pen.fill();
}

function bracket(pen, x, y, colour) {
  pen.fillStyle = colour;
  pen.fillRect(x - 1, y - 6, 2, 12);
  pen.fillRect(x - 1, y + 4, 5, 2);
}

/** An arrival is a ring, a run a disc, a dropped call a ring that is struck through. */
function hopEnd(pen, run, event, x, y, colours) {
  const hop = run.hopOf.get(event);
  const isRun = hop && hop.run === event;
  outlines.ring(pen, x, y, 3.4);
  pen.lineWidth = 2;
  pen.strokeStyle = colours.hop;
  pen.fillStyle = isRun && !hop.isDropped ? colours.hop : colours.ground;
  pen.fill();
  pen.stroke();
  if (isRun && hop.isDropped) {
    pen.beginPath();
    pen.moveTo(x - 5, y + 5);
    pen.lineTo(x + 5, y - 5);
    pen.stroke();
  }
}

/** A note is a tick; one that warns is longer and has a head. */
function tick(pen, run, event, x, y, colours) {
  const { level } = run.traits(event);
  const isLoud = level === "warning" || level === "error" || level === "fatal";
  pen.fillStyle = isLoud ? colours.warning : colours.note;
  pen.fillRect(x - 1, y - (isLoud ? 7 : 5), 2, isLoud ? 14 : 10);
  if (!isLoud) return;
  pen.beginPath();
  pen.arc(x, y - 7, 3, 0, 2 * Math.PI);
  pen.fill();
}

/** The crash: an octagon with a cross, on a line through all lanes. */
function drawCrash(pen, colours, x, y, top, bottom) {
  pen.fillStyle = colours.crash;
  pen.fillRect(x - 1, top, 2, bottom - top);
  shape(pen, "octagon", x, y, 11, colours.crash, colours);
  pen.strokeStyle = colours.onMark;
  pen.lineWidth = 2.5;
  pen.lineCap = "round";
  for (const side of [-1, 1]) {
    pen.beginPath();
    pen.moveTo(x - 4 * side, y - 4);
    pen.lineTo(x + 4 * side, y + 4);
    pen.stroke();
  }
  pen.lineCap = "butt";
}

/** What the legend shows: the name, whether a recording has it, and how it is drawn. */
const legend = [
  [
    "note",
    (run) => run.has(NOTE),
    (pen, c) => {
      pen.fillStyle = c.note;
      pen.fillRect(9, 5, 2, 10);
    },
  ],
  [
    "UI work",
    (run) => run.has(UI_WORK),
    (pen, c) => {
      pen.fillStyle = c.work;
      pen.fillRect(2, 6, 16, 8);
    },
  ],
  [
    "off main",
    (run) => run.has(UI_WORK, 0),
    (pen, c) => {
      pen.fillStyle = hatching(pen, c.onMark, c.offWork, 5);
      pen.fillRect(2, 6, 16, 8);
    },
  ],
  [
    "hop",
    (run) => run.has(HOP),
    (pen, c) => {
      pen.strokeStyle = pen.fillStyle = c.hop;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(4, 10, 2.5, 0, 7);
      pen.stroke();
      pen.beginPath();
      pen.moveTo(7, 10);
      pen.lineTo(13, 10);
      pen.stroke();
      pen.beginPath();
      pen.arc(15.5, 10, 3, 0, 7);
      pen.fill();
    },
  ],
  ["lifecycle", (run) => run.has(LIFECYCLE), (pen, c) => flag(pen, 6, 11, c)],
  [
    "background task",
    (run) => run.has(TASK),
    (pen, c) => {
      pen.globalAlpha = 0.35;
      pen.fillStyle = c.task;
      pen.fillRect(1, 6, 18, 9);
      pen.globalAlpha = 1;
      pen.strokeStyle = c.task;
      pen.strokeRect(1.5, 6.5, 17, 8);
    },
  ],
  ["hang", (run) => run.has(HANG), (pen, c) => shape(pen, "hourglass", 10, 10, 7, c.hang, c)],
  ["error", (run) => run.has(ERROR), (pen, c) => sign(pen, "square", 10, 10, 7, c.error, c, "×")],
  [
    "violation",
    (run) => run.has(VIOLATION),
    (pen, c) => sign(pen, "diamond", 10, 10, 8, c.violation, c, "!"),
  ],
  ["crash", (run) => run.crash, (pen, c) => drawCrash(pen, c, 10, 10, 0, 20)],
];

function showLegend() {
  byId("legend").replaceChildren(
    ...legend
      .filter(([, isThere]) => isThere(state.run))
      .map(([name, , draw]) => {
        const canvas = make("canvas", { "aria-hidden": "true" });
        const density = Math.max(2, devicePixelRatio);
        canvas.width = canvas.height = 20 * density;
        const pen = canvas.getContext("2d");
        pen.scale(density, density);
        draw(pen, paletteNow());
        return make("li", {}, canvas, name);
      }),
  );
}

return { drawCrash, drawMark, showLegend };
