"""Thirty people at once: every judgment that was acknowledged is in the log, in order, once.

With `pytest -s` it says how long they waited; that is no part of the test.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.training.studio.served import Served
from training.studio.actions import Judge
from training.studio.store import Store

PEOPLE, JUDGMENTS = 30, 5_000
SENTENCES, EXTRACTIONS = 25, 200


@pytest.mark.slow
def test_thirty_people_give_five_thousand_judgments(tmp_path: Path, serve: Callable[..., Served]) -> None:
    folder = tmp_path / "mine"
    for name in ("gold", "extractions"):
        (folder / name).mkdir(parents=True)
    gold = "".join(
        f"sent_id:{n}\tFerry {n} left Tarn .\n{n}--> Cluster 1:\nFerry {n} --> left --> Tarn\n\n"
        for n in range(1, SENTENCES + 1)
    )
    (folder / "gold" / "gold.txt").write_text(gold)
    lines = (f"{n}\tFerry {n}\tleft\tTarn{e}\n" for n in range(1, SENTENCES + 1) for e in range(EXTRACTIONS))
    (folder / "extractions" / "pithy.tsv").write_text("".join(lines))
    studio = serve(folder, "--twice", "0", "--name", "Ada")
    cookies = {f"Person {number}": studio.invite(f"Person {number}") for number in range(PEOPLE)}
    given: dict[str, list[str]] = {name: [] for name in cookies}
    waited: list[float] = []
    begin = time.monotonic()
    workers = [
        threading.Thread(target=_work, args=(studio.port, cookie, given[name], waited))
        for name, cookie in cookies.items()
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    took = time.monotonic() - begin
    waited.sort()
    half, most = (waited[int(share * len(waited))] * 1000 for share in (0.5, 0.95))
    print(f"{JUDGMENTS / took:.0f} judgments/s; one waits {half:.0f} ms, 95 % no more than {most:.0f} ms")
    studio.kill()
    events = [event for event in Store(folder).events() if isinstance(event.action, Judge)]
    assert len(events) == JUDGMENTS
    assert [event.seq for event in events] == sorted(event.seq for event in events)
    judged = [event.action.extraction for event in events if isinstance(event.action, Judge)]
    assert len(set(judged)) == JUDGMENTS  # nobody was given what another had judged
    for name, own in given.items():
        logged = [e.action.extraction.arg2 for e in events if e.person == name and isinstance(e.action, Judge)]
        assert logged == own  # each person's, in their order
    assert min(Counter(event.person for event in events).values()) > JUDGMENTS / PEOPLE / 10  # all got their share


def _work(port: int, cookie: str, given: list[str], waited: list[float]) -> None:
    """Judge until nothing is left, over one connection, as a browser does."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}", "Cookie": cookie}

    def post(path: str, body: dict[str, object]) -> dict[str, dict[str, object]]:
        connection.request("POST", f"/api/{path}", json.dumps(body), headers)
        response = connection.getresponse()
        answer = response.read()
        assert response.status == 200, answer
        return dict(json.loads(answer))

    item = post("queue", {"order": "random"})["item"]
    while item:
        slots = item["slots"]
        assert isinstance(slots, list)
        begin = time.monotonic()
        answer = post(f"cases/{item['id']}/judge", {"clusters": [], "version": item["version"], "order": "random"})
        waited.append(time.monotonic() - begin)
        given.append(slots[2])
        item = answer["item"]
