// ---- Ground: what lies behind the events: lanes and their names, the axis, the process's life.

const { clockTime, grouped, moment, span } = modules.format;
const { margins } = modules.view;
const { hatching } = modules.palette;

const axisHeight = 30;

/** The ground of one frame, drawn with a pen onto a picture of `size`. */
class Ground {
  constructor(pen, size, colours, { view, lanes, run, scroll, selection, hits, isPrint }) {
    Object.assign(this, { pen, size, colours, view, lanes, run, scroll, selection, hits, isPrint });
    this.left = margins.labels;
    this.right = size.width;
    this.from = view.from;
    this.to = view.time(this.right);
    this.drawn = 0;
  }

  top(lane) {
    return lane.y - this.scroll + axisHeight;
  }
  middle(lane) {
    return this.top(lane) + (lane.kind === "life" ? 17 : lane.height / 2);
  }

  /** On the main queue, where hops end, their ends lie below what they did. */
  hopLine(lane) {
    return lane.isMain ? this.top(lane) + lane.height - 9 : this.middle(lane);
  }
  barLine(lane) {
    return lane.isMain ? this.top(lane) + 15 : this.middle(lane);
  }

  clip(top, body) {
    const { pen } = this;
    pen.save();
    pen.beginPath();
    pen.rect(this.left, top, this.right - this.left, this.size.height - top);
    pen.clip();
    body();
    pen.restore();
  }

  ground(lane) {
    const { pen, colours } = this;
    const top = this.top(lane);
    if (lane.kind === "section") pen.fillStyle = colours.lane;
    else if (lane.isMain) pen.fillStyle = colours.main;
    else return;
    pen.fillRect(0, top, this.right, lane.height);
  }

  /** The process's life behind everything: in the background it is striped. */
  phases() {
    const { pen, colours, view } = this;
    const bottom = Math.min(this.size.height, this.lanes.height - this.scroll + axisHeight);
    this.stripes ??= hatching(pen, colours.stripe, colours.background, 9);
    const life = this.lanes.all[0];
    for (const { phase, from, to } of this.run.phases) {
      if (phase === "unknown" || to < this.from || from > this.to) continue;
      const [x, end] = [Math.max(view.x(from), this.left), Math.min(view.x(to), this.right)];
      pen.globalAlpha = phase === "background" ? 0.42 : 0.5;
      pen.fillStyle = phase === "background" ? this.stripes : colours.active;
      pen.fillRect(x, axisHeight, end - x, bottom - axisHeight);
      pen.globalAlpha = 1;
      if (end - x < 60 || this.top(life) + 34 < axisHeight) continue;
      pen.fillStyle = colours.quiet;
      pen.font = "11px system-ui, sans-serif";
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.fillText(phase, x + 10, this.top(life) + 27);
    }
  }

  grid() {
    const { pen, colours, view } = this;
    const { tick } = view;
    pen.fillStyle = colours.line;
    for (let time = Math.ceil(this.from / tick) * tick; time <= this.to; time += tick) {
      pen.fillRect(Math.round(view.x(time)), axisHeight, 1, this.size.height);
    }
    for (const lane of this.lanes.all) {
      const y = this.top(lane) + lane.height;
      if (y > axisHeight && y < this.size.height) pen.fillRect(this.left, y - 1, this.right, 1);
    }
  }

  axis() {
    const { pen, colours, view } = this;
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, this.right, axisHeight);
    pen.fillStyle = colours.strong;
    pen.fillRect(0, axisHeight - 1, this.right, 1);
    pen.fillRect(this.left - 1, 0, 1, this.size.height);
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    const { tick } = view;
    pen.fillStyle = colours.quiet;
    for (let time = Math.ceil(this.from / tick) * tick; time <= this.to; time += tick) {
      const x = view.x(time);
      if (x > this.left + 24 && x < this.right - 24)
        pen.fillText(Math.abs(time) < tick / 2 ? "0" : moment(time, tick), x, 15);
    }
    pen.textAlign = "left";
    pen.fillText(clockTime(this.run.wall(this.from)), 12, 15);
    pen.textAlign = "right";
    if (this.left > 200) pen.fillText(`${span(this.to - this.from)} wide`, this.left - 12, 15);
  }

  label(lane) {
    const { pen, colours } = this;
    const top = Math.max(this.top(lane), axisHeight);
    const height = this.top(lane) + lane.height - top;
    pen.fillStyle =
      lane.kind === "section" ? colours.lane : lane.isMain ? colours.main : colours.ground;
    pen.fillRect(0, top, this.left - 1, height);
    if (lane.isMain) {
      pen.fillStyle = colours.mainBar;
      pen.fillRect(0, top, 4, height);
    }
    pen.fillStyle = colours.line;
    pen.fillRect(0, top + height - 1, this.left - 1, 1);
    const y = this.middle(lane);
    if (y < axisHeight + 6) return;
    const isHead = lane.kind === "section";
    pen.textBaseline = "middle";
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "right";
    pen.fillStyle = colours.quiet;
    const count = isHead ? lane.note : lane.kind === "life" ? "" : grouped(lane.events.length);
    pen.fillText(count, this.left - 12, y);
    const room = this.left - 28 - pen.measureText(count).width - 12;
    pen.textAlign = "left";
    pen.fillStyle = isHead || lane.kind === "life" ? colours.quiet : colours.text;
    const weight = isHead || lane.isMain ? 600 : 400;
    pen.font = `${weight} ${isHead ? 11 : 12.5}px system-ui, sans-serif`;
    pen.fillText(this.fitting(lane.label, room), 14, y);
  }

  /** The text as far as there is room: of a long one, its beginning and its end. */
  fitting(text, room) {
    const { pen } = this;
    if (pen.measureText(text).width <= room) return text;
    const most = Math.max(4, Math.floor((text.length * room) / pen.measureText(text).width) - 1);
    const head = Math.ceil(most * 0.4);
    return `${text.slice(0, head)}…${text.slice(text.length - (most - head))}`;
  }
}

return { Ground, axisHeight };
