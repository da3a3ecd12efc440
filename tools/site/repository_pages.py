# SPDX-License-Identifier: Apache-2.0
"""Gives the site a page for each repository file outside doc/ that a document links to, so that these links hold there too.

A hook of MkDocs. A link to a file that is not there is left as it is, and fails the strict build as any dead link does.
"""
import pathlib
import posixpath
import re

from mkdocs.structure.files import File, InclusionLevel

ALWAYS = ("README.md", "CONTRIBUTING.md")
ASSETS = {"assets/site.css": "site.css", "assets/iframe-worker.js": "iframe-worker.js"}
FOLDER = "repository/"
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".ini": "ini", ".py": "python", ".json": "json", ".txt": "text"}
CODE = re.compile(r"(^```.*?^```[ ]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
FOREIGN = re.compile(r"^[a-z][a-z0-9+.-]*:|^/")


def links_of(markdown):
    """Targets that the text outside code links to, without anchors."""
    for part in CODE.split(markdown)[::2]:
        for match in LINK.finditer(part):
            if not FOREIGN.match(match.group(2)):
                yield match.group(2)


def in_repository(place, target, documents):
    """The path from the top of the repository that a link means on the page at this place of the site."""
    if place.startswith(FOLDER):
        place = place[len(FOLDER) :]
    else:
        place = posixpath.join(documents, place)
    return posixpath.normpath(posixpath.join(posixpath.dirname(place), target))


def page_of(path, documents):
    """Where the site has what is at this path of the repository."""
    if path.startswith(documents + "/"):
        return path[len(documents) + 1 :]
    return FOLDER + path + ("" if path.endswith(".md") else ".md")


def text_of(root, path):
    """A repository file as a page."""
    text = (root / path).read_text(encoding="utf-8")
    if path.endswith(".md"):
        return text
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"# {path}\n\n{fence}{LANGUAGES.get(pathlib.Path(path).suffix, 'text')}\n{text}{fence}\n"


def on_files(files, config):
    """Adds the pages, those that they link to, and what the site loads."""
    for place, name in ASSETS.items():
        files.append(File.generated(config, place, abs_src_path=str(pathlib.Path(__file__).parent / name)))
    root = pathlib.Path(config.config_file_path).parent
    documents = pathlib.Path(config.docs_dir).relative_to(root).as_posix()
    waiting = [(file.src_uri, file.content_string) for file in files.documentation_pages()]
    wanted = list(ALWAYS)
    while waiting or wanted:
        if not wanted:
            place, text = waiting.pop()
            wanted = [in_repository(place, target, documents) for target in links_of(text)]
            continue
        path = wanted.pop()
        page = page_of(path, documents)
        if page.startswith(FOLDER) and not files.get_file_from_path(page) and (root / path).is_file():
            text = text_of(root, path)
            files.append(File.generated(config, page, content=text, inclusion=InclusionLevel.NOT_IN_NAV))
            if path.endswith(".md"):
                waiting.append((page, text))
    return files


def on_page_markdown(markdown, page, config, files):
    """Points the links of a page at where the site has their targets."""
    root = pathlib.Path(config.config_file_path).parent
    documents = pathlib.Path(config.docs_dir).relative_to(root).as_posix()
    place = page.file.src_uri
    if place.startswith(FOLDER) and not (root / place[len(FOLDER) :]).is_file():
        return markdown  # a file shown as code

    def moved(match):
        if FOREIGN.match(match.group(2)):
            return match.group(0)
        target = page_of(in_repository(place, match.group(2), documents), documents)
        if not files.get_file_from_path(target):
            return match.group(0)
        here = posixpath.relpath(target, posixpath.dirname(place) or ".")
        return match.group(1) + here + (match.group(3) or "") + match.group(4)

    parts = CODE.split(markdown)
    parts[::2] = [LINK.sub(moved, part) for part in parts[::2]]
    return "".join(parts)
