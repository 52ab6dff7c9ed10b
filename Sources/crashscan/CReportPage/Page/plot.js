// ---- Plot: draws what the window shows, and no more than a screen can show.

const { state } = modules.state;
const { HANG, HOP, LIFECYCLE, UI_WORK, VIOLATION, firstAt } = modules.data;
const { hatching } = modules.palette;
const { drawCrash, drawMark } = modules.marks;
const { Ground, axisHeight } = modules.ground;

/** One frame. */
class Plot extends Ground {
  draw() {
    const { pen, colours, size } = this;
    pen.fillStyle = colours.ground;
    pen.fillRect(0, 0, size.width, size.height);
    const visibleLanes = this.lanes.all.filter(
      (lane) => this.top(lane) < size.height && this.top(lane) + lane.height > axisHeight,
    );
    visibleLanes.forEach((lane) => this.ground(lane));
    this.clip(axisHeight, () => {
      this.phases();
      this.grid();
      visibleLanes.forEach((lane) => this.bars(lane));
      this.hops();
      this.lines();
      visibleLanes.forEach((lane) => this.marks(lane));
      this.crash();
      this.rings();
    });
    visibleLanes.forEach((lane) => this.label(lane));
    this.axis();
    return this;
  }

  bars(lane) {
    if (lane.kind === "section") return;
    if (lane.tasks) this.taskBars(lane);
    const { pen, colours, view, run } = this;
    const height = Math.min(lane.height - 8, 20);
    const top = this.barLine(lane) - height / 2;
    this.slanted ??= hatching(pen, colours.onMark, colours.offWork, 5);
    const ends = { work: -Infinity, off: -Infinity, hang: -Infinity };
    lane.bars.within(this.from, this.to, (at) => {
      const event = lane.bars.items[at];
      const isOff = run.kind[event] === UI_WORK && run.onMain(event) === 0;
      const row = run.kind[event] === HANG ? "hang" : isOff ? "off" : "work";
      const x = Math.max(view.x(lane.bars.from[at]), this.left - 4);
      const end = Math.min(Math.max(view.x(lane.bars.to[at]), x + 2), this.right + 4);
      // What would paint the same pixels again is left out.
      if (end - ends[row] < 0.7) return;
      ends[row] = end;
      this.drawn += 1;
      pen.globalAlpha = this.isFaint(event) ? 0.2 : 1;
      if (run.kind[event] === HANG) return this.hang(lane, x, end);
      pen.fillStyle = isOff ? this.slanted : colours.work;
      pen.fillRect(x, top, end - x, height);
      if (isOff && end - x > 4) {
        pen.strokeStyle = colours.offWork;
        pen.lineWidth = 1.5;
        pen.strokeRect(x + 0.75, top + 0.75, end - x - 1.5, height - 1.5);
      }
      if (end - x > 46 && !isOff) this.inside(run.message(event), x, end, top + height / 2);
      pen.globalAlpha = 1;
    });
  }

  /** A hang is a band along the edge of its lane: what caused it may lie below. */
  hang(lane, x, end) {
    const { pen, colours } = this;
    pen.fillStyle = colours.hang;
    pen.fillRect(x, this.top(lane) + 1, end - x, 4);
    pen.globalAlpha = 1;
  }

  taskBars(lane) {
    const { pen, colours, view, run } = this;
    lane.tasks.within(this.from, this.to, (at) => {
      const task = lane.tasks.items[at];
      const row = lane.tasks.row[at];
      if (row > 2) return;
      const x = Math.max(view.x(lane.tasks.from[at]), this.left - 4);
      const end = Math.min(Math.max(view.x(lane.tasks.to[at]), x + 3), this.right + 4);
      const top = this.top(lane) + 34 + row * 15;
      this.drawn += 1;
      pen.globalAlpha = 0.35;
      pen.fillStyle = colours.task;
      pen.fillRect(x, top, end - x, 12);
      pen.globalAlpha = 1;
      pen.strokeStyle = colours.task;
      pen.lineWidth = 1;
      pen.strokeRect(x + 0.5, top + 0.5, end - x - 1, 11);
      if (end - x > 60) {
        pen.fillStyle = colours.text;
        pen.font = "10.5px system-ui, sans-serif";
        pen.textAlign = "left";
        pen.textBaseline = "middle";
        pen.fillText(this.fitting(run.message(task.begin), end - x - 10), x + 6, top + 6.5);
      }
    });
  }

  inside(text, x, end, y) {
    const { pen, colours } = this;
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillStyle = colours.onMark;
    const from = Math.max(x, this.left) + 6;
    const room = end - from - 6;
    if (room > 70 || pen.measureText(text).width <= room)
      pen.fillText(this.fitting(text, room), from, y + 0.5);
  }

  /** Arrows from arrivals to runs; of many that would lie on one another, one. */
  hops() {
    const { pen, view, run, lanes } = this;
    const taken = new Set();
    const arrows = [];
    const selected =
      this.selection?.event !== undefined ? run.hopOf.get(this.selection.event) : undefined;
    pen.lineWidth = 1.25;
    lanes.hops.within(this.from, this.to, (at) => {
      const hop = lanes.hops.items[at];
      const [start, goal] = [lanes.laneOf(hop.arrival), lanes.laneOf(hop.run)];
      const [x, end] = [view.x(lanes.hops.from[at]), view.x(lanes.hops.to[at])];
      const [y, goalY] = [this.hopLine(start), this.hopLine(goal)];
      if (Math.max(y, goalY) < axisHeight || Math.min(y, goalY) > this.size.height) return;
      const key = `${Math.round(x / 5)} ${Math.round(end / 5)} ${start.y} ${goal.y}`;
      if (hop !== selected && taken.has(key)) return;
      taken.add(key);
      arrows.push([x, y, end, goalY, hop]);
    });
    for (const [x, y, end, goalY, hop] of arrows)
      this.arrow(x, y, end, goalY, hop === selected, hop.isDropped, arrows.length);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  arrow(x, y, end, goalY, isSelected, isDropped, crowd) {
    const { pen, colours } = this;
    this.drawn += 1;
    pen.globalAlpha = isSelected ? 1 : Math.min(0.75, Math.max(0.14, 60 / crowd));
    pen.strokeStyle = pen.fillStyle = colours.hop;
    pen.lineWidth = isSelected ? 2.5 : 1.25;
    pen.setLineDash(isDropped ? [3, 3] : []);
    const side = goalY < y ? -1 : 1;
    const tip = goalY - side * 6;
    const bend = Math.max(10, Math.min(60, Math.abs(end - x) * 0.6));
    pen.beginPath();
    pen.moveTo(x, y);
    if (y === goalY) pen.quadraticCurveTo((x + end) / 2, y - 16, end, tip);
    else
      pen.bezierCurveTo(
        x + (end - x < 14 ? 0 : bend),
        y + side * 4,
        end - (end - x < 14 ? 0 : bend * 0.3),
        (y + tip) / 2,
        end,
        tip,
      );
    pen.stroke();
    if (crowd > 400 && !isSelected) return;
    pen.beginPath();
    pen.moveTo(end - 3.5, tip - side * 5);
    pen.lineTo(end + 3.5, tip - side * 5);
    pen.lineTo(end, tip + side);
    pen.fill();
  }

  marks(lane) {
    if (lane.kind === "section") return;
    this.minor(lane);
    this.major(lane);
  }

  /** The many: one by one where there is room, else as a skyline of how many there are. */
  minor(lane) {
    const { run, view, pen, colours } = this;
    const y = this.middle(lane);
    const room = 12 / view.scale;
    const low = firstAt(lane.minor, run.time, this.from - room);
    const high = firstAt(lane.minor, run.time, this.to + room, low);
    if (high - low <= (this.right - this.left) / 5) {
      for (let at = low; at < high; at += 1)
        this.mark(lane.minor[at], this.line(lane, lane.minor[at]));
      return;
    }
    const step = 3;
    const columns = [];
    let at = low;
    for (let x = this.left - step; x < this.right + step; x += step) {
      const next = firstAt(lane.minor, run.time, view.time(x + step), at, high);
      if (next > at) columns.push([x, at, next - at]);
      at = next;
    }
    const most = columns.reduce((most, [, , count]) => Math.max(most, count), 1);
    for (const [x, first, count] of columns) {
      if (count === 1) {
        this.mark(lane.minor[first], this.line(lane, lane.minor[first]));
        continue;
      }
      const height = 5 + (lane.height - 9) * Math.sqrt(count / most);
      this.drawn += 1;
      pen.globalAlpha = this.hits ? 0.35 : 0.8;
      pen.fillStyle = colours.note;
      pen.fillRect(x, y - height / 2, step - 0.6, height);
      pen.globalAlpha = 1;
      if (this.hits) this.hitColumn(lane, first, count, x, step, y, height);
    }
  }

  /** Marks a column of the skyline in which something was searched for and found. */
  hitColumn(lane, first, count, x, step, y, height) {
    for (let at = first; at < first + count; at += 1) {
      if (!this.hits.has(lane.minor[at])) continue;
      this.pen.fillStyle = this.colours.hit;
      this.pen.fillRect(x - 0.5, y - height / 2, step + 1, height);
      return;
    }
  }

  /** The few that matter: always drawn, the last of those that share a place with their number. */
  major(lane) {
    const { run, view, pen, colours } = this;
    const y = this.middle(lane);
    const room = 12 / view.scale;
    const high = firstAt(lane.major, run.time, this.to + room);
    let at = firstAt(lane.major, run.time, this.from - room);
    while (at < high) {
      const x = view.x(run.time[lane.major[at]]);
      const next = Math.max(at + 1, firstAt(lane.major, run.time, view.time(x + 7), at, high));
      let shown = lane.major[at];
      for (let other = at; other < Math.min(next, at + 64); other += 1) {
        if (run.kind[lane.major[other]] === VIOLATION) shown = lane.major[other];
      }
      this.mark(shown, y, x);
      if (next - at > 1 && run.kind[shown] !== LIFECYCLE) {
        pen.font = "600 10px system-ui, sans-serif";
        pen.textAlign = "left";
        pen.textBaseline = "middle";
        pen.lineWidth = 3;
        pen.strokeStyle = colours.ground;
        pen.strokeText(`${next - at}`, x + 10, y - 6);
        pen.fillStyle = colours.text;
        pen.fillText(`${next - at}`, x + 10, y - 6);
      }
      at = next;
    }
  }

  line(lane, event) {
    return this.run.kind[event] === HOP ? this.hopLine(lane) : this.middle(lane);
  }

  mark(event, y, x = this.view.x(this.run.time[event])) {
    const { pen, colours } = this;
    this.drawn += 1;
    if (this.hits?.has(event)) {
      pen.fillStyle = colours.hitFill;
      pen.strokeStyle = colours.hit;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(x, y, 10, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    }
    pen.globalAlpha = this.isFaint(event) ? 0.22 : 1;
    drawMark(pen, colours, this.run, event, x, y);
    pen.globalAlpha = 1;
  }

  isFaint(event) {
    return this.hits !== undefined && this.hits !== null && !this.hits.has(event);
  }

  crash() {
    const { run, view, lanes, pen, colours } = this;
    if (!run.crash || !run.hasTimes) return;
    const x = view.x(run.crash.time);
    if (x < this.left - 40 || x > this.right + 40) return;
    const y = this.middle(lanes.crashLane);
    const bottom = Math.min(this.size.height, lanes.height - this.scroll + axisHeight);
    drawCrash(pen, colours, x, Math.max(y, axisHeight + 14), axisHeight, bottom);
    const word = (run.facts.crash ?? "crash").split(/[ :]/)[0];
    pen.font = "700 11px system-ui, sans-serif";
    const wide = pen.measureText(word).width + 12;
    const from = x + wide + 4 > this.right ? x - wide : x;
    pen.fillStyle = colours.crash;
    pen.fillRect(from, axisHeight, wide, 17);
    pen.fillStyle = colours.onMark;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(word, from + 6, axisHeight + 9);
  }

  /** Where the pointer is, and where what is selected. */
  lines() {
    const { pen, colours } = this;
    if (this.isPrint) return;
    if (state.hoverX >= this.left) {
      pen.fillStyle = colours.strong;
      pen.fillRect(Math.round(state.hoverX), axisHeight, 1, this.size.height);
    }
    const time = this.selection && modules.select.timeOf(this.selection);
    if (time === undefined || time === null) return;
    pen.setLineDash([4, 3]);
    pen.strokeStyle = colours.select;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(this.view.x(time), axisHeight);
    pen.lineTo(this.view.x(time), this.size.height);
    pen.stroke();
    pen.setLineDash([]);
  }

  /** A ring around what is selected, in each lane that shows it. */
  rings() {
    const { pen, colours, view, run, lanes, selection } = this;
    if (!selection || this.isPrint) return;
    const { event, isCrash } = selection;
    if (event === undefined && !isCrash) return;
    const shown = isCrash
      ? [lanes.crashLane]
      : [lanes.queueLane.get(run.queueOf(event)), lanes.threadLane.get(run.threadOf(event))];
    for (const lane of shown) {
      if (!lane) continue;
      // Once more, above its neighbours.
      if (event !== undefined && run.kind[event] !== UI_WORK)
        this.mark(event, this.line(lane, event));
      pen.lineWidth = 2.5;
      pen.strokeStyle = colours.select;
      pen.beginPath();
      pen.arc(
        view.x(modules.select.timeOf(selection)),
        event === undefined ? this.middle(lane) : this.line(lane, event),
        14,
        0,
        2 * Math.PI,
      );
      pen.stroke();
    }
  }
}

return { Plot };
