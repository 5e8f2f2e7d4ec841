"""The imported object, which answers questions."""

from __future__ import annotations

from importlib import import_module
from time import monotonic
from typing import Any

from .answers import error_text, packed, written
from .boards import COMPARED
from .forms import AskForm, CannotAsk
from .known_forms import known_of
from .source import DATES, HASHES, calls_hash, code_of, is_method_call
from .state import CLOCK_READ, Generators, changed_in, kept_by
from .time_limit import PROCESSOR_SHARE, Expired, limited

BATCH_SECONDS = 0.05
"""The seconds after which the answers so far are written, before the object is asked again."""


class Asked:
    def __init__(self, text: Any, agent: Any, module: Any, game: Any, note: Any = "") -> None:
        self.text = text
        try:
            self.known = known_of(agent, game, module)
        except CannotAsk:
            raise
        except BaseException as error:
            raise CannotAsk("%s cannot be asked: %s" % (text, error_text(error))) from error
        code = code_of(agent, module)
        self.sees_dates = bool(DATES & {each.func.attr for each in code if is_method_call(each)})
        notes = (note, self.known.note, HASHES if calls_hash(code) else "")
        self.known = self.known._replace(note="; ".join(filter(None, notes)))
        self.generators = Generators(agent, module)
        self.agent, self.module = agent, module
        self.kept: Any = None
        """What the object kept when that was asked for the first time."""
        self.drew = False
        self.seen: list[Any] = []
        """The objects already searched for generators, and the forms that make an object for each position."""

    def opening(self) -> dict[str, Any]:
        """Return what the parent must know before it asks: the forms of the object, and how to ask it."""
        names = [form.name for form in self.known.forms]
        return {**self.known._asdict(), "forms": names, "unseen": self.generators.unseen}

    def answer(self, question: Any) -> dict[str, Any]:
        """Return the message that answers a question.

        For an ordinary question, it has the different answers and their counts; in a trial, one answer within a time
        limit; for `many` questions, a message for each. Other questions are about the state that the object keeps.
        """
        if "restart" in question:  # it could not be copied
            return {"restarted": False}
        if "kept" in question:
            now = kept_by(self.agent, self.module)
            self.kept = now if self.kept is None else self.kept
            return {"changed": changed_in(self.kept, now)}
        if "many" in question:
            return {"many": [self.answer({**each, **question["all"]}) for each in question["many"]]}
        form = self.known.forms[question["form"]]
        if "seconds" in question:
            return self.tried(form, question)
        if question.get("afresh"):
            self.generators.seed()
        found: list[Any] = []
        times: list[int] = []
        where = question["text"]
        self.made(form, question)
        before = None if self.drew or "seed" in question else self.generators.state()
        until = monotonic() + BATCH_SECONDS
        while sum(times) < question["times"]:
            answer = self.asked(form, question)
            try:
                one = packed(answer)
            except CannotAsk as refusal:
                raise CannotAsk("answers %r in %s: %s" % (written(answer), where, refusal)) from refusal
            except BaseException as error:
                raise CannotAsk("gives an answer in %s that cannot be read: %s" % (where, error_text(error))) from error
            if one in found:
                times[found.index(one)] += 1
            else:
                found.append(one)
                times.append(1)
            if monotonic() > until or (isinstance(one, dict) and "pairs" in one):
                break
        after = self.generators.state() if before is not None else {}
        self.drew = self.drew or any(after[name] != state for name, state in (before or {}).items())
        return {"answers": found, "times": times, "drew": self.drew, "clock": self.sees_dates or bool(CLOCK_READ)}

    def made(self, form: AskForm, question: Any) -> None:
        """Make the object for a question in advance, so that its random generators are found.

        If a new object with generators of its own is made for each position, its random numbers cannot be repeated.
        """
        if form.make is None:
            return
        try:
            agent = form.make(question)
            kept = form.make(question) is agent
        except CannotAsk:
            raise
        except BaseException as error:
            raise CannotAsk("failed in %s: %s" % (question["text"], error_text(error))) from error
        if not any(each is (agent if kept else form) for each in self.seen):
            self.seen.append(agent if kept else form)
            self.drew = (self.generators.watch(agent) and not kept) or self.drew

    def asked(self, form: AskForm, question: Any) -> Any:
        """Return the answer to one question; first show the earlier decisions and set the seed, if it says so."""
        try:
            if form.begin is not None:
                form.begin(question)
            if "seed" in question:
                self.generators.seed(question["seed"])
            return form.call(question)
        except CannotAsk:
            raise
        except BaseException as error:
            raise CannotAsk("failed in %s: %s" % (question["text"], error_text(error))) from error

    def tried(self, form: AskForm, question: Any) -> dict[str, Any]:
        if any(word in form.name for word in ("array", "vector", "planes", "mask")):
            try:
                import_module("numpy")  # an import that is interrupted cannot be repeated
            except ImportError as error:
                return {"failed": error_text(error)}
        try:
            self.made(form, question)  # it may load a table, which takes longer than an answer
        except CannotAsk as refusal:
            return {"failed": str(refusal)}

        def attempt() -> dict[str, Any]:
            try:
                self.generators.seed(0)
                if form.begin is not None:
                    form.begin(question)
                COMPARED.clear()
                answer = packed(form.call(question))
            except Expired:
                raise
            except BaseException as error:  # noqa: BLE001  a trial tells only whether it failed
                return {"failed": error_text(error)}
            return {"answers": [answer], "times": [1], "drew": False, "compared": [*{*COMPARED}]}

        try:
            seconds = question["seconds"]
            found, took = limited(seconds, question.get("wait", seconds / PROCESSOR_SHARE), attempt)
        except Expired:
            return {"failed": "no answer within %g s" % question["seconds"], "late": True}
        return dict(found, took=took)
