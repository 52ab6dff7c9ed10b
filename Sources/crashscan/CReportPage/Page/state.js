// ---- State: what the page shows, which all of it looks at.

const state = {
  runs: [],
  run: undefined,
  findings: [],
  rules: {},
  excerpts: new Map(),
  filter: undefined,
  view: undefined,
  lanes: undefined,
  which: "both",
  selection: undefined,
  lane: undefined,
  rule: "",
  hits: null,
  hitList: null,
  hitAt: -1,
  hoverX: undefined,
  isTable: false,
  page: undefined,
};

return { state };
