"""The configuration of Sphinx for the documentation site, which scripts/docs builds."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("ALNUS_DOCS_BUILD", ROOT / "build/docs"))

project = "alnus"
author = "the alnus authors"
version = re.search(r"project\(alnus VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
release = version

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe", "sphinx_copybutton"]
suppress_warnings = [
    "duplicate_declaration.cpp",  # each header declares the namespace again
    "ref.python",  # several classes have an attribute of the same name, so that a reference to it is ambiguous
]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"  # the tests run the notebook
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_ivar = True  # attributes are described once, in the description of their class

breathe_projects = {"alnus": str(BUILD / "doxygen/xml")}
breathe_default_project = "alnus"
breathe_default_members = ("members",)
breathe_show_include = False

highlight_language = "text"  # the language of code blocks that name none
html_theme = "furo"
html_title = f"alnus {version}"
html_show_sphinx = False

# The pages of the site that show files outside of docs/. Other pages link to the files themselves, for readers of the
# source tree; LinksToTheTree turns these links into links to the pages.
SHOWN_BY = {
    "README": "index",
    "CHANGELOG": "changelog",
    "CONTRIBUTING": "contributing",
    "include/alnus": "reference/cpp",
    "examples": "reference/examples",
}


class LinksToTheTree(SphinxPostTransform):
    """A transform that replaces links to files outside of docs/: by links to pages that show them, or by plain text."""

    default_priority = 8  # runs before MyST resolves links

    def run(self, **_: Any) -> None:
        for link in list(self.document.findall(pending_xref)):
            if link["reftype"] != "myst":
                continue
            source = Path(self.env.doc2path(self.env.docname)).parent
            target = Path(os.path.normpath(source / link["reftarget"]))
            inside = target.is_relative_to(ROOT / "docs") and link["refdomain"] == "doc"
            if inside or link["reftarget"] in self.env.all_docs:
                continue
            if not target.is_relative_to(ROOT):
                continue
            # The first page of the site shows the README, whose links are relative to the root of the tree.
            name = target.relative_to(ROOT).as_posix().removeprefix("docs/")
            page = SHOWN_BY.get(name.removesuffix(".md"))
            if page:
                link["refdomain"], link["reftarget"] = "doc", page
                link.attributes.setdefault("reftargetid", None)
            elif (ROOT / name).exists():
                link.replace_self(link[0].deepcopy())


def run_doxygen(*_: object) -> None:
    """Run Doxygen, which makes the XML for the pages on C++."""
    (BUILD / "doxygen").mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "ALNUS_ROOT": str(ROOT), "ALNUS_DOXYGEN": str(BUILD / "doxygen")}
    subprocess.run(["doxygen", ROOT / "docs/reference/Doxyfile"], check=True, env=environment)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", run_doxygen)
    app.add_post_transform(LinksToTheTree)
