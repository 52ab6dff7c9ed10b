// ---- Filter: which events are shown.

const { state } = modules.state;
const { byId, counted, grouped, make, say } = modules.format;
const { NOTE, kindWords, kinds } = modules.data;

/** What was switched off, by kind, category, thread and queue. */
class Filter {
  constructor() {
    this.clear();
  }

  clear() {
    this.hidden = { kind: new Set(), category: new Set(), thread: new Set(), queue: new Set() };
  }

  get size() {
    return Object.values(this.hidden).reduce((sum, set) => sum + set.size, 0);
  }

  /** Which sorts and places of a recording pass; events are asked through these alone. */
  passing(run) {
    const { kind, category, thread, queue } = this.hidden;
    const sorts = run.sorts.map(
      (sort) => !kind.has(sort.kind) && !(sort.kind === NOTE && category.has(sort.category)),
    );
    const places = run.places.map(([ordinal]) => !thread.has(ordinal));
    const test = (of, event) =>
      sorts[of.sort[event]] && places[of.place[event]] && !queue.has(of.queueOf(event));
    return {
      test,
      events: (of) => {
        const events = [];
        for (let event = 0; event < of.count; event += 1) {
          if (test(of, event)) events.push(event);
        }
        return Uint32Array.from(events);
      },
    };
  }
}

/** Builds the panel in which parts are switched off and on. */
function showFilterPanel() {
  const { run, filter } = state;
  const countBy = (keyOf) => {
    const counts = new Map();
    for (let event = 0; event < run.count; event += 1) {
      const key = keyOf(event);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  };
  const group = (title, part, counts, nameOf) => {
    const keys = [...counts.keys()];
    if (!keys.length) return undefined;
    const boxes = keys.slice(0, 500).map((key) =>
      make(
        "label",
        {},
        make("input", {
          type: "checkbox",
          checked: !filter.hidden[part].has(key),
          onchange: (happening) => {
            if (happening.target.checked) filter.hidden[part].delete(key);
            else filter.hidden[part].add(key);
            filterChanged();
          },
        }),
        make("span", { class: "chosen", text: nameOf(key) }),
        make("span", { class: "count", text: grouped(counts.get(key)) }),
      ),
    );
    const all = (isOn) => () => {
      filter.hidden[part] = new Set(isOn ? [] : keys);
      filterChanged();
      showFilterPanel();
    };
    return make(
      "fieldset",
      { "data-part": part },
      make("legend", { text: title }),
      make(
        "div",
        { class: "all" },
        make("button", {
          type: "button",
          text: "all",
          "aria-label": `${title}: all`,
          onclick: all(true),
        }),
        make("button", {
          type: "button",
          text: "none",
          "aria-label": `${title}: none`,
          onclick: all(false),
        }),
      ),
      make(
        "div",
        {
          class: "boxes",
          tabIndex: keys.length > 8 ? 0 : undefined,
          role: "group",
          "aria-label": title,
        },
        boxes,
      ),
    );
  };
  const byName = (one, other) => String(one[0]).localeCompare(String(other[0]));
  const categories = new Map(
    [
      ...countBy((event) => (run.kind[event] === NOTE ? run.traits(event).category : undefined)),
    ].sort(byName),
  );
  byId("filter-panel").replaceChildren(
    group(
      "Kinds",
      "kind",
      countBy((event) => run.kind[event]),
      (kind) => kindWords[kinds[kind]],
    ) ?? "",
    group("Categories of notes", "category", categories, (category) => category || "(none)") ?? "",
    group(
      "Queues",
      "queue",
      countBy((event) => run.queueOf(event)),
      (number) => run.queueName(number) || "(no queue)",
    ) ?? "",
    group(
      "Threads",
      "thread",
      countBy((event) => run.threadOf(event)),
      (ordinal) => run.threadName(ordinal),
    ) ?? "",
    make(
      "div",
      { class: "last" },
      make("button", {
        type: "button",
        text: "Show everything",
        onclick: () => {
          filter.clear();
          filterChanged();
          showFilterPanel();
        },
      }),
    ),
  );
}

function filterChanged() {
  byId("filter-count").textContent = state.filter.size ? ` (${state.filter.size})` : "";
  modules.main.layOutLanes();
  say(`${counted(state.lanes.shown.length, "crumb")} shown`);
}

return { Filter, showFilterPanel };
