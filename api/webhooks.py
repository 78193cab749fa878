"""Webhooks: addresses that are told of what happens, signed as Standard Webhooks has it, and what they were told."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from drf_spectacular.utils import OpenApiExample, extend_schema
from msgspec import Meta
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.account import account_of
from api.pages import Collection, page_schema
from api.schema import Moment, body, problem, ref
from armybuilder.armylists.validation import shaped
from armybuilder.webhooks import queries, services
from armybuilder.webhooks.models import URL_LENGTH, Delivery, Happening, Webhook

HappeningName = Literal[
    "list.changed",
    "list.illegal",
    "list.shared",
    "release.published",
    "run.finished",
    "submission.received",
    "event.locked",
]
Happenings = Annotated[tuple[HappeningName, ...], Meta(min_length=1, max_length=len(Happening))]
Address = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=URL_LENGTH,
        description="An address on the public internet, of a host that is known there, by https, without a port, name"
        " or password of its own. Others are refused (422), but for hosts that the settings of the site allow.",
        extra_json_schema={"pattern": r"^https://[A-Za-z0-9._-]+(:443)?([/?#][!-~]*)?$"},
    ),
]
"""What the site asks by itself; `outbound` refuses the rest, and says why better than a pattern would."""
State = Literal["waiting", "delivered", "given_up"]


class WebhookOut(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook.

    Attributes:
        paused: why nothing is sent: its owner stopped it, the address is gone (410), or five messages in a row were
            given up; null while it works.
    """

    id: UUID
    address: str
    url: str
    happenings: tuple[HappeningName, ...]
    paused: Literal["owner", "gone", "given-up"] | None
    created_at: Moment

    @classmethod
    def of(cls, webhook: Webhook) -> "WebhookOut":
        """A stored hook."""
        return cls(
            id=webhook.pk,
            address=_address(webhook),
            url=webhook.url,
            happenings=msgspec.convert(webhook.happenings.split(), tuple[HappeningName, ...]),
            paused=msgspec.convert(webhook.paused or None, Literal["owner", "gone", "given-up"] | None),
            created_at=webhook.created,
        )


class WebhookWithSecret(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook with its secret, which is shown now and never again."""

    secret: str
    webhook: WebhookOut

    @classmethod
    def of(cls, made: services.WithSecret) -> "WebhookWithSecret":
        """What a service made."""
        return cls(secret=made.secret, webhook=WebhookOut.of(made.webhook))


class DeliveryOut(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was sent, or waits to be.

    Attributes:
        id: also the header `webhook-id`, the same at every try.
        happening: `ping` is the test.
        body: as it is signed and sent.
        status: of the last answer; null without one.
        answer: how the last answer began, or why there was none.
        next_at: when it is tried (again); null once it has arrived or is given up.
    """

    id: UUID
    happening: str
    body: str
    state: State
    attempts: int
    status: int | None
    answer: str
    next_at: Moment | None
    created_at: Moment
    finished_at: Moment | None

    @classmethod
    def of(cls, row: Delivery) -> "DeliveryOut":
        """A stored delivery."""
        state = msgspec.convert(row.state, State)
        return cls(
            id=row.pk,
            happening=row.happening,
            body=row.body,
            state=state,
            attempts=row.attempts,
            status=row.status,
            answer=row.said,
            next_at=row.due if state == "waiting" else None,
            created_at=row.created,
            finished_at=row.finished,
        )


class NewWebhook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An address to be told of what happens to your lists, simulations and events, or of new game data."""

    url: Address
    happenings: Happenings


class WebhookChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a webhook changes; what is not named stays.

    Attributes:
        paused: true stops it; false lets it go on with what happens from then on.
    """

    url: Address | msgspec.UnsetType = msgspec.UNSET
    happenings: Happenings | msgspec.UnsetType = msgspec.UNSET
    paused: bool | msgspec.UnsetType = msgspec.UNSET


EXAMPLE = OpenApiExample(
    "What an organiser wants to know",
    {"url": "https://bot.example.org/army-builder", "happenings": ["submission.received", "event.locked"]},
    request_only=True,
)


WEBHOOKS = Collection(WebhookOut, "created_at=created", "url")


class Webhooks(APIView):
    """Webhooks of the account."""

    @extend_schema(
        operation_id="list_webhooks",
        tags=["webhooks"],
        parameters=WEBHOOKS.parameters,
        responses={200: page_schema(ref(WebhookOut)), **problem(403)},
    )
    def get(self, request: Request) -> Response:
        """Your webhooks, the oldest first."""
        return WEBHOOKS.page(request, self, queries.webhooks_of(account_of(request)[0]), WebhookOut.of)

    @extend_schema(
        operation_id="create_webhook",
        tags=["webhooks"],
        request=body(ref(NewWebhook)),
        responses={201: ref(WebhookWithSecret)},
        examples=[EXAMPLE],
    )
    def post(self, request: Request) -> Response:
        """Have a public https address told of what happens from now on; the answer holds the secret that signs."""
        viewer, _ = account_of(request)
        new = shaped(request.data, NewWebhook)
        made = services.create_webhook(viewer, url=new.url, happenings=new.happenings)
        headers = {"Location": _address(made.webhook)}
        return Response(WebhookWithSecret.of(made), status=status.HTTP_201_CREATED, headers=headers)


class OneWebhook(APIView):
    """A webhook of the account."""

    @extend_schema(operation_id="read_webhook", tags=["webhooks"], responses={200: ref(WebhookOut), **problem(403)})
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """One of your webhooks."""
        return Response(WebhookOut.of(queries.own_webhook(webhook_id, account_of(request)[0])))

    @extend_schema(
        operation_id="change_webhook",
        tags=["webhooks"],
        request=body(ref(WebhookChange)),
        responses={200: ref(WebhookOut)},
        examples=[OpenApiExample("Stop for now", {"paused": True}, request_only=True)],
    )
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Change the address or what it is told of, stop it or let it go on."""
        viewer, _ = account_of(request)
        change = shaped(request.data, WebhookChange)
        present = queries.own_webhook(webhook_id, viewer)
        changed = services.change_webhook(
            viewer,
            webhook_id,
            url=present.url if isinstance(change.url, msgspec.UnsetType) else change.url,
            happenings=present.wanted if isinstance(change.happenings, msgspec.UnsetType) else change.happenings,
            is_paused=bool(present.paused) if isinstance(change.paused, msgspec.UnsetType) else change.paused,
        )
        return Response(WebhookOut.of(changed))

    @extend_schema(operation_id="delete_webhook", tags=["webhooks"], responses={204: None})
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """Delete a webhook with its deliveries; nothing is sent any more."""
        services.delete_webhook(account_of(request)[0], webhook_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Secret(APIView):
    """The secret that signs."""

    @extend_schema(
        operation_id="rotate_webhook_secret",
        tags=["webhooks"],
        request=None,
        responses={200: ref(WebhookWithSecret)},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Make a new secret; for a day the former one signs as well."""
        return Response(WebhookWithSecret.of(services.rotate_secret(account_of(request)[0], webhook_id)))


class Test(APIView):
    """Something to see whether it arrives."""

    @extend_schema(operation_id="test_webhook", tags=["webhooks"], request=None, responses={202: ref(DeliveryOut)})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Send a `ping`; the answer is a delivery to follow."""
        return _sending(services.test_webhook(account_of(request)[0], webhook_id))


DELIVERIES = Collection(DeliveryOut, "created_at=created", "finished_at=finished", "happening", "state")


class Deliveries(APIView):
    """What was sent."""

    @extend_schema(
        operation_id="list_webhook_deliveries",
        tags=["webhooks"],
        parameters=DELIVERIES.parameters,
        responses={200: page_schema(ref(DeliveryOut)), **problem(403)},
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """What was sent to a webhook within thirty days, or waits, newest first, with the answers."""
        webhook = queries.own_webhook(webhook_id, account_of(request)[0])
        return DELIVERIES.page(request, self, queries.deliveries_of(webhook), DeliveryOut.of)


class OneDelivery(APIView):
    """One delivery."""

    @extend_schema(
        operation_id="read_webhook_delivery", tags=["webhooks"], responses={200: ref(DeliveryOut), **problem(403)}
    )
    def get(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """How a delivery stands."""
        webhook = queries.own_webhook(webhook_id, account_of(request)[0])
        return Response(DeliveryOut.of(queries.delivery_of(webhook, delivery_id)))


class Again(APIView):
    """Sending once more."""

    @extend_schema(
        operation_id="repeat_webhook_delivery", tags=["webhooks"], request=None, responses={202: ref(DeliveryOut)}
    )
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Send a delivery once more, at once."""
        return _sending(services.send_again(account_of(request)[0], webhook_id, delivery_id))


def _sending(row: Delivery) -> Response:
    location = f"/api/v1/webhooks/{row.webhook_id}/deliveries/{row.pk}/"
    headers = {"Location": location, "Retry-After": "2"}
    return Response(DeliveryOut.of(row), status=status.HTTP_202_ACCEPTED, headers=headers)


def _address(webhook: Webhook) -> str:
    return f"/api/v1/webhooks/{webhook.pk}/"
