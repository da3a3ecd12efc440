# SPDX-License-Identifier: Apache-2.0
"""Texts of others made harmless to read: what is hidden or would steer a terminal is shown as `\\xHH`."""

import re

# Controls; soft hyphen; Arabic letter mark; zero-width, direction and line marks; invisible operators; byte-order mark;
# annotations; tags.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """A text with every hidden character as the bytes of its UTF-8, in hexadecimal."""
    return _HIDDEN.sub(lambda found: "".join(f"\\x{byte:02x}" for byte in found.group().encode()), text)
