"""The papers behind the program, computed again: their tables, with the printed figures beside ours."""

from typing import Any, Final

from engine.game import BadText, quoted
from learners.papers.courses import courses
from learners.papers.data_tree import data_tree
from learners.papers.filter import filter_paper
from learners.papers.gardner import gardner
from learners.papers.hochmuth import hochmuth
from learners.papers.java import java
from learners.papers.lecture import lecture
from learners.papers.michie import michie
from learners.papers.nim import nim
from learners.papers.notakto import notakto
from learners.papers.riechel import riechel
from learners.papers.running import Paper
from learners.papers.smallest import smallest
from learners.papers.sutton import sutton
from learners.papers.thill import thill
from learners.papers.tromp import tromp

PAPERS: Final[tuple[Paper[Any], ...]] = (
    riechel(),
    hochmuth(),
    michie(),
    gardner(),
    java(),
    lecture(),
    data_tree(),
    notakto(),
    nim(),
    smallest(),
    courses(),
    filter_paper(),
    sutton(),
    thill(),
    tromp(),
)
"""Every paper. To add one, write its file and add it here."""


def parse_paper(name: str) -> Paper[Any]:
    """Return the paper of this name. Raises `BadText`, which lists the names."""
    for paper in PAPERS:
        if paper.name == name:
            return paper
    raise BadText(f"no paper {quoted(name)}; there are {', '.join(paper.name for paper in PAPERS)}")
