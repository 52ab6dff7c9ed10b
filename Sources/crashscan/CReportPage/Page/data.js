// ---- Data: the recordings as columns.

const { fileName, visible } = modules.format;

const kinds = [
  "note",
  "lifecycle",
  "ui-work",
  "violation",
  "hop",
  "background-task",
  "hang",
  "error",
];
const kindOf = Object.fromEntries(kinds.map((name, number) => [name, number]));
const kindWords = {
  note: "note",
  lifecycle: "lifecycle",
  "ui-work": "UI work",
  violation: "violation",
  hop: "hop",
  "background-task": "background task",
  hang: "hang",
  error: "error",
};
const mainLabel = "com.apple.main-thread";
const [NOTE, LIFECYCLE, UI_WORK, VIOLATION, HOP, TASK, HANG, ERROR] = kinds.keys();

/** One recording: its events in typed columns, its lanes, and what was found in it. */
class Run {
  constructor(source, number) {
    this.number = number;
    this.identity = source.identity;
    this.facts = source.recording;
    this.counts = source.counts;
    /** Whether another tool wrote it: it may tell of one moment only. */
    this.isReport = this.facts.format !== "breadcrumbs";
    this.name = visible(fileName(this.facts.executable || this.facts.path) || "a recording");
    this.timeline = source.timeline;
    this.count = 0;
    this.decoded = false;
  }

  /** Decodes the columns when the recording is first looked at. */
  decode() {
    if (this.decoded) return this;
    this.decoded = true;
    const from = this.timeline ?? emptyTimeline;
    this.texts = from.texts.map(visible);
    this.count = from.time.length;
    this.readTimes(from);
    this.place = Uint32Array.from(from.place);
    this.sort = Uint32Array.from(from.sort);
    this.text = Uint32Array.from(from.text);
    this.data = from.data;
    this.places = from.places;
    this.sorts = from.sorts.map(([kind, level, category, marks]) => ({
      kind: kindOf[kind] ?? NOTE,
      level,
      category: this.texts[category],
      isCut: (marks & 1) > 0,
      isInterrupting: (marks & 2) > 0,
    }));
    this.kind = Uint8Array.from(this.sort, (sort) => this.sorts[sort].kind);
    this.frames = from.frames.map(([name, module, file, line, role, isInlined]) => ({
      name: visible(name),
      module: visible(module),
      file: visible(file),
      line,
      role,
      isInlined,
    }));
    this.stacks = from.stacks;
    this.stackAt = new Map(from.stackAt.map((event, place) => [event, from.stack[place]]));
    this.threads = new Map(
      from.threads.map(([ordinal, id, name]) => [ordinal, { id, name: visible(name) }]),
    );
    this.queues = from.queues.map(([serial, label]) => ({ serial, label: visible(label) }));
    this.mainQueue = this.queues.findIndex(({ label }) => label === mainLabel) + 1;
    this.crash = from.crash;
    this.occurrences = from.occurrences;
    this.joinHops(from);
    this.joinTasks();
    this.readPhases();
    return this;
  }

  readTimes(from) {
    this.time = new Float64Array(this.count);
    let now = 0;
    for (let at = 0; at < this.count; at += 1) this.time[at] = now += from.time[at];
    this.base = Number(BigInt(from.base) / 1000n) / 1000;
    this.start = 0;
    this.end = Math.max(now, this.timeline?.crash?.time ?? 0);
    // A report that tells one moment only has no course to be drawn.
    this.hasTimes = this.end > 0 && this.count > 0;
    // Of these only the place in the order is told.
    this.untimed = new Set(from.untimed);
    if (this.count > 0 && this.time[0] > 0.98 * this.end) this.start = this.time[0];
  }

  /** Ties arrivals to runs by their numbers. */
  joinHops(from) {
    this.hopOf = new Map();
    this.hops = [];
    const open = new Map();
    from.hopAt.forEach((event, at) => {
      if (this.kind[event] !== HOP) return;
      const id = from.hop[at];
      const word = this.message(event);
      if (word === "arrival") {
        const hop = { number: this.hops.length, arrival: event, run: -1, isDropped: false };
        this.hops.push(hop);
        open.set(id, hop);
        this.hopOf.set(event, hop);
        return;
      }
      let hop = open.get(id);
      if (!hop)
        this.hops.push(
          (hop = { number: this.hops.length, arrival: -1, run: -1, isDropped: false }),
        );
      open.delete(id);
      hop.run = event;
      hop.isDropped = word === "drop";
      this.hopOf.set(event, hop);
    });
  }

  /** Ties the beginnings of background tasks to their ends. */
  joinTasks() {
    this.tasks = [];
    const open = new Map();
    for (let event = 0; event < this.count; event += 1) {
      if (this.kind[event] !== TASK) continue;
      const data = this.values(event);
      const step = data.find(([key]) => key === "step")?.[1];
      const id = data.find(([key]) => key === "task")?.[1];
      let task = open.get(id);
      if (step === "begin" || !task) {
        task = { begin: event, end: -1, expired: -1, name: this.message(event) };
        this.tasks.push(task);
        open.set(id, task);
      }
      if (step === "expired") task.expired = event;
      if (step === "end") {
        task.end = event;
        open.delete(id);
      }
    }
  }

  /** The stretches of the process's life: in the foreground, in the background, not known. */
  readPhases() {
    this.phases = [];
    let phase = "unknown";
    let since = this.start;
    const enter = (next, when) => {
      if (next === phase) return;
      if (when > since) this.phases.push({ phase, from: since, to: when });
      [phase, since] = [next, when];
    };
    for (let event = 0; event < this.count; event += 1) {
      if (this.kind[event] !== LIFECYCLE) continue;
      const message = this.message(event);
      if (message === "did enter background") enter("background", this.time[event]);
      if (message === "did become active" || message === "will enter foreground")
        enter("active", this.time[event]);
    }
    enter("", this.end);
    if (phase && since < this.end) this.phases.push({ phase, from: since, to: this.end });
  }

  // ---- What one event tells.

  /** Whether there is an event of a kind, and if `onMain` is given, so placed. */
  has(kind, onMain) {
    return this.kind.some(
      (it, event) => it === kind && (onMain === undefined || this.onMain(event) === onMain),
    );
  }

  message(event) {
    return this.texts[this.text[event]];
  }
  traits(event) {
    return this.sorts[this.sort[event]];
  }
  threadOf(event) {
    return this.places[this.place[event]][0];
  }
  /** The queue's number; a hang, which the watching thread records, belongs to the hung queue. */
  queueOf(event) {
    return this.places[this.place[event]][1] || (this.kind[event] === HANG ? this.hungQueue(event) : 0);
  }
  /** The number of the queue that hangs; 0 for a pool, an actor or an event loop. */
  hungQueue(event) {
    const { category } = this.traits(event);
    if (category === "queue") {
      const name = this.values(event).find(([key]) => key === "name")?.[1];
      return this.queues.findIndex(({ label }) => label === name) + 1;
    }
    return ["pool", "actor", "loop"].includes(category) ? 0 : this.mainQueue;
  }
  onMain(event) {
    return this.places[this.place[event]][2];
  }

  /** The data's keys and values, as texts and numbers. */
  values(event) {
    const row = this.data[event];
    if (!row) return [];
    return this.timeline.shapes[row[0]].map(([key, type], place) => {
      const value = row[place + 1];
      if (type === "s") return [this.texts[key], this.texts[value]];
      return [
        this.texts[key],
        type === "b"
          ? value === 1
          : type === "i" && typeof value === "string"
            ? BigInt(value)
            : Number.isNaN(+value)
              ? value
              : +value,
      ];
    });
  }

  /** How long the work took that an event ended; 0 where it says nothing of that. */
  duration(event) {
    const row = this.data[event];
    if (!row) return 0;
    const [word, unit] = this.kind[event] === HANG ? ["milliseconds", 1e6] : ["nanoseconds", 1];
    const place = this.timeline.shapes[row[0]].findIndex(([key]) => this.texts[key] === word);
    return place < 0 ? 0 : Math.max(0, Number(row[place + 1]) || 0) * unit;
  }

  stack(event) {
    return (this.stacks[this.stackAt.get(event)] ?? []).map((frame) => this.frames[frame]);
  }

  threadName(ordinal) {
    const thread = this.threads.get(ordinal);
    if (ordinal === 0xffffffff) return "an unknown thread";
    return thread?.name ? `thread ${ordinal} “${thread.name}”` : `thread ${ordinal}`;
  }

  queueName(number) {
    if (!number) return "";
    const label = this.queues[number - 1]?.label ?? "";
    return label === mainLabel ? "main queue" : label || "a queue without a label";
  }

  /** The time of day of a moment; nothing for a report without one. */
  wall(time) {
    return this.base ? this.base + time / 1e6 : 0;
  }

  /** The moment of a time of day in nanoseconds, as text. */
  momentOf(wall) {
    return this.base ? (Number(BigInt(wall) / 1000n) / 1000 - this.base) * 1e6 : 0;
  }
}

const emptyTimeline = {
  seen: 0,
  left: 0,
  base: "0",
  untimed: [],
  time: [],
  place: [],
  sort: [],
  text: [],
  data: [],
  hopAt: [],
  hop: [],
  stackAt: [],
  stack: [],
  stacks: [],
  crash: null,
  places: [],
  sorts: [],
  shapes: [],
  frames: [],
  texts: [],
  threads: [],
  queues: [],
  occurrences: {},
  recycled: 0,
  dropped: 0,
};

/** The first place in `list` whose time is not before `time`. */
function firstAt(list, times, time, from = 0, to = list.length) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[list[middle]] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

return {
  ERROR,
  HANG,
  HOP,
  LIFECYCLE,
  NOTE,
  Run,
  TASK,
  UI_WORK,
  VIOLATION,
  firstAt,
  kindWords,
  kinds,
  mainLabel,
};
