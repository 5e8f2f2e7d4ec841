"""The package of the guide, made from the text of the guide."""

import re

from docs.import_graph import ROOT

FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def files_of_the_guide() -> dict[str, str]:
    """The text of each file of the package, by its path."""
    return dict(FILE.findall((ROOT / "docs/extending.md").read_text("utf-8")))
