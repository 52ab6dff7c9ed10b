// ---- Findings: the list, by defect; a press on one shows it in the timeline.

const { state } = modules.state;
const { byId, fileName, grouped, make, visible } = modules.format;
const { select } = modules.select;

const severitySigns = { error: "◆", warning: "▲", note: "●" };

/** The numbers of the findings that the rule chosen leaves. */
function shownFindings() {
  return state.findings
    .map((_, number) => number)
    .filter((number) => !state.rule || state.findings[number].finding.rule === state.rule);
}

function showFindings() {
  const groups = new Map();
  for (const number of shownFindings()) {
    const { group } = state.findings[number];
    groups.set(group, [...(groups.get(group) ?? []), number]);
  }
  const list = byId("finding-list");
  if (!groups.size) {
    list.replaceChildren(
      make(
        "p",
        { class: "none" },
        make("b", {
          text: state.findings.length ? "No finding of this rule" : "Nothing went wrong",
        }),
        make("span", {
          text: state.findings.length ? "" : "No rule found anything here.",
        }),
      ),
    );
    return;
  }
  list.replaceChildren(
    make(
      "ol",
      {},
      [...groups.values()].map((numbers) =>
        make(
          "li",
          {},
          findingButton(numbers[0], false),
          numbers.length > 1
            ? make(
                "ul",
                { "aria-label": "Of the same defect" },
                numbers.slice(1).map((number) => make("li", {}, findingButton(number, true))),
              )
            : undefined,
        ),
      ),
    ),
  );
  markFinding();
}

function findingButton(number, isSmall) {
  const { finding } = state.findings[number];
  const often = [
    finding.count > 1 ? `${grouped(finding.count)} times` : "",
    finding.recordings > 1 ? `in ${grouped(finding.recordings)} recordings` : "",
    finding.isKnown ? "known" : "",
  ]
    .filter(Boolean)
    .join(" ");
  return make(
    "button",
    {
      type: "button",
      class: `finding ${finding.severity}${isSmall ? " small" : ""}`,
      "data-finding": number,
      onclick: () => select({ finding: number }),
    },
    make(
      "span",
      { class: "kind" },
      make("span", {
        class: "sign",
        "aria-hidden": "true",
        text: severitySigns[finding.severity] ?? "●",
      }),
      make("span", { text: `${finding.severity} ` }),
      make("b", { text: finding.rule }),
      often ? make("span", { class: "often", text: often }) : undefined,
    ),
    make("span", { class: "title", text: visible(finding.title) }),
    !isSmall && finding.culprit
      ? make("span", { class: "where", text: placeText(finding.culprit) })
      : undefined,
  );
}

function markFinding() {
  for (const button of byId("finding-list").querySelectorAll("button")) {
    const isIt = state.selection?.finding === Number(button.dataset.finding);
    button.setAttribute("aria-current", isIt ? "true" : "false");
    if (isIt) button.scrollIntoView({ block: "nearest" });
  }
}

/** "function  File.swift:12". */
function placeText(place) {
  const position = place.file ? fileName(place.file) + (place.line ? `:${place.line}` : "") : "";
  return [visible(place.function || place.module), visible(position)].filter(Boolean).join("  ");
}

function showRules() {
  const counts = new Map();
  for (const { finding } of state.findings)
    counts.set(finding.rule, (counts.get(finding.rule) ?? 0) + 1);
  byId("rule").replaceChildren(
    make("option", { value: "", text: `All rules (${state.findings.length})` }),
    ...[...counts].map(([rule, count]) =>
      make("option", { value: rule, text: `${rule} (${count})` }),
    ),
  );
}

return { markFinding, placeText, severitySigns, showFindings, showRules, shownFindings };
