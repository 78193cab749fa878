"""What accounts refuse, each with a public code and words in both languages."""

from collections.abc import Mapping, Sequence

from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Text


class NotFound(GameError):
    """There is no such thing, or the viewer may not know that there is."""

    code = "not-found"


class SignUpRefused(GameError):
    """An account that cannot be made.

    Attributes:
        fields: what is wrong, in the language of the reader, by field name.
    """

    code = "sign-up-refused"

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        super().__init__("; ".join(f"{field}: {' '.join(messages)}" for field, messages in fields.items()))
        self.fields = fields


class SignInRefused(GameError):
    """A name and a password that do not belong together; which of the two is wrong is not said."""

    code = "sign-in-refused"
    text = Text(
        en="This name and password do not belong together.", ru="Это имя и этот пароль не подходят друг к другу."
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class PasswordNotConfirmed(SignInRefused):
    """Somebody who is signed in gave another password than the account's."""

    text = Text(en="This is not the password of the account.", ru="Это не пароль учётной записи.")


class TooManyAttempts(GameError):
    """Too many failed sign-ins or new accounts; even the right password has to wait.

    Attributes:
        wait_seconds: after which it may be tried again.
    """

    code = "too-many-attempts"

    def __init__(self, wait_seconds: int) -> None:
        minutes = max(1, round(wait_seconds / 60))
        self.wait_seconds = wait_seconds
        self.text = Text(
            en=f"Too many attempts. Try again in {minutes} min.",
            ru=f"Слишком много попыток. Повторите через {minutes} мин.",
        )
        super().__init__(self.text.en)


class AccountKept(GameError):
    """The last account that looks after the site, which cannot be deleted."""

    code = "account-kept"
    text = Text(
        en="Nobody else looks after this site: make another administrator first.",
        ru="Кроме вас, за сайтом никто не присматривает: сначала назначьте другого администратора.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class ProgramRefused(GameError):
    """A program of others that cannot be registered."""

    code = "program-refused"

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class TokenRefused(GameError):
    """An API token that is unknown, revoked or expired."""

    code = "token-refused"


class KeyReused(GameError):
    """A key that was sent with another request within the last day."""

    code = "idempotency-key-reused"
    text = Text(
        en="This Idempotency-Key was sent with another request. Take a new key for a new request.",
        ru="Этот Idempotency-Key уже прислан с другим запросом. Для нового запроса возьмите новый ключ.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class KeyInUse(GameError):
    """A key whose request is being carried out at this moment."""

    code = "idempotency-key-in-use"
    text = Text(
        en="The request with this Idempotency-Key is being carried out. Ask again in a moment.",
        ru="Запрос с этим Idempotency-Key сейчас выполняется. Повторите через мгновение.",
    )

    def __init__(self) -> None:
        super().__init__(self.text.en)


class TooManyTokens(GameError):
    """The user has as many tokens as one may have."""

    code = "too-many-tokens"

    def __init__(self, most: int) -> None:
        self.text = Text(
            en=f"You already have {most} tokens. Revoke one that you no longer need.",
            ru=f"У вас уже есть токены: {most}. Отзовите тот, который больше не нужен.",
        )
        super().__init__(self.text.en)
