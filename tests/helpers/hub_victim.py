"""The window's desk of downloads in a process of its own, to be killed in the midst of them.

`python -m tests.helpers.hub_victim REPO` wants REPO on the first start, and on each later one goes
on with what the last has left. It tells, a line each: "percent N", "failed CODE", "done FOLDER";
after the last it ends.
"""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QCoreApplication

from desktop import paths
from desktop.models.library.download_desk import DownloadDesk
from desktop.models.library.download_view import DownloadView
from desktop.settings import Settings


def main() -> int:
    """Run until all is there, or until it is killed."""
    app = QCoreApplication(sys.argv)
    folders = paths.find()
    folders.prepare()
    limit = int(os.environ.get("VICTIM_LIMIT", "0"))
    settings = Settings(hub_endpoint=os.environ["HF_ENDPOINT"], download_limit=limit)
    desk = DownloadDesk(folders, lambda: settings)

    def tell(text: str) -> None:
        print(text, flush=True)

    def changed(view: DownloadView) -> None:
        if view.total:
            tell(f"percent {100 * (view.done or 0) // view.total}")

    def finished(folder: str) -> None:
        tell(f"done {folder}")
        desk.close()
        app.quit()

    desk.changed.connect(changed)
    desk.failed.connect(lambda view: tell(f"failed {view.code}"))
    desk.finished.connect(finished)
    desk.restore()
    if not desk.views():
        desk.start(sys.argv[1])
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
