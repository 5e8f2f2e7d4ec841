"""Draw the packages, their folders and the imports between folders into docs/pictures/architecture.svg.

`make pictures` runs it. An arrow leads from a folder to one that it imports, within a package. Arrows that a longer
chain of arrows implies are left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from docs.import_graph import ROOT, folder_graph, levels, module_graph, transitive_reduction

FILE: Final = ROOT / "docs" / "pictures" / "architecture.svg"
WIDTH: Final = 1000
MARGIN, GAP = 14, 14
BOX: Final = (82, 26)
LETTER: Final = 8
"""The width of a letter in a wide font."""
ROW: Final = 58
HEADER: Final = 30
LAYERS: Final = (
    {"noughts": 1.0},
    {"cli": 0.28, "tui": 0.72},
    {"lab": 1.0},
    {"saves": 1.0},
    {"learners": 1.0},
    {"engine": 1.0},
)
"""The packages from top to bottom, each with its share of the width of its layer."""
ABOUT: Final = {
    "noughts": "the Python API, and where the program starts",
    "cli": "the command line",
    "tui": "the screens",
    "lab": "what a person can do, without a screen",
    "saves": "all that touches the disk",
    "learners": "what plays and what learns",
    "engine": "rules and exact results",
}


@dataclass(frozen=True)
class Box:
    """A folder in the picture: its name and its centre."""

    name: str
    x: float
    y: float

    def svg(self) -> str:
        width, height = max(BOX[0], LETTER * len(self.name) + 12), BOX[1]
        return (
            f'<rect class="folder" x="{self.x - width / 2:.0f}" y="{self.y - height / 2:.0f}" width="{width}" '
            f'height="{height}" rx="5"/><text x="{self.x:.0f}" y="{self.y + 4:.0f}" class="name">{self.name}</text>'
        )


def folders_of(package: str, folders: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the folders of a package that import or are imported, each with those of the package that it imports."""
    used = set().union(*folders.values()) | {folder for folder, imported in folders.items() if imported}
    own = {folder for folder in used if folder.partition(".")[0] == package}
    return {folder: folders[folder] & own for folder in sorted(own)}


def place_boxes(folders: Mapping[str, set[str]], left: float, width: float, top: float) -> tuple[dict[str, Box], float]:
    """Return the boxes of a package, each above the boxes that it imports, and the height of all rows."""
    level_of = levels(folders)
    highest = max(level_of.values())
    boxes = {}
    for level in range(highest + 1):
        row = [folder for folder in folders if level_of[folder] == level]
        shift = (level % 2) * 0.25 / len(row)  # against the next row, so that fewer arrows hide behind boxes
        for number, folder in enumerate(row):
            name = folder.rpartition(".")[2] if "." in folder else f"{folder}/*.py"
            x = left + width * (number + 0.5 + shift) / (len(row) + shift)
            boxes[folder] = Box(name, x, top + HEADER + ROW * (highest - level) + BOX[1] / 2)
    return boxes, ROW * highest + BOX[1]


def arrow_elements(folders: Mapping[str, set[str]], boxes: Mapping[str, Box]) -> Iterator[str]:
    for folder, imported in transitive_reduction(folders).items():
        for imported_folder in sorted(imported):
            yield f'<path d="{arrow_path(boxes[folder], boxes[imported_folder])}" class="arrow"/>'


def arrow_path(start: Box, end: Box) -> str:
    """Return the path of an arrow: straight to the next row; to lower rows a curve, around the boxes between."""
    width, height = BOX
    bottom = end.y - height / 2 - 2
    if end.y - start.y <= ROW:
        return f"M{start.x:.0f} {start.y + height / 2:.0f} L{end.x:.0f} {bottom:.0f}"
    side = 1 if end.x > start.x else -1
    bend = end.x if abs(end.x - start.x) > width else start.x + side * 1.5 * width
    return f"M{start.x + side * width / 2:.0f} {start.y:.0f} Q{bend:.0f} {start.y:.0f} {end.x:.0f} {bottom:.0f}"


def picture() -> str:
    """Return the whole picture as SVG."""
    folders = folder_graph(module_graph())
    parts, top = [], float(MARGIN)
    for layer in LAYERS:
        elements, height = layer_elements(layer, folders, top)
        parts += elements
        top += height + GAP
        if layer is not LAYERS[-1]:
            middle = f"{WIDTH / 2:.0f}"
            parts.append(f'<line x1="{middle}" y1="{top - GAP:.0f}" x2="{middle}" y2="{top:.0f}" class="layer"/>')
            top += 2
    return "\n".join([HEAD.format(width=WIDTH, height=round(top)), *parts, "</svg>\n"])


def layer_elements(layer: Mapping[str, float], folders: Mapping[str, set[str]], top: float) -> tuple[list[str], float]:
    """Return packages side by side, all as high as the highest, and this height."""
    packages, heights, left = [], [], float(MARGIN)
    for package, share in layer.items():
        width = (WIDTH - 2 * MARGIN - GAP * (len(layer) - 1)) * share
        own_folders = folders_of(package, folders)
        boxes, height = place_boxes(own_folders, left + 4, width - 8, top)
        title = f'<text x="{left + 10:.0f}" y="{top + 19:.0f}" class="title">{package}'
        title += f'<tspan class="about">  {ABOUT[package]}</tspan></text>'
        inside = [title, *arrow_elements(own_folders, boxes), *(box.svg() for box in boxes.values())]
        packages.append((left, width, inside))
        heights.append(height + HEADER + MARGIN)
        left += width + GAP
    elements = []
    for x, width, inside in packages:
        elements.append(
            f'<rect x="{x:.0f}" y="{top:.0f}" width="{width:.0f}" height="{max(heights):.0f}" rx="8" class="package"/>'
        )
        elements += inside
    return elements, max(heights)


HEAD: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">
<style>
text {{ font-family: sans-serif; font-size: 13px; fill: #222; }}
.title {{ font-weight: bold; font-size: 15px; }}
.about {{ font-weight: normal; font-size: 13px; fill: #555; }}
.name {{ text-anchor: middle; }}
.package {{ fill: #f2f4f7; stroke: #9aa5b1; }}
.folder {{ fill: #fff; stroke: #4a6fa5; }}
.arrow {{ fill: none; stroke: #4a6fa5; stroke-width: 1.2; marker-end: url(#head); }}
.layer {{ stroke: #333; stroke-width: 1.5; marker-end: url(#head); }}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="#4a6fa5"/></marker></defs>
<rect width="{width}" height="{height}" fill="#fff"/>"""


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(picture(), encoding="utf-8")
