// The page itself: what is filtered, and what of it is shown.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const filters = { release: byId("release"), host: byId("host"), text: byId("text"), isNew: byId("new") };
const releaseName = (name) => name || "not told";

function matches(finding) {
  const text = filters.text.value.toLowerCase();
  const release = filters.release.value;
  const said = [finding.title, finding.function, finding.module, finding.rule].join(" ").toLowerCase();
  return (
    (!filters.isNew.checked || finding.isNew) &&
    said.includes(text) &&
    (!release || finding.releases.some((one) => releaseName(one.release) === release)) &&
    (!filters.host.value || finding.hostNames.some((name) => name.includes(filters.host.value)))
  );
}

// Of the release that is chosen; of all where none is.
function chosen(finding) {
  const release = filters.release.value;
  return (release && finding.releases.find((one) => releaseName(one.release) === release)) || finding;
}

function place(finding) {
  const file = finding.file ? finding.file.split("/").pop() : "";
  const line = finding.line ? `${file}:${finding.line}` : file;
  return [finding.function, line].filter(Boolean).join("  ");
}

function details(finding) {
  const cell = element("td", { colspan: 8 });
  if (finding.evidence.length) {
    cell.append(element("p", {}, "because ", finding.evidence.join("; ")));
  }
  cell.append(element("p", {}, element("strong", {}, "fix "), finding.fix));
  const rates = finding.releases.map(
    (one) => `${releaseName(one.release)}: ${one.logs} of ${one.starts} starts (${percent(one.logs, one.starts)})`,
  );
  cell.append(element("p", {}, `by release: ${rates.join(", ")}`));
  const rest = finding.hosts - finding.hostNames.length;
  const names = finding.hostNames.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  if (finding.hosts) cell.append(element("p", {}, `on hosts ${names}`));
  cell.append(element("p", { class: "quiet" }, `${finding.rule}, ${finding.fingerprint}, as in ${finding.example}`));
  if (data.timelines[finding.example]) {
    const button = element("button", { type: "button", class: "timeline" }, "Timeline of this log");
    button.addEventListener("click", () => openTimeline(finding));
    cell.append(button);
  }
  return element("tr", { class: "details" }, cell);
}

function row(finding) {
  const { fleet } = data;
  const { logs, starts } = chosen(finding);
  const button = element("button", { type: "button", class: "open", "aria-expanded": "false" }, finding.title);
  const head = element("td", {}, button);
  if (finding.isNew) head.prepend(element("span", { class: "new" }, "new"));
  head.prepend(element("span", { class: finding.severity }, `${finding.severity} `));
  head.append(element("div", { class: "place" }, place(finding)));
  const made = element("tr", { class: "finding", "data-fingerprint": finding.fingerprint }, head);
  const cells = [
    fleet.first ? sparkline(finding.days, fleet.first, fleet.last) : "",
    String(logs),
    percent(logs, starts),
    String(finding.hosts),
    finding.releases.map((one) => releaseName(one.release)).join(", "),
    moment(finding.first),
    moment(finding.last),
  ];
  for (const cell of cells) made.append(element("td", { class: "number" }, cell));
  let shown = null;
  button.addEventListener("click", () => {
    button.setAttribute("aria-expanded", String(!shown));
    if (shown) shown.remove();
    shown = shown ? null : details(finding);
    if (shown) made.after(shown);
  });
  return made;
}

function show() {
  const shown = data.findings.filter(matches);
  document.querySelector("#findings tbody").replaceChildren(...shown.map(row));
  byId("said").textContent = `${shown.length} of ${data.findings.length} findings`;
}

async function openTimeline(finding) {
  const address = await unpacked(data.timelines[finding.example]);
  byId("timeline-title").textContent = finding.example;
  const frame = element("iframe", { title: "timeline", sandbox: "allow-scripts", src: address });
  byId("frame").replaceChildren(frame);
  byId("timeline").showModal();
  frame.addEventListener("load", () => URL.revokeObjectURL(address), { once: true });
}

function fill() {
  const { fleet } = data;
  byId("summary").textContent =
    `${counted(fleet.logs, "log", "logs")} of ${counted(fleet.hosts, "host", "hosts")}, ` +
    `${counted(fleet.releases.length, "release", "releases")}, ` +
    `${data.findings.filter((one) => one.isNew).length} of ${data.findings.length} findings are new`;
  for (const one of fleet.releases) filters.release.append(element("option", {}, releaseName(one.release)));
  for (const name of fleet.hostNames) byId("hosts").append(element("option", { value: name }));
  for (const death of data.deaths) {
    const rate = percent(death.logs, fleet.starts);
    const text = `${death.name}: ${counted(death.logs, "run", "runs")}, ${rate} of starts, on ${counted(death.hosts, "host", "hosts")}`;
    byId("deaths").append(element("li", { "data-kind": death.kind }, text));
  }
  if (!data.deaths.length) byId("deaths").append(element("li", {}, "No run died."));
  for (const culprit of data.culprits) {
    const titles = culprit.titles.join("; ");
    byId("culprits").append(element("li", {}, element("code", {}, culprit.function), ` in ${culprit.logs} logs: ${titles}`));
  }
  byId("culprits-section").hidden = !data.culprits.length;
  const gaps = [
    [fleet.unread, "file", "files", "gave nothing or not all"],
    [fleet.torn, "torn log", "torn logs", "could be read in part"],
    [fleet.overwritten, "log", "logs", "of runs that were longer: older crumbs were overwritten"],
    [fleet.dropped, "log", "logs", "without room for all crumbs"],
    [fleet.unnamed, "log", "logs", "with frames that have no names: give symbols"],
  ];
  for (const [count, one, many, text] of gaps) {
    if (count) byId("gaps").append(element("li", {}, `${counted(count, one, many)} ${text}`));
  }
  for (const one of data.unread.slice(0, 100)) byId("gaps").append(element("li", { class: "quiet" }, one.why));
  if (!byId("gaps").children.length) byId("gaps").append(element("li", {}, "Every log was read whole."));
}

byId("filters").addEventListener("input", show);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("close").addEventListener("click", () => byId("timeline").close());
byId("timeline").addEventListener("close", () => byId("frame").replaceChildren());
fill();
show();
