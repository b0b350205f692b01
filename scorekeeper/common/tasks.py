"""The tasks by which the workers of each queue say that they are there."""

from __future__ import annotations

from collections.abc import Callable

from celery import shared_task

from scorekeeper.common.worker_heartbeats import get_task_name, list_queues, store_answer


def _make_answer(queue: str) -> Callable[[], None]:
    def answer() -> None:
        store_answer(queue)

    return answer


for _queue in list_queues():
    shared_task(name=get_task_name(_queue))(_make_answer(_queue))
