"""Applies the edits that `crashscan --format json` prints, as any program can."""


def edits(findings):
    """The edits of findings, each once, by file."""
    files = {}
    for finding in findings:
        for edit in finding["fix"]["edits"]:
            known = files.setdefault(edit["file"], [])
            if edit not in known:
                known.append(edit)
    return files


def apply(path, edits):
    """Changes a file: whole lines, the last first, so that numbers stay true."""
    lines = path.read_text().split("\n")
    ordered = sorted(edits, key=lambda edit: edit["first"], reverse=True)
    for later, edit in zip([None] + ordered, ordered):
        if later and edit["last"] >= later["first"]:
            raise ValueError(f"{path.name}: two edits of line {edit['last']}")
        lines[edit["first"] - 1:edit["last"]] = edit["replacement"]
    path.write_text("\n".join(lines))
