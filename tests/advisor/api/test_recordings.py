"""Recordings over the API: sent, named, read, cancelled, turned into games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.advisor.api.conftest import Running
from tests.advisor.api.work import RESULT, work


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("data")) as running:
        running.app.state.jobs._work = work
        yield running


def ended(server: Running, job: str) -> dict[str, Any]:
    end = monotonic() + 60
    while monotonic() < end:
        state: dict[str, Any] = server.client.get(f"/recordings/{job}").json()
        if state["status"] not in ("waiting", "running"):
            return state
        sleep(0.05)
    raise AssertionError("the job did not end")


def named(server: Running, path: str, **more: object) -> dict[str, Any]:
    answer = server.client.post("/recordings", json={"path": path, **more})
    assert answer.status_code == 201, answer.text
    job: dict[str, Any] = answer.json()
    return job


def test_a_recording_becomes_a_game(server: Running) -> None:
    job = named(server, "/videos/good.mp4", rules="modern")
    assert job["name"] == "good.mp4"
    done = ended(server, job["job"])
    assert (done["status"], done["progress"], done["result"]) == ("done", 1.0, RESULT)
    state = server.client.post(f"/recordings/{job['job']}/game").json()
    assert [play["card"] for play in state["plays"]] == ["7H", "4C"]
    assert state["review"] == RESULT["review"]
    assert state["names"] == ["Ayşe", "Mehmet"]
    # What is to be checked has its picture.
    sure, doubtful = state["plays"]
    assert sure["picture"] is None
    address = doubtful["picture"].removeprefix("/api/v1")
    assert server.client.get(address).content == b"the table"
    assert server.client.get(f"{address}?part=pile").content == b"the pile"
    assert server.client.get("/recordings").json()[0]["job"] == job["job"]
    assert server.client.delete(f"/recordings/{job['job']}").status_code == 200
    assert server.client.get(f"/recordings/{job['job']}").json()["key"] == "api.no_job"


def test_a_file_that_is_sent_lies_in_the_data_folder_until_it_is_read(server: Running) -> None:
    folder = server.folder / "uploads"
    sent = {"file": ("../../etc/slow game.MP4", b"x" * 300_000, "video/mp4")}
    answer = server.client.post("/recordings", files=sent, data={"rules": "modern", "names": "A,B"})
    job = answer.json()
    assert (answer.status_code, job["name"]) == (201, "slow game.MP4")
    (kept,) = folder.iterdir()
    assert kept.suffix == ".mp4"
    assert kept.read_bytes() == b"x" * 300_000
    assert "slow" not in kept.name
    ended(server, job["job"])
    sleep(0.2)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("name", "key"), [("broken", "source.empty"), ("dying", "api.job_died")])
def test_a_recording_that_cannot_be_read_says_why(server: Running, name: str, key: str) -> None:
    from advisor.messages import Catalogue
    from engine import PistiError

    state = ended(server, named(server, name)["job"])
    assert state["status"] == "failed"
    error: PistiError = server.app.state.jobs.get(state["job"]).error
    assert error.key == key
    assert state["error"] == Catalogue("en").error(error)
    refused = server.client.post(f"/recordings/{state['job']}/game")
    assert (refused.status_code, refused.json()["key"]) == (409, "api.not_read")


def test_reading_can_be_cancelled_and_tells_how_far_it_is(server: Running) -> None:
    address = server.address.replace("http", "ws") + "api/v1/ws"
    with connect(f"{address}?since={server.desk.hub.sequence}", proxy=None) as socket:
        job = named(server, "slow")
        second = named(server, "slow too")
        while True:
            notice = json.loads(socket.recv(timeout=60))
            if notice["type"] == "job" and notice["data"]["progress"] > 0.01:
                break
    assert notice["data"]["job"] == job["job"]
    assert notice["data"]["eta"] > 0
    assert server.client.get(f"/recordings/{second['job']}").json()["status"] == "waiting"
    for each in (second, job):
        cancelled = server.client.delete(f"/recordings/{each['job']}").json()
        assert cancelled["status"] == "cancelled"
        assert ended(server, each["job"])["status"] == "cancelled"
    assert ended(server, named(server, "good")["job"])["status"] == "done"


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b"{", "api.invalid"),
        (b"[]", "api.invalid"),
        (b'{"path": ""}', "api.invalid"),
        (b'{"path": "a.mp4", "rules": "home"}', "rules.preset"),
        (b'{"path": "a.mp4", "rules": "modern", "dealer": 4}', "api.dealer"),
        (b'{"path": "a.mp4", "rules": "modern players=2", "names": ["a", "b", "c"]}', "names.many"),
        (b'{"path": "a.mp4", "speed": 3}', "api.invalid"),
    ],
)
def test_what_is_no_recording_is_refused(server: Running, body: bytes, key: str) -> None:
    answer = server.client.post(
        "/recordings", content=body, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["key"]) == (422, key)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=b", b"x"),
        ("multipart/form-data; boundary=b", b"--b\r\n"),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\nx\r\n--b--',
        ),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="rules"\r\n\r\nmodern\r\n--b--',
        ),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
        ),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="rules"\r\n\r\n' + b"x" * 20_000,
        ),
    ],
)
def test_forms_that_are_none_leave_nothing(server: Running, kind: str, body: bytes) -> None:
    answer = server.client.post("/recordings", content=body, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["key"]) == (422, "api.form")
    folder = server.folder / "uploads"
    assert not folder.exists() or list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"dealer": "abc"}, "dealer: bir tam sayı olmalı"),
        ({"dealer": "6"}, "dealer: 6 değerinden küçük olmalı"),
        ({"names": "A," + "B" * 61}, "names.1: en çok 60 harf olmalı"),
        ({"rules": "x" * 1001}, "rules: en çok 1000 harf olmalı"),
    ],
)
def test_a_form_whose_fields_are_wrong_says_which(
    server: Running, fields: dict[str, str], said: str
) -> None:
    headers = {"Accept-Language": "tr"}
    files = {"file": ("a.mp4", b"x")}
    answer = server.client.post("/recordings", files=files, data=fields, headers=headers)
    assert (answer.status_code, answer.json()["key"]) == (422, "api.invalid")
    assert answer.json()["detail"] == f"İstek hatalı: {said}."
    assert list((server.folder / "uploads").iterdir()) == []


def test_a_name_that_no_file_can_have_is_that_of_none(server: Running) -> None:
    for path, body in (("/recordings", {"path": "a\0.mp4"}), ("/sources", {"source": "\0"})):
        answer = server.client.post(path, json=body)
        assert (answer.status_code, answer.json()["key"]) == (422, "source.missing")
        assert "\0" not in answer.json()["detail"]


def test_a_full_disk_is_said(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.api.uploads._SPARE", 10**15)
    answer = server.client.post("/recordings", files={"file": ("a.mp4", b"x")})
    assert (answer.status_code, answer.json()["key"]) == (507, "api.disk")


def test_from_another_machine_only_our_files_can_be_named(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.api.files._is_here", lambda _request: False)
    inside = server.folder / "good.mp4"
    for path in ("/etc/passwd", f"{server.folder}/../x.mp4", "good.mp4"):
        answer = server.client.post("/recordings", json={"path": path})
        assert (answer.status_code, answer.json()["key"]) == (403, "api.outside")
        answer = server.client.post("/sources", json={"source": path})
        assert (answer.status_code, answer.json()["key"]) == (403, "api.outside")
    assert server.client.post("/recordings", json={"path": str(inside)}).status_code == 201


def test_the_real_work_tells_what_is_wrong(server: Running, tmp_path: Path) -> None:
    from advisor.api.jobs import read_recording

    server.app.state.jobs._work = read_recording
    try:
        state = ended(server, named(server, str(tmp_path / "none.mp4"))["job"])
    finally:
        server.app.state.jobs._work = work
    assert state["status"] == "failed"
    assert "none.mp4" in state["error"]
