"""Writes to simulations: asking, cancelling, claiming a guest's runs at sign-up."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from armybuilder.accounts.attempts import address_mark
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.edits import parse_edits
from armybuilder.armylists.share_links import new_token
from armybuilder.armylists.validation import shaped
from armybuilder.armylists.what_if import builds_by_edits, builds_by_option
from armybuilder.compiled_queries import CompiledInsert, CompiledQuery
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.heroes.edits import AnyEdit
from armybuilder.request_trail import access
from armybuilder.simulations import dispatch, queries, raw_sql, runs
from armybuilder.simulations.battles import BattleRequest, whole_battle
from armybuilder.simulations.errors import CannotBeAsked, TooMuchAsked
from armybuilder.simulations.list_requests import (
    MatrixRequest,
    PairRequest,
    UpgradeRequest,
    army_in,
    army_of,
    attack_of,
    conditions_of,
    read_request,
    referred_list,
    unit_of,
)
from armybuilder.simulations.matrices import list_matchup
from armybuilder.simulations.models import UNFINISHED, Chunk, Computation, RunKind, RunState, SimulationRun
from armybuilder.simulations.requests import (
    Question,
    battle_question,
    matchup_question,
    matrix_question,
    pair_question,
    upgrade_question,
)
from armybuilder.simulations.upgrades import changed_unit, upgrade

_NEW_RUN, _NEW_COMPUTATION = CompiledInsert(SimulationRun), CompiledInsert(Computation)
_NEW_CHUNK = CompiledInsert(Chunk)
_ASKED_BEFORE = CompiledQuery(Computation.objects.all(), "request_hash", "model_version")

TITLE_LENGTH = 300

REQUEST_BYTES = 1_000_000
"""A larger question is refused before it is stored."""


def request_simulation(viewer: Viewer, request: object) -> SimulationRun:
    """Ask for a simulation; a question that was answered before is answered at once.

    Args:
        request: parsed JSON. A matchup document (`system` and a `kind` of that game), or
            `{"kind": "matrix", "attacker": REF, "defender": REF, "conditions": {...}}`, or
            `{"kind": "pair", "attacker": REF, "defender": REF, "attacker_unit": id,
            "defender_unit": id, "conditions": {...}}`, or
            `{"kind": "upgrade", "army": REF, "unit": id, "option": {"parent_id": id, "entry_id": id},
            "targets": [REF with "unit": id], "conditions": {...}}`, or
            `{"kind": "battle", "attacker": REF, "defender": REF, "trials": number, "seed": number}`;
            REF is `{"list": uuid}` (one's own) or `{"share": token or address}`, for whoever suffers also
            `{"target": uuid}`, `{"standard": name}` or `{"custom": unit}`.

    Raises:
        BadDocument: the request cannot be read.
        LimitExceeded: larger than the service computes, or too many unfinished runs of this viewer.
        NotFound: a list or unit the viewer may not see.
    """
    question, title = _question(viewer, request)
    if len(question.text) > REQUEST_BYTES:
        raise LimitExceeded(f"The question has {len(question.text)} bytes; the limit is {REQUEST_BYTES}.")
    with transaction.atomic():
        computation, is_new = _computation_of(question)
        if not is_new:
            computation = Computation.objects.select_for_update().get(pk=computation.pk)  # it may be given up just now
            is_new = _asked_again(computation)
        if computation.state in UNFINISHED:
            _refuse_too_many(viewer)
        run = _NEW_RUN.store(
            SimulationRun(
                owner=viewer.user,
                guest_key=None if viewer.user is not None else viewer.guest_key,
                asked_from="" if viewer.user is not None else address_mark(viewer.address),
                computation=computation,
                title=title,
                asked=msgspec.json.encode(request).decode(),
            )
        )
        access.info("asked %s run=%s computation=%s", computation.kind, run.pk, computation.pk)
        if is_new:
            transaction.on_commit(partial(dispatch.send, computation.pk))
    return run


def cancel(viewer: Viewer, run_id: UUID) -> SimulationRun:
    """Give up a run; the work stops when nobody else waits for it. A finished run stays as it is.

    Raises:
        NotFound: not one's own run.
    """
    with transaction.atomic():
        run = queries.cancellable_run(run_id, viewer)
        Computation.objects.select_for_update().filter(pk=run.computation_id).values_list("pk", flat=True).first()
        if run.is_finished:
            return run
        SimulationRun.objects.filter(pk=run.pk, cancelled__isnull=True).update(cancelled=timezone.now())
        if not SimulationRun.objects.filter(computation=run.computation_id, cancelled__isnull=True).exists():
            runs.cancel(run.computation_id)
    return queries.cancellable_run(run_id, viewer)


def share(viewer: Viewer, run_id: UUID) -> str:
    """The token of the link under which everybody reads a finished run; the same as long as it is shared.

    Raises:
        NotFound: not one's own run.
        CannotBeAsked: it is not done yet.
    """
    run = queries.cancellable_run(run_id, viewer)
    if run.state != RunState.DONE:
        raise CannotBeAsked(
            Text("Only a finished simulation can be shared.", "Поделиться можно только готовым расчётом."), ""
        )
    SimulationRun.objects.filter(pk=run.pk, share_token__isnull=True).update(share_token=new_token())
    return str(queries.cancellable_run(run_id, viewer).share_token)


def unshare(viewer: Viewer, run_id: UUID) -> None:
    """Take the link back; who has it finds nothing any more. Raises NotFound."""
    run = queries.cancellable_run(run_id, viewer)
    SimulationRun.objects.filter(pk=run.pk).update(share_token=None)


def discard(viewer: Viewer, run_id: UUID) -> None:
    """Remove a finished run, and give up any other.

    What was computed stays for others who ask the same, until it is forgotten (`retention.py`).

    Raises:
        NotFound: not one's own run.
    """
    run = queries.cancellable_run(run_id, viewer)
    if run.is_finished:
        SimulationRun.objects.filter(pk=run.pk).delete()
    else:
        cancel(viewer, run_id)


def claim_guest_runs(user: User, guest_key: UUID) -> int:
    """Give a guest's runs to the account he has signed up for; how many there were."""
    return SimulationRun.objects.filter(guest_key=guest_key).update(owner=user, guest_key=None)


def _question(viewer: Viewer, request: object) -> tuple[Question, str]:
    """The request as a question of its own, and a title for the list of runs."""
    if not isinstance(request, Mapping):
        raise BadDocument("A simulation request is a JSON object.")
    name = request.get("name")
    if request.get("kind") in (RunKind.MATRIX, RunKind.PAIR, RunKind.UPGRADE):
        wanted = read_request(request)
        if isinstance(wanted, UpgradeRequest):
            return _question_of_an_option(viewer, wanted)
        return _question_of_lists(viewer, wanted)
    if request.get("kind") == RunKind.BATTLE and "system" not in request:  # with one it is a document: Relic's battle
        return _question_of_a_battle(viewer, shaped(dict(request), BattleRequest))
    title = name if isinstance(name, str) and name else f"{request.get('kind', '')} ({request.get('system', '')})"
    return matchup_question(request), title[:TITLE_LENGTH]


def _question_of_lists(viewer: Viewer, wanted: MatrixRequest | PairRequest) -> tuple[Question, str]:
    """Two armies, or a unit of each, as they are now: what the viewer may not see is not found."""
    attacker = army_of(viewer, wanted.attacker, at="/attacker")
    defender = army_of(viewer, wanted.defender, at="/defender")
    if wanted.system is not None and wanted.system != attacker.system:
        raise CannotBeAsked(
            Text(
                f"“{attacker.name}” is a list of {attacker.system}, not of {wanted.system}.",
                f"«{attacker.name}» – ростер другой игры.",
            ),
            "/system",
        )
    conditions = conditions_of(attacker.system, wanted.conditions, at="/conditions")
    if isinstance(wanted, MatrixRequest):
        attack = attack_of(attacker.system, wanted.attack, at="/attack")
        title = wanted.name or f"{attacker.name} – {defender.name}"
        return matrix_question(list_matchup(attacker, defender, conditions, attack=attack)), title[:TITLE_LENGTH]
    first = unit_of(attacker, wanted.attacker_unit, at="/attacker_unit")
    second = unit_of(defender, wanted.defender_unit, at="/defender_unit")
    attacker, defender = replace(attacker, fighters=(first,)), replace(defender, fighters=(second,))
    title = wanted.name or f"{first.name} – {second.name}"
    return pair_question(list_matchup(attacker, defender, conditions)), title[:TITLE_LENGTH]


def _question_of_a_battle(viewer: Viewer, wanted: BattleRequest) -> tuple[Question, str]:
    """Two lists as they are now, over a whole battle; what the viewer may not see is not found."""
    attacker = army_of(viewer, wanted.attacker, at="/attacker")
    defender = army_of(viewer, wanted.defender, at="/defender")
    question = whole_battle(attacker, defender, trials=wanted.trials, seed=wanted.seed, mission=wanted.mission)
    return battle_question(question), (wanted.name or f"{attacker.name} – {defender.name}")[:TITLE_LENGTH]


def _question_of_an_option(viewer: Viewer, wanted: UpgradeRequest) -> tuple[Question, str]:
    """A unit of a list in two builds, against targets; what the viewer may not see is not found."""
    army_list = referred_list(viewer, wanted.army, "/army")
    if (wanted.option is None) == (not wanted.edits):
        raise BadDocument("Name what makes the difference by exactly one of option and edits.", "/option")
    if wanted.option is not None:
        option = wanted.option
        builds = builds_by_option(army_list, parent_id=option.parent_id, entry_id=option.entry_id, more=option.more)
    else:
        builds = builds_by_edits(army_list, parse_edits({"edits": list(wanted.edits)}, AnyEdit))
    without, having = (army_in(army_list, state, at="/army") for state in (builds.without, builds.having))
    conditions = conditions_of(without.system, wanted.conditions, at="/conditions")
    apart = {fighter.unit for fighter in having.fighters} ^ {fighter.unit for fighter in without.fighters}
    if apart:
        both = (*having.fighters, *without.fighters)
        named = ", ".join(fighter.name for fighter in both if fighter.unit in apart)
        raise CannotBeAsked(
            Text(
                f"{named} fights as a unit of its own; compare it in a matchup of the lists.",
                f"«{named}» сражается отдельным отрядом: сравните его в столкновении ростеров.",
            ),
            "/option",
        )
    unit = wanted.unit or changed_unit(without, having, at="/option")
    first, second = (unit_of(army, unit, at="/unit") for army in (without, having))
    targets = []
    for index, reference in enumerate(wanted.targets):
        at = f"/targets/{index}"
        army = army_of(viewer, reference, at=at)
        if army.system != without.system:
            raise CannotBeAsked(Text(f"“{army.name}” belongs to another game.", f"«{army.name}» – из другой игры."), at)
        targets.append(replace(army, fighters=(unit_of(army, reference.unit, at=f"{at}/unit"),)))
    question = upgrade(
        builds.name,
        is_taken=builds.is_taken,
        without=replace(without, fighters=(first,)),
        having=replace(having, fighters=(second,)),
        targets=targets,
        conditions=conditions,
    )
    return upgrade_question(question), (wanted.name or f"{second.name}: {builds.name.en}")[:TITLE_LENGTH]


def _computation_of(question: Question) -> tuple[Computation, bool]:
    """The work behind a question, made if nobody asked it before; whether it was made."""
    known = _ASKED_BEFORE.one(question.fingerprint, question.model_version)
    if known is not None:
        return known, False
    try:
        with transaction.atomic():
            computation = _NEW_COMPUTATION.store(
                Computation(
                    request_hash=question.fingerprint,
                    model_version=question.model_version,
                    kind=question.kind,
                    request=question.text,
                    seed=question.seed,
                    chunk_count=question.chunks,
                    sent=raw_sql.database_time(),
                )
            )
            for index in range(question.chunks):
                _NEW_CHUNK.store(Chunk(computation=computation, index=index))
    except IntegrityError:  # somebody else asked the same at the same moment
        return Computation.objects.get(request_hash=question.fingerprint, model_version=question.model_version), False
    return computation, True


def _asked_again(computation: Computation) -> bool:
    """Start a computation again that failed or was given up; whether it has to be sent."""
    if computation.state in (RunState.FAILED, RunState.CANCELLED) and runs.requeue(computation.pk):
        computation.refresh_from_db(fields=["state"])
        return True
    return False


def _refuse_too_many(viewer: Viewer) -> None:
    if viewer.user is None and raw_sql.waiting_without_account() >= settings.GUEST_SIMULATIONS_AT_ONCE:
        raise TooMuchAsked(
            Text(
                "Too many simulations are waiting. Try again later, or sign in.",
                "Слишком много расчётов ждёт очереди. Попробуйте позже или войдите.",
            )
        )
    waiting = SimulationRun.objects.filter(cancelled__isnull=True, computation__state__in=UNFINISHED)
    unfinished = queries.runs_of(viewer).filter(pk__in=waiting).count() if viewer.is_anybody else 0
    if viewer.user is None and viewer.address:
        unfinished = max(unfinished, waiting.filter(asked_from=address_mark(viewer.address)).count())
    if unfinished >= settings.SIMULATIONS_AT_ONCE:
        raise TooMuchAsked(
            Text(
                f"{unfinished} of your simulations are waiting or running; {settings.SIMULATIONS_AT_ONCE} are allowed "
                "for an account, or an address without one. Wait for one, or cancel it.",
                f"Ваших расчётов ждёт или идёт: {unfinished}; учётной записи или адресу без неё можно не больше "
                f"{settings.SIMULATIONS_AT_ONCE}. Дождитесь одного или отмените его.",
            )
        )
