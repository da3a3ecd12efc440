# SPDX-License-Identifier: Apache-2.0
"""What the documents show of the house is drawn from the declared and the real edges, and kept as it is."""

import unittest

from trees import Trees

import house

PLACE = "<!-- house.py: {} -->\n<!-- end -->\n"
ROOMS = {"base": ("a.hpp", ""), "run": ("plan.hpp", ""), "run/point": ("point.hpp", "run"), "run/session": ("session.hpp", "run run/point")}


def header(text, includes=""):
    """A main header."""
    return f"// SPDX-License-Identifier: Apache-2.0\n// Room: {text}\n{includes}"


class Drawing(unittest.TestCase):
    """Each node stands on a step; arrows lead down to what it sees."""

    def test_arrows_cross_and_join(self):
        sees = {"a": {"c", "e"}, "b": {"d"}, "c": {"d"}, "d": set(), "e": set()}
        self.assertEqual(
            house.staircase(["a", "b", "c", "d", "e"], sees, {"c": "note"}),
            [
                "a",
                "|   b",
                "+---|-> c  (note)",
                "|   +---+-> d",
                "+-------------> e",
            ],
        )

    def test_order(self):
        sees = {"low": set(), "middle": {"low"}, "top": {"low", "middle", "elsewhere"}}
        self.assertEqual(house.from_top(["low", "middle", "top"], sees), ["top", "middle", "low"])


class Documents(Trees):
    """The documents of a small house."""

    def setUp(self):
        super().setUp()
        pages = {layer: f"# {layer}\n\nWhat {layer} does.\n\n{PLACE.format('rooms')}" for layer in ("base", "run")}
        self.write(
            {
                "framework/base/a.hpp": header("values."),
                "framework/run/plan.hpp": header("the plan.", '#include "base/a.hpp"\n'),
                "framework/run/point/point.hpp": header("one point.", '#include "run/plan.hpp"\n'),
                "framework/run/session/session.hpp": header("the loop."),
                "framework/run/session/session.cpp": "\n",
                "doc/architecture.md": "# House\n\n" + "".join(PLACE.format(name) for name in ("picture", "layers", "sizes")) + "\nThe end.\n",
                **{f"doc/architecture/{layer}.md": text for layer, text in pages.items()},
            }
        )

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def test_what_is_written(self):
        self.assertEqual(house.update(self.root, ROOMS, write=True), [])
        overview = self.text("doc/architecture.md")
        self.assertIn("```text\n4  run  (session, point)\n0  +-> base\n```\n", overview)
        self.assertIn("| [run](architecture/run.md) | 3 | 4 | What run does. | base |\n", overview)
        self.assertIn("rooms     median   1 files, largest   2: framework/run/session\n", overview)
        self.assertTrue(overview.endswith("<!-- end -->\n\nThe end.\n"), overview)
        page = self.text("doc/architecture/run.md")
        self.assertIn("session\n+-> point\n+---+-> run itself\n", page)
        self.assertIn("| `framework/run/session/` | 2 | the loop | `session.hpp` |\n", page)

    def test_silent_when_nothing_changed(self):
        house.update(self.root, ROOMS, write=True)
        self.assertEqual(house.update(self.root, ROOMS, write=False), [])

    def test_each_change_of_the_tree_is_noticed(self):
        house.update(self.root, ROOMS, write=True)
        before = {path: self.text(path) for path in ("framework/run/point/point.hpp", "framework/run/plan.hpp")}
        for change, document in (
            ({"framework/run/point/b.cpp": ""}, "doc/architecture/run.md"),
            ({"framework/run/point/point.hpp": header("another point.")}, "doc/architecture/run.md"),
            ({"framework/run/plan.hpp": header("the plan.")}, "doc/architecture.md"),
        ):
            with self.subTest(change=change):
                self.write(change)
                faults = house.update(self.root, ROOMS, write=False)
                self.assertTrue(any(fault.startswith(f"{document} is not what the tree says") for fault in faults), faults)
                for path in change:
                    (self.root / path).unlink()
                self.write(before)
                self.assertEqual(house.update(self.root, ROOMS, write=False), [])
        edges = ROOMS | {"run/session": ("session.hpp", "run")}
        faults = house.update(self.root, edges, write=False)  # the order of the rooms is another one, too
        self.assertEqual([fault.split(" is ")[0] for fault in faults], ["doc/architecture.md", "doc/architecture/run.md"])

    def test_nothing_is_written_unless_told(self):
        before = self.text("doc/architecture.md")
        self.assertEqual(len(house.update(self.root, ROOMS, write=False)), 3)
        self.assertEqual(self.text("doc/architecture.md"), before)

    def test_layer_without_a_page_and_page_without_a_layer(self):
        (self.root / "doc/architecture/base.md").rename(self.root / "doc/architecture/cellar.md")
        faults = house.update(self.root, ROOMS, write=True)
        self.assertEqual([fault.split(" is ")[0] for fault in faults], ["doc/architecture/base.md", "doc/architecture/cellar.md"])

    def test_document_without_a_place(self):
        self.write({"doc/architecture/run.md": "# run\n\nWhat run does.\n\n" + PLACE.format("stairs")})
        faults = house.update(self.root, ROOMS, write=True)
        self.assertEqual([fault.split(" is ")[0] for fault in faults], [f"doc/architecture/run.md: a place for '{name}'" for name in ("rooms", "stairs")])


if __name__ == "__main__":
    unittest.main()
