"""The one WebSocket: everything that happens, numbered, so that a client can catch up."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import APIRouter, WebSocket
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from advisor.api.desk import Desk
from advisor.api.hub import Hub, Subscriber
from engine import PistiError

router = APIRouter()


@router.websocket("/ws")
async def listen(socket: WebSocket) -> None:
    """Send what came after ``since``, and from then on what comes.

    Where that is too far back, the state of the game played last is sent first.
    """
    desk: Desk = socket.app.state.desk
    hub: Hub = desk.hub
    await socket.accept()
    subscriber, missed = hub.subscribe(_since(socket))
    try:
        if missed is None:
            await run_in_threadpool(_begin_anew, desk, subscriber)
        for notice in missed or ():
            await socket.send_text(notice.text)
        sending = asyncio.create_task(_send(socket, subscriber))
        receiving = asyncio.create_task(_receive(socket))
        tasks = (sending, receiving)
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            # One that has ended says how; the other has nothing to do any more.
            task.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await task
    except (WebSocketDisconnect, RuntimeError):
        # The client went away in the middle of a message.
        return
    finally:
        hub.unsubscribe(subscriber)


def _begin_anew(desk: Desk, subscriber: Subscriber) -> None:
    """Send the newest state of the game played last."""
    if desk.current is None:
        return
    with suppress(PistiError):
        desk.tell_anew(desk.game(desk.current), subscriber)


async def _send(socket: WebSocket, subscriber: Subscriber) -> None:
    while (notice := await subscriber.next()) is not None:
        await socket.send_text(notice.text)
    # Too far behind, or the server ends: the client comes again with the number it has.
    await socket.close(1013)


async def _receive(socket: WebSocket) -> None:
    """Read until the client leaves; what it sends, of whatever kind, means nothing."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        continue


def _since(socket: WebSocket) -> int | None:
    text = socket.query_params.get("since", "")
    return int(text) if text.isdecimal() and len(text) < 16 else None
