// ---- Lanes: one for the process's life, one for each queue, one for each thread.

const { counted, visible } = modules.format;
const { ERROR, HANG, LIFECYCLE, TASK, UI_WORK, VIOLATION, mainLabel } = modules.data;

const laneHeight = 26;
const mainHeight = 40;
const sectionHeight = 24;

/** A row of the timeline with the events that belong to it, in the order of time. */
class Lane {
  constructor(kind, id, label, note) {
    Object.assign(this, {
      kind,
      id,
      label,
      note,
      isMain: false,
      y: 0,
      height: laneHeight,
      size: 0,
    });
  }

  /** Sorts its events into what is drawn how. */
  fill(run, events) {
    this.events = events;
    this.minor = events.filter((event) => !isMajor(run, event) && run.kind[event] !== UI_WORK);
    this.major = events.filter((event) => isMajor(run, event));
    const bars = events.filter((event) => run.kind[event] === UI_WORK || run.kind[event] === HANG);
    this.bars = new Bars(bars, (event) => [run.time[event] - run.duration(event), run.time[event]]);
  }
}

/** Stretches of time, to be found by the window that they reach into. */
class Bars {
  constructor(items, ends) {
    const all = Array.from(items, (item) => [item, ...ends(item)]).sort(
      (one, other) => one[1] - other[1],
    );
    this.items = all.map(([item]) => item);
    this.from = Float64Array.from(all, ([, from]) => from);
    this.to = Float64Array.from(all, ([, , to]) => to);
    let reach = -Infinity;
    this.reach = Float64Array.from(this.to, (to) => (reach = Math.max(reach, to)));
  }

  /** Calls `see` with the place of each one that reaches into the window. */
  within(from, to, see) {
    let [low, high] = [0, this.reach.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.reach[middle] < from) low = middle + 1;
      else high = middle;
    }
    for (; low < this.from.length && this.from[low] <= to; low += 1) {
      if (this.to[low] >= from) see(low);
    }
  }
}

/** Whether an event is drawn by itself however far the view is zoomed out. */
function isMajor(run, event) {
  const kind = run.kind[event];
  return kind === VIOLATION || kind === ERROR || kind === HANG || kind === LIFECYCLE;
}

/** The lanes of a recording, as the filter leaves them, and where each one lies. */
class Lanes {
  constructor(run, filter, which) {
    this.run = run;
    this.passes = filter.passing(run);
    this.all = [this.life(), ...this.queueLanes(which), ...this.threadLanes(which)].filter(
      (lane) => lane.kind === "section" || lane.kind === "life" || lane.size > 0 || lane.isMain,
    );
    this.all = this.all.filter(
      (lane, at) => lane.kind !== "section" || (this.all[at + 1] ?? lane).kind !== "section",
    );
    this.layOut();
    this.joinHops();
  }

  layOut() {
    let y = 0;
    for (const lane of this.all) {
      lane.y = y;
      y += lane.height;
    }
    this.height = y;
    this.queueLane = new Map(
      this.all
        .filter((lane) => lane.kind === "queue")
        .flatMap((lane) => lane.ids.map((id) => [id, lane])),
    );
    this.threadLane = new Map(
      this.all.filter((lane) => lane.kind === "thread").map((lane) => [lane.id, lane]),
    );
  }

  life() {
    const lane = new Lane("life", 0, "lifecycle", "");
    const { run } = this;
    const shown = this.passes.events(run);
    lane.fill(
      run,
      shown.filter((event) => run.kind[event] === LIFECYCLE || run.kind[event] === TASK),
    );
    lane.tasks = new Bars(
      run.tasks.filter((task) => this.passes.test(run, task.begin)),
      (task) => [run.time[task.begin], task.end < 0 ? run.end : run.time[task.end]],
    );
    this.shown = shown;
    this.violations = shown.filter((event) => run.kind[event] === VIOLATION);
    lane.size = lane.events.length;
    lane.height = 34 + 15 * Math.min(3, this.stackTasks(lane.tasks));
    return lane;
  }

  /** Gives each task a row in which no other one is at that time; how many rows there are. */
  stackTasks(tasks) {
    const ends = [];
    tasks.row = tasks.items.map((task, at) => {
      let row = ends.findIndex((end) => end < tasks.from[at]);
      if (row < 0) row = ends.length;
      ends[row] = tasks.to[at];
      return row;
    });
    return ends.length;
  }

  section(label, count) {
    const lane = new Lane("section", label, label, counted(count, "lane"));
    lane.height = sectionHeight;
    return lane;
  }

  queueLanes(which) {
    if (which === "threads") return [];
    const { run } = this;
    const byKey = new Map();
    const keyOf = (number) => (run.queues.length > 200 ? run.queueName(number) : number);
    for (let number = 1; number <= run.queues.length; number += 1) {
      const key = keyOf(number);
      const known = byKey.get(key);
      if (known) {
        known.ids.push(number);
        continue;
      }
      const lane = new Lane(
        "queue",
        number,
        run.queueName(number),
        `queue ${run.queues[number - 1].serial}`,
      );
      lane.ids = [number];
      lane.isMain = run.queues[number - 1].label === mainLabel;
      if (lane.isMain) lane.height = mainHeight;
      byKey.set(key, lane);
    }
    this.fillAll(
      [...byKey.values()],
      (lane) => lane.ids,
      (event) => run.queueOf(event),
    );
    const lanes = [...byKey.values()].sort((one, other) => other.isMain - one.isMain);
    return lanes.length ? [this.section("Queues", lanes.length), ...lanes] : [];
  }

  threadLanes(which) {
    if (which === "queues") return [];
    const { run } = this;
    const ordinals = new Set(run.places.map(([thread]) => thread));
    if (run.crash?.thread != null) ordinals.add(run.crash.thread);
    const lanes = [...ordinals]
      .sort((one, other) => one - other)
      .map((ordinal) => {
        const thread = run.threads.get(ordinal);
        const lane = new Lane(
          "thread",
          ordinal,
          run.threadName(ordinal),
          thread?.id ? `id ${thread.id}` : "",
        );
        if (run.crash?.thread === ordinal) lane.size = 1;
        return lane;
      });
    this.fillAll(
      lanes,
      (lane) => [lane.id],
      (event) => run.threadOf(event),
    );
    return lanes.length ? [this.section("Threads", lanes.length), ...lanes] : [];
  }

  /** Gives each lane the shown events whose key is one of its own. */
  fillAll(lanes, keys, keyOf) {
    const { run, shown } = this;
    const laneOf = new Map(lanes.flatMap((lane) => keys(lane).map((key) => [key, lane])));
    const found = new Map(lanes.map((lane) => [lane, []]));
    for (const event of shown) {
      const lane = laneOf.get(keyOf(event));
      if (lane) found.get(lane).push(event);
    }
    for (const [lane, events] of found) {
      lane.fill(run, Uint32Array.from(events));
      lane.size = Math.max(lane.size, events.length);
    }
  }

  /** The hops that both ends of are shown, by when they began. */
  joinHops() {
    const { run } = this;
    const whole = run.hops.filter(
      (hop) =>
        hop.arrival >= 0 &&
        hop.run >= 0 &&
        this.passes.test(run, hop.arrival) &&
        this.passes.test(run, hop.run),
    );
    this.hops = new Bars(whole, (hop) => [run.time[hop.arrival], run.time[hop.run]]);
  }

  /** The lane in which an event is looked for first: its queue's, else its thread's. */
  laneOf(event) {
    return (
      this.queueLane.get(this.run.queueOf(event)) ??
      this.threadLane.get(this.run.threadOf(event)) ??
      this.all[0]
    );
  }

  /** The lane of the crash. */
  get crashLane() {
    const { crash } = this.run;
    const queue = crash.threads[0]?.queue;
    const number = queue
      ? this.run.queues.findIndex((known) => known.label === visible(queue)) + 1
      : 0;
    return this.queueLane.get(number) ?? this.threadLane.get(crash.thread) ?? this.all[0];
  }

  at(y) {
    return this.all.find((lane) => y >= lane.y && y < lane.y + lane.height);
  }
}

return { Lanes, laneHeight };
