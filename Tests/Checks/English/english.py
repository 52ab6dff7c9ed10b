"""Flags English that hides what acts and what is meant: `english.py check|update|sentences FILE…|flag FILE…`.

`check` reads the comments and messages of Sources and all pages. It fails on a sentence that is neither good nor in
baseline.txt, and on an example of examples.txt that the patterns below no longer tell apart. `update` removes from baseline.txt what
is no longer in the sources, and never adds. `flag` prints what is flagged in the files named.

The patterns are narrow: of the comments of swift-log and swift-nio they flag less than one in fifty.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BASELINE = HERE / "baseline.txt"
EXAMPLES = HERE / "examples.txt"
ALLOWED = HERE / "allowed.txt"

PRONOUN = r"(?:somebody|someone|nobody|anybody|whoever|whatever)"
# What is wrong, and what to write instead.
PATTERNS = [
    (rf"^(?:what|who|which)\b(?!.*\?$)|^{PRONOUN}\b", "name the thing that acts, or begin with a noun or a verb"),
    (r"^one (?:that|who|which|of|more|no|is|in|whose|by|with)\b", "name the thing in place of “one”"),
    (r"\b(?:somebody|someone|nobody|anybody|whoever)\b(?!/)", "name the person or the code"),
    (r"(?:^|[,;(]|\b(?:for|to|of|with|by|from|as|and|or|than|is)) whom?\b", "name the person or the code in place of “who”"),
    (r"\b(?:of|for|in|with|by|from|than|to|as|after|on|at|about) what\b", "name the thing in place of “what”"),
    (r"\bthat which\b|(?<!choose )(?<!know )(?<!says )(?<!say )(?<!shows )(?<!see )(?<!tells )(?<!read )"
     r"\bwhat (?:is|was|were|has|had|it|they|lies|stands|lasts)\b(?!.*\?$)", "name the thing in place of “what”"),
    (r"\b(?:of|about|by|in|for|from|on|behind) it$", "end with the noun"),
    (r"\b(?:is|are|was|were|lies|stands|stand|stood|be|had|has) (?:already )?there$|\bthere is none$|\bif there (?:is|are) none$", "name the place or the thing"),
    (r"\b(?:nil|none|empty|0|false|true|nothing|unknown|zero)(?: \w+){0,2} where\b", "use “if” for a condition"),
    (r"^(?:where (?!possible|available|appropriate|needed|necessary)|in what|of (?:what|which|whom)|when what|as a sentence)", "begin with a noun or a verb"),
    (r"\bnothing of (?:it|them|that|what)\b|\bnone of it\b|\ball of it\b", "name the thing that acts"),
    (r"\b(?:its|his|their) say\b|\bcomes? back only\b|\bhanded on\b|\bputs? it right\b|\bmends?\b|\bthat (?:is|are) asked\b|\bfound at home\b"
     r"|\bto be had\b|\bin whose stead\b|\bmakes? nothing of\b", "use the term of the field"),
    (r"(?:: not|; not|, and not either|: none)$", "write the second half as a sentence"),
    (r"^the same (?:of|for|as|with)\b|\bone more\b.*\bnothing\b|\bone at a time each\b", "say what is the same"),
    (r"\b(?:is|are|was|were|be|been) (?:told(?! to)|asked(?! to\b)|handed over|given out)\b|\b(?:tells? of|tells? that|told of)\b", "use the term of the field"),
    (r"\bwhere (?:it|they|that|this) (?:(?:is|are|was|were) (?:told|known|asked|needed|wanted|long|started|entered|not)\b|does|did|can$|may$)", "use “if” for a condition"),
    (r"^(?:itself|themselves|those|so (?:many|much|long)|whether it is|it or)\b(?! are\b)", "begin with a noun or a verb"),
    (r"\b(?:is|are|was|were) none\b|\bis no \w+ of (?:ours|its|theirs)\b", "say which condition does not hold"),
    (r"\ball the same$|\bfor good$|\bgives? out\b|\bsays? so\b|\bdoes? so not\b|\bfrom now on\b|\bno more$", "use the term of the field"),
    (r"^how (?:long|many|much|often|far)\b.*\b(?:may|there (?:is|are)|where)\b(?!.*\?$)", "begin with a noun: the number, the duration"),
    (r"\b(?:and|or|nor|but) (?:none|both|neither|others?)$", "end with the noun"),
    (r"^as \w+(?: \w+)? (?:goes|stands|lies) on\b|\bstand(?:s)? that it is\b|\bsays it (?:itself|himself)\b|, it says itself", "name the thing that acts"),
]  # fmt: skip
PATTERNS = [(re.compile(pattern, re.I), advice) for pattern, advice in PATTERNS]
CODE = re.compile(r"`[^`]*`|``.*?``|\[([^\]]*)\]\([^)]*\)")


# MARK: Sentences


def blocks_of_code(text, suffix):
    """The comments of a source, as (line, text): consecutive lines are one, and so is a `/* … */`."""
    marker = r"#" if suffix in (".py", ".sh") else r"//[/!]?"
    current, start = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        match = re.match(rf"^\s*{marker}(?!!)(.*)$", line) or re.match(r"^\s*(?:/\*+|\*(?!/))(.*?)(?:\*/)?$", line)
        if match and not re.match(r"\s*(?:MARK:|swift-format|clang-format|sourcery|swift-tools|language:|with:|package:|-{3,}|={3,})", match[1]):
            if not current:
                start = number
            body = match[1].strip()
            # A field of a documentation comment begins a sentence of its own; an empty line ends one.
            if not body or re.match(r"- (?:Parameters?|Returns|Throws|Note|Complexity)?", body):
                if current:
                    yield start, " ".join(current)
                current, start = [], number
                body = re.sub(r"^- (?:Parameters?:?|Parameter \w+:|Returns:|Throws:|Note:|Important:|Warning:|Complexity:|`?\w+`?:)?\s*", "", body)
            if body:
                current.append(body)
        elif current:
            yield start, " ".join(current)
            current = []


def messages(text):
    """String literals of Swift that are prose, as (line, text)."""
    for match in re.finditer(r'(?<!")"((?:[^"\\\n]|\\.)*)"(?!")', text):
        plain = re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", "X", match[1])
        if len(re.findall(r"[a-z]{2,}", plain)) >= 4 and " " in plain and not re.search(r"[{}<>|\\$]|\w/\w+/\w", plain):
            yield text.count("\n", 0, match.start()) + 1, plain


def paragraphs(text):
    """The prose of a page, as (line, text), without code, tables' rules and headings that ask."""
    text = re.sub(r"^```.*?^```|<!--.*?-->|^<.*?>$", lambda found: re.sub(r"[^\n]", "", found[0]), text, flags=re.M | re.S)
    current, start = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        body = line.strip()
        breaks = not body or body.startswith(("#", "|", "- "))
        if breaks and current:
            yield start, " ".join(current)
            current = []
        if not body or body.startswith("#") or re.fullmatch(r"\|[-| ]*\|", body):
            continue
        if body.startswith("|"):
            # Short cells are labels.
            yield from ((number, cell.strip()) for cell in body.strip("|").split("|") if len(cell.split()) > 5)
            continue
        if not current:
            start = number
        current.append(re.sub(r"^- ", "", body))


def sentences(block):
    plain = CODE.sub(lambda found: found[1] or "X", block).replace("**", "")
    for sentence in re.split(r"(?<=[.!?;:])\s+(?=\S)|\s[–—]\s", plain):
        sentence = sentence.strip()
        if len(sentence.split()) >= 3:
            yield sentence


def fault(sentence):
    """The advice for a sentence; None if it is good."""
    core = re.sub(r"[.;:)”\"’]+$", "", sentence.strip().lstrip("(“\"")).strip()
    for pattern, advice in PATTERNS:
        if pattern.search(core):
            return advice
    return None


def prose(path):
    text = path.read_text(errors="replace")
    if path.suffix == ".md":
        yield from paragraphs(text)
    else:
        yield from blocks_of_code(text, path.suffix)
        if path.suffix == ".swift" and "/Sources/" in str(path):
            yield from messages(text)


def flagged(path):
    for line, block in prose(path):
        for sentence in sentences(block):
            if advice := fault(sentence):
                yield line, sentence, advice


# MARK: Commands


def lines(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")] if path.exists() else []


def files():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "Sources", "*.md", ":!Tests/Fixtures"],
                            check=True, capture_output=True, text=True).stdout.splitlines()  # fmt: skip
    for name in listed:
        # The texts of rules.md are messages of Sources.
        if name.endswith((".swift", ".h", ".c", ".cpp", ".md")) and name != "docs/reference/rules.md":
            if (ROOT / name).exists():
                yield ROOT / name


def check_examples():
    """Examples begin with `bad:` or `good:`."""
    bad = [line[4:].strip() for line in lines(EXAMPLES) if line.startswith("bad:")]
    good = [line[5:].strip() for line in lines(EXAMPLES) if line.startswith("good:")]
    caught = [text for text in bad if any(fault(sentence) for sentence in sentences(text))]
    missed = [text for text in bad if text not in caught]
    accused = [(text, fault(sentence)) for text in good for sentence in sentences(text) if fault(sentence)]
    return bad, missed, accused


def check(writes):
    bad, missed, accused = check_examples()
    failed = False
    if len(missed) * 6 > len(bad) or accused:
        failed = True
        for text in missed:
            print(f"check-english: not flagged, though it is bad: {text}", file=sys.stderr)
        for text, advice in accused:
            print(f"check-english: flagged, though it is good: {text} ({advice})", file=sys.stderr)
    found = list(files())
    if not found:
        sys.exit("check-english: no file is read")
    known, allowed, seen = set(lines(BASELINE)), set(lines(ALLOWED)), set()
    for path in found:
        for line, sentence, advice in flagged(path):
            if sentence in allowed:
                continue
            seen.add(sentence)
            if sentence not in known:
                failed = True
                print(f"{path.relative_to(ROOT)}:{line}: “{sentence}”: {advice}", file=sys.stderr)
    left = known & seen
    if writes:
        BASELINE.write_text("# Sentences that are still to be rewritten. This list only shrinks: `english.py update`.\n" + "".join(f"{sentence}\n" for sentence in sorted(left)))
    print(f"check-english: {len(bad) - len(missed)} of {len(bad)} bad examples are flagged; {len(left)} sentences in the baseline"
          + (f", and {len(known - left)} that are gone: english.py update removes them" if known - left and not writes else ""))  # fmt: skip
    sys.exit(failed)


def main(mode, *names):
    if mode in ("check", "update"):
        return check(mode == "update")
    paths = [file for name in names for file in ([pathlib.Path(name)] if pathlib.Path(name).is_file() else sorted(pathlib.Path(name).rglob("*.swift")))]
    total = bad = 0
    for path in paths:
        blocks = list(prose(path))
        total += len(blocks)
        for line, block in blocks:
            found = [(sentence, fault(sentence)) for sentence in sentences(block) if fault(sentence)]
            bad += bool(found)
            for sentence, advice in found:
                print(f"{path}:{line}: {sentence} ({advice})")
    print(f"{bad} of {total} comments")


main(*sys.argv[1:])
