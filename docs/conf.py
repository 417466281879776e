"""The documentation site: the Markdown of the repository as it lies, and a reference made of the headers.

scripts/site builds it. The source folder is the repository, so that links between documents lead where they lead there.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

project = "isofold"
author = "the isofold authors"
copyright = "2026, the isofold authors"
release = re.search(r"project\(isofold VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
version = release

sys.path.insert(0, str(ROOT / "docs"))
import reference  # noqa: E402

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "bench/README.md", "simulator/README.md", "python/*.md",
                    "tests/oracle/README.md"]
myst_heading_anchors = 4  # as GitHub names them; tests/docs/check_links.py checks them without Sphinx

highlight_language = "none"
nitpicky = True

html_theme = "furo"
html_title = f"isofold {release}"
html_baseurl = os.environ.get("ISOFOLD_SITE", "")
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]


def adapt(app, name, text):
    """A site has no folders of sources: their links become plain words. Decisions are listed by their own page."""
    here = ROOT / pathlib.Path(name).parent

    def mend(link):
        target = link[2].partition("#")[0]
        is_folder = target and "://" not in target and (here / target).is_dir()
        return link[1] if is_folder else link[0]

    text[0] = re.sub(r"(?<!!)\[([^\[\]]*)\]\(([^()\s]+)\)", mend, text[0])
    if name == root_doc and not (ROOT / "docs/python.md").exists():
        text[0] = text[0].replace("\npython\n", "\n")
    if re.match(r"docs/decisions/\d", name):
        text[0] = "---\norphan: true\n---\n\n" + text[0]


def setup(app):
    (ROOT / "docs/reference.md").write_text(reference.page_of(ROOT), encoding="utf-8")  # git ignores it
    app.connect("source-read", adapt)
