// ---- Pointer: the wheel zooms, a drag pans, a click selects.

const { state } = modules.state;
const { byId, make, moment, span } = modules.format;
const { NOTE, VIOLATION, firstAt, kindWords, kinds } = modules.data;
const { margins } = modules.view;
const { axisHeight } = modules.ground;

const pointer = {
  begin() {
    const plot = byId("plot");
    plot.addEventListener("wheel", (happening) => this.wheel(happening), { passive: false });
    plot.addEventListener("pointerdown", (happening) => this.down(happening));
    plot.addEventListener("pointermove", (happening) => this.move(happening));
    plot.addEventListener("pointerup", (happening) => this.up(happening));
    plot.addEventListener("pointercancel", () => {
      this.drag = undefined;
    });
    plot.addEventListener("pointerleave", () => this.leave());
    plot.addEventListener("dblclick", (happening) => {
      const [x] = this.place(happening);
      if (x > margins.labels)
        state.view.glide(state.view.time(x) - this.quarter(), state.view.time(x) + this.quarter());
    });
    plot.addEventListener("scroll", () => modules.main.redraw());
  },

  quarter() {
    return (state.view.to - state.view.from) / 8;
  },

  place(happening) {
    const box = byId("plot").getBoundingClientRect();
    return [happening.clientX - box.left, happening.clientY - box.top];
  },

  /** Over the lanes' names, and with Alt, the wheel scrolls; sideways, and with Shift, it pans. */
  wheel(happening) {
    const [x] = this.place(happening);
    if (x < margins.labels || happening.altKey) return;
    happening.preventDefault();
    const unit = happening.deltaMode === 1 ? 16 : 1;
    const [sideways, along] = [happening.deltaX * unit, happening.deltaY * unit];
    if (happening.shiftKey || Math.abs(sideways) > Math.abs(along)) {
      state.view.pan((Math.abs(sideways) > Math.abs(along) ? sideways : along) / 800);
    } else {
      state.view.zoom(Math.exp(Math.max(-240, Math.min(240, along)) * 0.0022), state.view.time(x));
    }
  },

  down(happening) {
    if (happening.button !== 0) return;
    const [x, y] = this.place(happening);
    if (x > byId("plot").clientWidth) return;
    this.drag = {
      x,
      y,
      from: state.view.from,
      to: state.view.to,
      scroll: byId("plot").scrollTop,
      isMoved: false,
    };
    byId("plot").setPointerCapture(happening.pointerId);
  },

  move(happening) {
    const [x, y] = this.place(happening);
    if (this.drag) {
      const { drag } = this;
      if (!drag.isMoved && Math.hypot(x - drag.x, y - drag.y) < 4) return;
      drag.isMoved = true;
      byId("plot").classList.add("grabbed");
      const by = (drag.x - x) / state.view.scale;
      state.view.set(drag.from + by, drag.to + by);
      byId("plot").scrollTop = drag.scroll + drag.y - y;
      return;
    }
    state.hoverX = x;
    const hit = this.hit(x, y);
    byId("plot").classList.toggle("pointing", hit !== undefined);
    this.tip(hit, x, y);
    modules.main.redraw();
  },

  up(happening) {
    const { drag } = this;
    this.drag = undefined;
    byId("plot").classList.remove("grabbed");
    if (!drag || drag.isMoved) return;
    const [x, y] = this.place(happening);
    const hit = this.hit(x, y);
    if (hit) modules.select.select(hit, { isQuiet: true });
  },

  leave() {
    state.hoverX = undefined;
    byId("tip").hidden = true;
    modules.main.redraw();
  },

  /** What lies at a point: the crash, then what matters most of what is near. */
  hit(x, y) {
    const { run, lanes, view } = state;
    if (x < margins.labels || y < axisHeight || !run.hasTimes) return undefined;
    const lane = lanes.at(y - axisHeight + byId("plot").scrollTop);
    if (
      run.crash &&
      Math.abs(view.x(run.crash.time) - x) < 7 &&
      (!lane || lane === lanes.crashLane || y < axisHeight + 17)
    )
      return { isCrash: true };
    if (!lane || lane.kind === "section") return undefined;
    const nearest = this.nearest(lane.major, x, 10) ?? this.nearest(lane.minor, x, 7);
    if (nearest !== undefined) return { event: nearest };
    let found;
    lane.bars.within(view.time(x - 2), view.time(x + 2), (at) => {
      found = lane.bars.items[at];
    });
    lane.tasks?.within(view.time(x), view.time(x), (at) => {
      found ??= lane.tasks.items[at].begin;
    });
    return found === undefined ? undefined : { event: found };
  },

  nearest(list, x, room) {
    const { run, view } = state;
    const low = firstAt(list, run.time, view.time(x - room));
    const high = firstAt(list, run.time, view.time(x + room), low);
    let best;
    let distance = Infinity;
    const middle = firstAt(list, run.time, view.time(x), low, high);
    for (let at = Math.max(low, middle - 40); at < Math.min(high, middle + 40); at += 1) {
      const away =
        Math.abs(view.x(run.time[list[at]]) - x) - (run.kind[list[at]] === VIOLATION ? 5 : 0);
      if (away < distance) [best, distance] = [list[at], away];
    }
    return best;
  },

  tip(hit, x, y) {
    const tip = byId("tip");
    tip.hidden = hit === undefined;
    if (!hit) return;
    const { run } = state;
    tip.replaceChildren(
      ...(hit.isCrash
        ? [
            make("b", { text: run.facts.crash ?? "crash" }),
            make("span", { text: moment(run.crash.time) }),
          ]
        : describeShort(hit.event)),
    );
    const stage = byId("stage").getBoundingClientRect();
    const plot = byId("plot").getBoundingClientRect();
    const isRight = x > plot.width - 300;
    tip.style.left = `${x + (isRight ? -14 - tip.offsetWidth : 14)}px`;
    const top = Math.max(0, Math.min(y + 16, plot.height - tip.offsetHeight - 4));
    tip.style.top = `${top + plot.top - stage.top}px`;
  },
};

/** An event in a few lines. */
function describeShort(event) {
  const { run } = state;
  const traits = run.traits(event);
  const word =
    traits.kind === NOTE && traits.category ? traits.category : kindWords[kinds[traits.kind]];
  const took = run.duration(event);
  return [
    make("b", { text: `${word}: ${run.message(event).slice(0, 160)}` }),
    make("span", {
      text: [
        moment(run.time[event]),
        took ? `took ${span(took)}` : "",
        run.queueName(run.queueOf(event)),
        run.threadName(run.threadOf(event)),
      ]
        .filter(Boolean)
        .join(" · "),
    }),
    make("span", {
      text: run
        .values(event)
        .slice(0, 4)
        .map(([key, value]) => `${key}=${String(value).slice(0, 40)}`)
        .join("  "),
    }),
  ];
}

return { pointer };
