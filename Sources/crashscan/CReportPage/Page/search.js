// ---- Search: in messages, categories, data, queues, threads and the functions of stacks.

const { state } = modules.state;
const { byId, counted, grouped } = modules.format;
const { kindWords, kinds } = modules.data;
const { select } = modules.select;
const { rowsOfPage, showTable } = modules.table;

/** Finds every shown event that has `wanted` somewhere in it. */
function find(wanted) {
  const { run, lanes } = state;
  const word = wanted.trim().toLowerCase();
  if (!word) return null;
  const has = (text) => text.toLowerCase().includes(word);
  const texts = run.texts.map(has);
  const sorts = run.sorts.map(
    (sort) => has(sort.category) || has(kindWords[kinds[sort.kind]]) || has(sort.level),
  );
  const places = run.places.map(
    ([thread, queue]) => has(run.threadName(thread)) || has(run.queueName(queue)),
  );
  const frames = run.frames.map((frame) => has(frame.name) || has(frame.file));
  const stacks = run.stacks.map((stack) => stack.some((frame) => frames[frame]));
  const inData = (event) => {
    const row = run.data[event];
    return (
      row &&
      run.timeline.shapes[row[0]].some(
        ([key, type], at) =>
          texts[key] || (type === "s" ? texts[row[at + 1]] : String(row[at + 1]).includes(word)),
      )
    );
  };
  return lanes.shown.filter(
    (event) =>
      texts[run.text[event]] ||
      sorts[run.sort[event]] ||
      places[run.place[event]] ||
      inData(event) ||
      stacks[run.stackAt.get(event)],
  );
}

function search() {
  const found = find(byId("search").value);
  state.hitList = found;
  state.hits = found ? new Set(found) : null;
  state.hitAt = -1;
  state.page = state.isTable ? 0 : undefined;
  showHits();
  showTable();
  modules.main.redraw();
}

function showHits() {
  const { hitList, hitAt } = state;
  byId("hits").textContent = !hitList
    ? ""
    : !hitList.length
      ? "no hits"
      : hitAt < 0
        ? counted(hitList.length, "hit")
        : `${grouped(hitAt + 1)} of ${grouped(hitList.length)}`;
  for (const id of ["hit-before", "hit-after"]) byId(id).hidden = !hitList?.length;
}

function stepHit(by) {
  const { hitList } = state;
  if (!hitList?.length) return;
  if (state.hitAt < 0) {
    const first = hitList.findIndex((event) => state.run.time[event] >= state.view.from);
    state.hitAt = by > 0 ? Math.max(0, first) : hitList.length - 1;
  } else {
    state.hitAt = (state.hitAt + by + hitList.length) % hitList.length;
  }
  if (state.isTable) {
    state.page = Math.floor(state.hitAt / rowsOfPage);
    showTable();
  }
  select({ event: hitList[state.hitAt] });
  showHits();
}

return { search, showHits, stepHit };
