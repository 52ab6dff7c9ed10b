// ---- Overview: the whole recording in a strip, with the window upon it.

const { state } = modules.state;
const { byId } = modules.format;
const { margins } = modules.view;
const { hatching, paletteNow } = modules.palette;

/** Draws the strip; drags in it move or set the window. */
const overview = {
  height: 46,

  draw() {
    const { run, view, lanes } = state;
    const canvas = byId("overview");
    const pen = sized(canvas, canvas.clientWidth, this.height);
    const colours = paletteNow();
    const width = canvas.clientWidth;
    pen.fillStyle = colours.lane;
    pen.fillRect(0, 0, width, this.height);
    if (!run.hasTimes) return;
    this.scale = (width - margins.labels - margins.right) / (view.most - view.least);
    const x = (time) => margins.labels + (time - view.least) * this.scale;
    for (const { phase, from, to } of run.phases) {
      if (phase === "unknown") continue;
      pen.fillStyle =
        phase === "background"
          ? hatching(pen, colours.stripe, colours.background, 6)
          : colours.active;
      pen.fillRect(x(from), 0, x(to) - x(from), this.height);
    }
    this.skyline(pen, colours, width, x);
    pen.fillStyle = colours.violation;
    for (const event of lanes.violations)
      pen.fillRect(x(run.time[event]) - 1, 2, 2, this.height - 4);
    if (run.crash) {
      pen.fillStyle = colours.crash;
      pen.fillRect(x(run.crash.time) - 2, 0, 4, this.height);
    }
    this.window(pen, colours, width, x);
    pen.fillStyle = colours.quiet;
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillText("overview", 14, this.height / 2);
  },

  /** How much happened when; counted once for each set of lanes and width. */
  skyline(pen, colours, width, x) {
    const { run, lanes } = state;
    if (this.counted !== lanes || this.countedWidth !== width) {
      [this.counted, this.countedWidth] = [lanes, width];
      this.columns = new Uint32Array(Math.ceil(width / 2) + 1);
      for (const event of lanes.shown) this.columns[(x(run.time[event]) / 2) | 0] += 1;
    }
    const most = Math.log2(1 + this.columns.reduce((most, count) => Math.max(most, count), 1));
    pen.fillStyle = colours.note;
    this.columns.forEach((count, at) => {
      if (!count) return;
      const height = Math.max(3, ((this.height - 10) * Math.log2(1 + count)) / most);
      pen.fillRect(at * 2, this.height - height, 1.5, height);
    });
  },

  window(pen, colours, width, x) {
    const { view } = state;
    const [from, to] = [Math.max(margins.labels, x(view.from)), Math.min(width, x(view.to))];
    pen.fillStyle = colours.ground;
    pen.globalAlpha = 0.6;
    pen.fillRect(margins.labels, 0, from - margins.labels, this.height);
    pen.fillRect(to, 0, width - to, this.height);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.select;
    pen.lineWidth = 1.5;
    pen.strokeRect(from + 0.75, 0.75, Math.max(3, to - from - 1.5), this.height - 1.5);
  },

  time(x) {
    return state.view.least + (x - margins.labels) / this.scale;
  },

  begin() {
    const canvas = byId("overview");
    let start;
    canvas.addEventListener("pointerdown", (happening) => {
      canvas.setPointerCapture(happening.pointerId);
      const time = this.time(happening.offsetX);
      const { view } = state;
      const isInside = time > view.from && time < view.to && !view.isWhole;
      start = { time, isInside, from: view.from, to: view.to, x: happening.offsetX };
      if (!isInside && !view.isWhole)
        view.set(time - (view.to - view.from) / 2, time + (view.to - view.from) / 2);
    });
    canvas.addEventListener("pointermove", (happening) => {
      if (!start) return;
      const time = this.time(happening.offsetX);
      if (start.isInside)
        return state.view.set(start.from + time - start.time, start.to + time - start.time);
      if (Math.abs(happening.offsetX - start.x) > 4)
        state.view.set(Math.min(time, start.time), Math.max(time, start.time));
    });
    canvas.addEventListener("pointerup", () => {
      start = undefined;
    });
    canvas.addEventListener("dblclick", () => state.view.whole());
  },
};

/** The pen of a canvas, made as large as it is shown, in the screen's own pixels. */
function sized(canvas, width, height, density = devicePixelRatio || 1) {
  const [wide, high] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(density, 0, 0, density, 0, 0);
  return pen;
}

return { overview, sized };
