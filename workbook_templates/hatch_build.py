"""What a wheel brings besides the sources: the templates as a review expects them."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = ("addin", "workbook_templates")


class ExpectedTemplates(BuildHookInterface[Any]):
    """Derives the store of expected templates from the templates, for wheels that are installed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the store; an editable wheel gets none, because its templates may change."""
        if version == "editable":
            return
        sys.path[:0] = [str(Path(self.root) / name) for name in SOURCES]
        from scalesheet_workbooks.review import prebuilt

        path = Path(self.directory) / prebuilt.STORE.name
        path.parent.mkdir(parents=True, exist_ok=True)
        prebuilt.save(path)
        target = prebuilt.STORE.relative_to(Path(self.root) / SOURCES[1])
        build_data["force_include"][str(path)] = target.as_posix()
