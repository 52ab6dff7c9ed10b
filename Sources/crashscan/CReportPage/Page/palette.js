// ---- Palette: Okabe and Ito's colours, which those who see few colours tell apart.

const palettes = {
  light: {
    ground: "#ffffff",
    lane: "#f7f8fa",
    line: "#e3e6ea",
    strong: "#c3c9d1",
    text: "#1b2027",
    quiet: "#59636f",
    note: "#7b8794",
    warning: "#b07500",
    lifecycle: "#a2487a",
    work: "#0072b2",
    offWork: "#d55e00",
    violation: "#d55e00",
    hop: "#00805d",
    task: "#3a8fc4",
    hang: "#d99500",
    error: "#a33c00",
    crash: "#b3001e",
    active: "#e9f5f0",
    background: "#f2e8ef",
    stripe: "#dcc6d4",
    onMark: "#ffffff",
    select: "#1b2027",
    hit: "#8a6d00",
    hitFill: "#ffe98a",
    main: "#eef4fa",
    mainBar: "#0072b2",
  },
  dark: {
    ground: "#14171c",
    lane: "#191d23",
    line: "#2a3038",
    strong: "#454e5a",
    text: "#e8ebef",
    quiet: "#9aa5b1",
    note: "#8794a3",
    warning: "#e69f00",
    lifecycle: "#dd94b8",
    work: "#56b4e9",
    offWork: "#f07a2b",
    violation: "#f07a2b",
    hop: "#2fbf94",
    task: "#7cc4ee",
    hang: "#f0b429",
    error: "#ff8a50",
    crash: "#ff5a6e",
    active: "#16241f",
    background: "#281d26",
    stripe: "#47303f",
    onMark: "#14171c",
    select: "#ffffff",
    hit: "#f0e442",
    hitFill: "#5d5610",
    main: "#182430",
    mainBar: "#56b4e9",
  },
};

/** The scheme in force: what the person chose, else the system's. */
function schemeNow() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

const paletteNow = () => palettes[schemeNow()];

const hatchings = new Map();

/** A pattern of slanted lines: for what a colour alone would not say to everybody. */
function hatching(pen, line, ground, distance) {
  const key = `${line} ${ground} ${distance}`;
  if (!hatchings.has(key)) hatchings.set(key, slanted(pen, line, ground, distance));
  return hatchings.get(key);
}

function slanted(pen, line, ground, distance) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = distance * 2;
  const inner = tile.getContext("2d");
  inner.fillStyle = ground;
  inner.fillRect(0, 0, tile.width, tile.height);
  inner.strokeStyle = line;
  inner.lineWidth = 2;
  for (let at = -tile.width; at <= tile.width * 2; at += distance) {
    inner.beginPath();
    inner.moveTo(at, tile.height);
    inner.lineTo(at + tile.height, 0);
    inner.stroke();
  }
  return pen.createPattern(tile, "repeat");
}

return { hatching, paletteNow, palettes };
