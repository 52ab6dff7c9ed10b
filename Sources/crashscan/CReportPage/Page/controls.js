// ---- Controls: the buttons and fields around the timeline.

const { state } = modules.state;
const { byId, say } = modules.format;
const { showFilterPanel } = modules.filter;
const { showLegend } = modules.marks;
const { select } = modules.select;
const { showFindings } = modules.findings;
const { showTable } = modules.table;
const { search, stepHit } = modules.search;

const themes = ["", "light", "dark"];

function showTheme() {
  byId("theme").textContent = `Theme: ${document.documentElement.dataset.theme || "system"}`;
  if (!state.run) return;
  showLegend();
  modules.main.redraw();
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  try {
    localStorage.setItem("crashscan-theme", theme);
  } catch {
    /* Some browsers keep nothing for pages from disk. */
  }
  showTheme();
}

function nextTheme() {
  setTheme(
    themes[(themes.indexOf(document.documentElement.dataset.theme ?? "") + 1) % themes.length],
  );
}

function toggleFilter(isOpen = byId("filter-panel").hidden) {
  byId("filter-panel").hidden = !isOpen;
  byId("filter").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) {
    showFilterPanel();
    byId("filter-panel").querySelector("input, button")?.focus();
  } else byId("filter").focus();
  modules.main.measure();
}

function toggleTable() {
  state.isTable = !state.isTable;
  state.page = undefined;
  showTable();
  modules.main.measure();
  say(state.isTable ? "The crumbs as a table" : "The crumbs as a timeline");
}

function beginControls() {
  try {
    const known = localStorage.getItem("crashscan-theme");
    if (themes.includes(known)) setTheme(known);
  } catch {
    /* As above. */
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  on("theme", "click", nextTheme);
  on("zoom-in", "click", () => state.view.zoom(0.6));
  on("zoom-out", "click", () => state.view.zoom(1 / 0.6));
  on("zoom-all", "click", () => state.view.whole());
  on("lanes", "change", () => {
    state.which = byId("lanes").value;
    modules.main.layOutLanes();
  });
  on("rule", "change", () => {
    state.rule = byId("rule").value;
    showFindings();
  });
  on("run", "change", () => {
    modules.main.openRun(state.runs[byId("run").selectedIndex]);
    select(undefined);
  });
  on("filter", "click", () => toggleFilter());
  on("as-table", "click", toggleTable);
  on("keys", "click", () => byId("key-sheet").showModal());
  on("search", "input", search);
  on("hit-before", "click", () => stepHit(-1));
  on("hit-after", "click", () => stepHit(1));
  on("search", "keydown", (happening) => {
    if (happening.key === "Enter") stepHit(happening.shiftKey ? -1 : 1);
    if (happening.key !== "Escape") return;
    byId("search").value = "";
    search();
    byId("plot").focus();
  });
}

return { beginControls, nextTheme, showTheme, toggleFilter, toggleTable };
