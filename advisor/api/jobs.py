"""Reading recordings beside everything else: one after the other, each in a process of its own."""

from __future__ import annotations

import logging
import multiprocessing
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal

from advisor.errors import ApiError
from engine import PistiError, RuleSet

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

    from advisor.api.hub import Hub
    from advisor.api.stills import Still

logger = logging.getLogger(__name__)

JobStatus = Literal["waiting", "running", "done", "failed", "cancelled"]

#: Jobs that are remembered, the newest; those not ended yet are never forgotten.
_REMEMBERED: Final = 50
#: Jobs whose pictures are kept, the newest.
_PICTURED: Final = 4
#: Seconds between two notices of progress.
_NOTICE: Final = 0.5
#: Share of a job that must be done before the time left is guessed.
_GUESS_FROM: Final = 0.01


@dataclass(slots=True, eq=False)
class Job:
    """A recording to be read.

    Attributes:
        id: its name.
        name: what people call the recording.
        path: the file or folder.
        rules: the rules it may have been played by, as `advisor.headcount` returns them.
        dealer, names: as for `advisor.scorer`.
        uploaded: whether the file is a copy of ours, which goes when the job has ended.
        status: how far it is.
        progress: share that is done, 0 to 1.
        begun: when it was started, in seconds of `monotonic`.
        result: record, score and review, once it is done.
        stills: pictures of the plays to check, of the newest jobs.
        error: why it failed.
    """

    id: str
    name: str
    path: Path
    rules: Sequence[RuleSet]
    dealer: int | None = None
    names: tuple[str, ...] = ()
    uploaded: bool = False
    status: JobStatus = "waiting"
    progress: float = 0.0
    begun: float = 0.0
    result: dict[str, Any] | None = None
    stills: Sequence[Still] = field(default=(), repr=False)
    error: PistiError | None = None
    process: SpawnProcess | None = field(default=None, repr=False)

    @property
    def eta(self) -> float | None:
        """Seconds that are left, as far as can be guessed."""
        if self.status != "running" or self.progress < _GUESS_FROM:
            return None
        return round((monotonic() - self.begun) * (1 - self.progress) / self.progress, 1)

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status not in ("waiting", "running")


class Jobs:
    """The recordings to be read.

    Args:
        hub: where progress is told.
        told: what is told of a job.
        work: what a process does, for tests; by default it reads the recording.
    """

    def __init__(
        self,
        hub: Hub,
        told: Callable[[Job], Any],
        work: Callable[..., None] | None = None,
    ) -> None:
        self._hub = hub
        self._told = told
        self._work = work or read_recording
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._wake = Condition()
        self._ended = False
        self._thread = Thread(target=self._run, name="recordings", daemon=True)
        self._thread.start()

    def add(
        self,
        path: Path,
        name: str,
        rules: Sequence[RuleSet],
        *,
        dealer: int | None = None,
        names: tuple[str, ...] = (),
        uploaded: bool = False,
    ) -> Job:
        """Line up the recording at *path*."""
        job = Job(secrets.token_hex(6), name, path, rules, dealer, names, uploaded)
        with self._wake:
            self._jobs[job.id] = job
            old = [each.id for each in self._jobs.values() if each.ended]
            for spare in old[: max(0, len(self._jobs) - _REMEMBERED)]:
                del self._jobs[spare]
            self._wake.notify()
        self._tell(job)
        return job

    def all(self) -> list[Job]:
        """Return all jobs, the newest first."""
        with self._wake:
            return list(reversed(self._jobs.values()))

    def get(self, name: str) -> Job:
        """Return the job called *name*.

        Raises:
            ApiError: there is none.
        """
        with self._wake:
            if name not in self._jobs:
                raise ApiError("api.no_job", job=name)
            return self._jobs[name]

    def cancel(self, name: str) -> Job:
        """Stop the job called *name*; one that has ended is forgotten.

        Raises:
            ApiError: there is none.
        """
        with self._wake:
            job = self.get(name)
            if job.ended:
                del self._jobs[name]
                return job
            job.status = "cancelled"
            if job.process is not None:
                job.process.terminate()
            else:
                _clean(job)
        self._tell(job)
        return job

    def close(self) -> None:
        """Stop everything."""
        with self._wake:
            self._ended = True
            for job in self._jobs.values():
                if not job.ended:
                    job.status = "cancelled"
                if job.process is not None:
                    job.process.terminate()
            self._wake.notify()
        self._thread.join(5)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._ended or self._next() is not None)
                job = self._next()
                if self._ended or job is None:
                    return
                job.status, job.begun = "running", monotonic()
                receiving, sending = multiprocessing.Pipe(duplex=False)
                lines = tuple(map(str, job.rules))
                settings = (str(job.path), lines, job.dealer, job.names)
                process = multiprocessing.get_context("spawn").Process(
                    target=self._work, args=(sending, *settings), daemon=True
                )
                process.start()
                job.process = process
            # The child holds the other end; ours must close for its end to be seen.
            sending.close()
            self._tell(job)
            try:
                self._follow(job, receiving)
            finally:
                receiving.close()
                process.join(5)
                with self._wake:
                    job.process = None
                    _clean(job)
                self._tell(job)

    def _next(self) -> Job | None:
        return next((job for job in self._jobs.values() if job.status == "waiting"), None)

    def _follow(self, job: Job, receiving: Connection) -> None:
        """Take in what the process says until it ends."""
        last = 0.0
        try:
            while True:
                kind, value = receiving.recv()
                with self._wake:
                    if job.status != "running":
                        return
                    if kind == "progress":
                        job.progress = value
                    elif kind == "stills":
                        job.stills = value
                        self._forget_stills()
                    elif kind == "done":
                        job.status, job.progress, job.result = "done", 1.0, value
                        return
                    else:
                        job.status, job.error = "failed", value
                        return
                if monotonic() - last > _NOTICE:
                    last = monotonic()
                    self._tell(job)
        except (EOFError, OSError):
            with self._wake:
                if job.status == "running":
                    job.status, job.error = "failed", ApiError("api.job_died")

    def _forget_stills(self) -> None:
        """Keep the pictures of the newest jobs alone: those of an evening would fill the memory."""
        pictured = [job for job in self._jobs.values() if job.stills]
        for job in pictured[:-_PICTURED]:
            job.stills = ()

    def _tell(self, job: Job) -> None:
        self._hub.publish("job", lambda _: self._told(job))


def _clean(job: Job) -> None:
    """Remove the copy that was made for a job."""
    if job.uploaded:
        with suppress(OSError):
            job.path.unlink(missing_ok=True)


def read_recording(
    sending: Connection,
    source: str,
    lines: Sequence[str],
    dealer: int | None,
    names: tuple[str, ...],
) -> None:
    """Read a recording and tell *sending* of it; the work of a process of its own."""
    try:
        from advisor.api.stills import stills
        from advisor.scorer import score_recording
        from vision.reader import CardReader

        def progress(at: float, of: float | None) -> None:
            if of:
                sending.send(("progress", min(1.0, at / of)))

        rules, *others = map(RuleSet.parse, lines)
        scored = score_recording(
            source,
            rules,
            CardReader("fast"),
            others=others,
            dealer=dealer,
            names=names,
            progress=progress,
        )
        sending.send(("stills", stills(scored)))
        sending.send(("done", scored.to_json()))
    except PistiError as error:
        sending.send(("failed", error))
    except BrokenPipeError:
        # The program has ended, and nobody wants to know any more.
        return
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        sending.send(("failed", ApiError("api.job_failed", reason=reason)))
