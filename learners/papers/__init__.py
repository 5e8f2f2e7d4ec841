"""The papers behind the program, re-run: every table beside the figures that it prints."""

from typing import Any, Final

from engine.game import BadText, quoted
from learners.papers.data_tree import data_tree
from learners.papers.hochmuth import hochmuth
from learners.papers.java import java
from learners.papers.lecture import lecture
from learners.papers.michie import michie
from learners.papers.riechel import riechel
from learners.papers.running import Paper

PAPERS: Final[tuple[Paper[Any], ...]] = (riechel(), hochmuth(), michie(), java(), lecture(), data_tree())
"""Every paper. A new one is one file and one entry here."""


def parse_paper(name: str) -> Paper[Any]:
    """The paper of that name. Raises `BadText` with the names there are."""
    for paper in PAPERS:
        if paper.name == name:
            return paper
    raise BadText(f"no paper {quoted(name)}; there are {', '.join(paper.name for paper in PAPERS)}")
