"""What docs/deploying.md tells a reader to write: its blocks, and the steps of its Dockerfile."""

import re


def blocks(page):
    """The blocks of the page that are marked, by their names."""
    marked = re.findall(r"<!-- deploy: (\S+) -->\n```\w+\n(.*?)\n```", page.read_text(), re.DOTALL)
    return dict(marked)


class Stage:
    """From one FROM to the next."""

    def __init__(self, base, name):
        self.base, self.name, self.steps = base, name, []

    def last(self, instruction):
        """What the last step of that kind says; nothing where there is none."""
        return next((words for found, words in reversed(self.steps) if found == instruction), "")


def stages(dockerfile):
    """In their order. Comments and empty lines are left out."""
    found = []
    for line in dockerfile.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        instruction, words = line.split(None, 1)
        if instruction == "FROM":
            base, _, name = words.split()
            found.append(Stage(base, name))
        else:
            found[-1].steps.append((instruction, words))
    return found


def sidecar_script(manifest):
    """The shell script in the sidecar's `args`."""
    lines = manifest.split("        - |\n", 1)[1].splitlines()
    script = []
    for line in lines:
        if line and not line.startswith(" " * 10):
            break
        script.append(line[10:])
    return "\n".join(script)


def unit_value(unit, key):
    """The value of a key of a systemd unit."""
    return re.search(rf"^{key}=(.*)$", unit, re.MULTILINE).group(1)
