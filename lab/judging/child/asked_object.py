"""The imported object, which answers questions."""

from __future__ import annotations

from importlib import import_module
from time import monotonic
from typing import Any, Callable

from .answers import answer_text, error_text, pack_answer
from .boards import COMPARISONS
from .forms import AskForm, CannotAsk
from .known_forms import find_profile
from .source import HASH_NOTE, code_of, has_random_hash, sees_dates
from .state import CLOCKS_READ, Generators, find_change, kept_state
from .time_limit import PROCESSOR_SHARE, Expired, call_within

BATCH_SECONDS = 0.05
"""The seconds after which the answers so far are written, before the object is asked again."""


class AskedObject:
    """An object to ask, and what is known about it. `text` names it in messages, and `note` tells how it was found."""

    def __init__(
        self, text: str, agent: Any, module: Any, game: Any, note: str = "", *, names_others: bool = True
    ) -> None:
        """Find the forms of the object. Raises `CannotAsk`.

        With `names_others`, the note names other objects of its class in the module.
        """
        self.text = text
        try:
            profile = find_profile(agent, game, module, names_others=names_others)
        except CannotAsk:
            raise
        except BaseException as error:
            raise CannotAsk("%s cannot be asked: %s" % (text, error_text(error))) from error
        code = code_of(agent, module)
        notes = [note, profile.note, HASH_NOTE if has_random_hash(code) else ""]
        self.profile = profile._replace(note="; ".join(filter(None, notes)))
        self.sees_dates = sees_dates(code)
        self.generators = Generators(agent, module)
        self.agent, self.module = agent, module
        self.first_state: Any = None
        """What the object kept when that was asked for the first time."""
        self.drew = False
        """Whether the object has drawn random numbers."""
        self.searched: list[Any] = []
        """The objects already searched for generators, and the forms that make an object for each position."""

    def opening(self) -> dict[str, Any]:
        """Return what the parent must know before it asks: the fields of the profile, and whether seeds repeat all."""
        names = [form.name for form in self.profile.forms]
        return {**self.profile._asdict(), "forms": names, "unrepeatable": self.generators.has_unrepeatable}

    def answer(self, question: Any) -> dict[str, Any]:
        """Return the message that answers a question: see the docstring of the package."""
        if "kept" in question:
            return {"changed": self.find_change()}
        if "questions" in question:
            return {"messages": [self.answer({**each, **question["shared"]}) for each in question["questions"]]}
        form = self.profile.forms[question["form"]]
        if "seconds" in question:
            return self.try_form(form, question)
        return self.ask_often(form, question)

    def find_change(self) -> str | None:
        """Return the name of what the object keeps that has changed since the first call: see `state.find_change`."""
        state = kept_state(self.agent, self.module)
        if self.first_state is None:
            self.first_state = state
        return find_change(self.first_state, state)

    def ask_often(self, form: AskForm, question: Any) -> dict[str, Any]:
        """Ask up to `times` times; return the different answers, and how often each was given."""
        if question.get("reseed"):
            self.generators.seed()
        self.make_in_advance(form, question)
        watches_draws = not self.drew and "seed" not in question
        states = self.generators.state() if watches_draws else {}
        answers: list[Any] = []
        counts: list[int] = []
        deadline = monotonic() + BATCH_SECONDS
        while sum(counts) < question["times"]:
            answer = self.ask(form, question)
            if answer in answers:
                counts[answers.index(answer)] += 1
            else:
                answers.append(answer)
                counts.append(1)
            has_probabilities = isinstance(answer, dict) and "pairs" in answer
            if has_probabilities or monotonic() > deadline:
                break
        if watches_draws:
            states_after = self.generators.state()
            self.drew = any(states_after[name] != state for name, state in states.items())
        reads_clock = self.sees_dates or bool(CLOCKS_READ)
        return {"answers": answers, "counts": counts, "drew": self.drew, "clock": reads_clock}

    def make_in_advance(self, form: AskForm, question: Any) -> None:
        """Make the object for a question in advance, so that its random generators are found.

        If a new object with generators of its own is made for each position, its random numbers cannot be repeated.
        """
        if form.make is None:
            return
        agent, again = guard(form.make, question), guard(form.make, question)
        is_kept = agent is again
        key = agent if is_kept else form
        if any(each is key for each in self.searched):
            return
        self.searched.append(key)
        has_generators = self.generators.add_those_of(agent)
        if has_generators and not is_kept:
            self.drew = True

    def ask(self, form: AskForm, question: Any) -> Any:
        """Return one answer as JSON; first show the earlier decisions and set the seed, if the question has them."""
        if form.begin is not None:
            guard(form.begin, question)
        if "seed" in question:
            self.generators.seed(question["seed"])
        answer = guard(form.call, question)
        where = question["text"]
        try:
            return pack_answer(answer)
        except CannotAsk as refusal:
            raise CannotAsk("answers %r in %s: %s" % (answer_text(answer), where, refusal)) from refusal
        except BaseException as error:
            raise CannotAsk("gives an answer in %s that cannot be read: %s" % (where, error_text(error))) from error

    def try_form(self, form: AskForm, question: Any) -> dict[str, Any]:
        """Return one answer within a time limit, or `failed` with the reason why there is none."""
        if any(word in form.name for word in ("array", "vector", "planes", "mask")):
            try:
                import_module("numpy")  # an import that is interrupted cannot be repeated
            except ImportError as error:
                return {"failed": error_text(error)}
        try:
            self.make_in_advance(form, question)  # it may load a table, which takes longer than an answer
        except CannotAsk as refusal:
            return {"failed": str(refusal)}

        def attempt() -> dict[str, Any]:
            try:
                self.generators.seed(0)
                if form.begin is not None:
                    form.begin(question)
                COMPARISONS.clear()
                answer = pack_answer(form.call(question))
            except Expired:
                raise
            except BaseException as error:  # noqa: BLE001  a trial tells only whether it failed
                return {"failed": error_text(error)}
            return {"answers": [answer], "comparisons": list(set(COMPARISONS))}

        seconds = question["seconds"]
        try:
            message, took = call_within(seconds, question.get("wait", seconds / PROCESSOR_SHARE), attempt)
        except Expired:
            return {"failed": "no answer within %g s" % seconds, "late": True}
        return {**message, "took": took}


def guard(call: Callable[[Any], Any], question: Any) -> Any:
    """Call a function of a form. Raises `CannotAsk` for whatever the agent raises."""
    try:
        return call(question)
    except CannotAsk:
        raise
    except BaseException as error:
        raise CannotAsk("failed in %s: %s" % (question["text"], error_text(error))) from error
