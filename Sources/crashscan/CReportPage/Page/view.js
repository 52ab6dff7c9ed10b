// ---- View: which stretch of time is on screen.

/** How wide the names of the lanes are; less where there is little room. */
const margins = { labels: 232, right: 16 };

/** The window of time, and how it maps to the width that the plot has. */
class View {
  constructor() {
    Object.assign(this, { from: 0, to: 1, width: 800, least: 0, most: 1, goal: null });
  }

  /** Takes the times of another recording, with a little room at both ends. */
  begin(start, end) {
    const room = Math.max((end - start) * 0.02, 1000);
    [this.least, this.most] = [start - room, end + room];
    [this.from, this.to] = [this.least, this.most];
    this.goal = null;
  }

  get scale() {
    return (this.width - margins.labels - margins.right) / (this.to - this.from);
  }
  x(time) {
    return margins.labels + (time - this.from) * this.scale;
  }
  time(x) {
    return this.from + (x - margins.labels) / this.scale;
  }
  get isWhole() {
    return this.from <= this.least && this.to >= this.most;
  }

  /** The nearest window that lies within the recording. */
  clamped(from, to) {
    const whole = this.most - this.least;
    const size = Math.min(Math.max(to - from, Math.min(200, whole)), whole);
    const middle = (from + to) / 2;
    const start = Math.min(Math.max(middle - size / 2, this.least), this.most - size);
    return [start, start + size];
  }

  set(from, to) {
    this.goal = null;
    [this.from, this.to] = this.clamped(from, to);
    modules.main.redraw();
  }

  /** Goes there in a moment, so that the eye can follow; at once where motion is not wanted. */
  glide(from, to) {
    const [goalFrom, goalTo] = this.clamped(from, to);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden)
      return this.set(goalFrom, goalTo);
    this.goal = {
      from: goalFrom,
      to: goalTo,
      startFrom: this.from,
      startTo: this.to,
      since: performance.now(),
    };
    return modules.main.redraw();
  }

  /** Moves on towards where it glides; whether it is still under way. */
  step(now) {
    const { goal } = this;
    if (!goal) return false;
    const part = Math.min(1, Math.max(0, (now - goal.since) / 180));
    const eased = 1 - (1 - part) ** 3;
    this.from = goal.startFrom + (goal.from - goal.startFrom) * eased;
    this.to = goal.startTo + (goal.to - goal.startTo) * eased;
    if (part === 1) this.goal = null;
    return part < 1;
  }

  zoom(factor, around = (this.from + this.to) / 2) {
    this.set(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }

  pan(part) {
    const by = (this.to - this.from) * part;
    const [from, to] = [this.from + by, this.to + by];
    if (from < this.least) return this.set(this.least, this.least + (to - from));
    if (to > this.most) return this.set(this.most - (to - from), this.most);
    return this.set(from, to);
  }

  whole() {
    this.glide(this.least, this.most);
  }

  /** Makes a moment visible, with as much around it as is seen now. */
  reveal(time) {
    const size = this.to - this.from;
    const isSeen = time >= this.from + size * 0.05 && time <= this.to - size * 0.05;
    if (isSeen) return modules.main.redraw();
    return this.glide(time - size / 2, time + size / 2);
  }

  /** Distances between the marks of the axis: about 110 pixels, in round numbers. */
  get tick() {
    const wanted = 110 / this.scale;
    const power = 10 ** Math.floor(Math.log10(wanted));
    return power * ([1, 2, 5].find((step) => step * power >= wanted) ?? 10);
  }
}

return { View, margins };
