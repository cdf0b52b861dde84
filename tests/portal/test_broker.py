from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from portal.broker import Channel
from portal.settings.backends import broker_settings


@pytest.fixture
def new_channel(tmp_path: Path) -> Callable[[], Channel]:
    """Return what opens another channel to one folder of messages."""
    address, options = broker_settings(None, var_dir=tmp_path)

    def open_channel() -> Channel:
        channel = Connection(address, transport_options=options).channel()
        assert isinstance(channel, Channel)
        return channel

    return open_channel


def take_all(channel: Channel) -> list[int]:
    taken = []
    while True:
        try:
            taken.append(channel._get("celery")["number"])
        except Empty:
            return taken


def test_messages_come_in_the_order_in_which_they_were_put(new_channel: Callable[[], Channel]) -> None:
    sender, receiver = new_channel(), new_channel()
    for number in range(20):
        sender._put("celery", {"number": number})

    assert take_all(receiver) == list(range(20))


def test_each_message_goes_to_one_of_several_receivers(new_channel: Callable[[], Channel]) -> None:
    sender = new_channel()
    for number in range(200):
        sender._put("celery", {"number": number})

    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(take_all, [new_channel() for _ in range(4)]))

    assert sorted(number for share in shares for number in share) == list(range(200))


def test_receivers_take_whole_messages_while_they_are_written(new_channel: Callable[[], Channel]) -> None:
    text = "x" * 200_000

    def send() -> None:
        for number in range(50):
            sender._put("celery", {"number": number, "text": text})

    sender, receiver = new_channel(), new_channel()
    taken: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(send)
        while not sending.done():
            taken += take_all(receiver)
    taken += take_all(receiver)

    assert sorted(taken) == list(range(50))


def test_queues_do_not_mix_and_nothing_is_left_behind(
    new_channel: Callable[[], Channel], tmp_path: Path
) -> None:
    channel = new_channel()
    channel._put("other", {"number": 1})

    assert take_all(channel) == []
    assert channel._get("other") == {"number": 1}
    assert list((tmp_path / "broker" / "queue").iterdir()) == []
