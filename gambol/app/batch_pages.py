"""summary.csv and gallery.html of a batch, kept up to date while it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping

from gambol.app.batch_folder import GALLERY, BatchFolder, JobRecord
from gambol.view.gallery_page import GalleryJob, gallery_page

SHORTEST_SECONDS_BETWEEN = 3.0
"""Shortest time between two writings of the pages."""
PAGE_SHARE = 0.02
"""Largest share of the time that writing the pages may take."""


class LivePages:
    """Writes summary and gallery, as often as costs little."""

    def __init__(self, folder: BatchFolder, records: Mapping[str, JobRecord]) -> None:
        self.folder, self.records = folder, records
        self._next = 0.0

    def update(self) -> None:
        """Write the pages if the last time was a while ago."""
        if time.monotonic() >= self._next:
            self.write(live=True)

    def write(self, *, live: bool) -> None:
        """Write the pages now; a live gallery loads itself again."""
        began = time.monotonic()
        records = list(self.records.values())
        self.folder.write_summary(records)
        page = gallery_page([gallery_job(record) for record in records], live=live)
        self.folder.shared.write(GALLERY, page.encode())
        taken = time.monotonic() - began
        self._next = time.monotonic() + max(SHORTEST_SECONDS_BETWEEN, taken / PAGE_SHARE)


def gallery_job(record: JobRecord) -> GalleryJob:
    """What the gallery shows of a job."""
    numbers = {
        "sure": record.confidence,
        "amount": record.motion_amount,
        "speed": record.speed,
        "skate": record.foot_skate,
        "sinks": record.penetration,
        "floats": record.floating,
        "seconds": record.clip_seconds,
    }
    return GalleryJob(
        run=record.run,
        status=record.status,
        character=record.character,
        prompt=record.prompt,
        seed=record.seed,
        prior=record.prior,
        motion=record.motion,
        film=record.film,
        report=record.report,
        error=record.error,
        notes=record.notes,
        numbers={name: value for name, value in numbers.items() if value is not None},
    )
