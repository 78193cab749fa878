"""What a Discord bot answers to `!list LINK`: the sheet and the verdict of a shared list, as one message.

Discord itself is not needed here. With discord.py (which has the event loop; the client waits, so it gets a thread):

    @bot.event
    async def on_message(message):
        answer = await asyncio.to_thread(reply, api, message.content)
        if answer is not None:
            await message.channel.send(answer, allowed_mentions=discord.AllowedMentions.none())

usage: discord_bot.py ADDRESS MESSAGE        prints the answer; e.g. discord_bot.py http://127.0.0.1:8000 "!list …"
Needs the package under clients/python.
"""

import re
import sys

import httpx
from army_builder_client import ArmyBuilder, Problem, SharedList

COMMAND = "!list"
HELP = f"Write `{COMMAND}` and the share link of a list."
LONGEST = 2000
"""Characters of a message, by Discord's limit."""

VERDICTS = {"legal": "✅ legal", "illegal": "❌ illegal", "not_checked": "❔ not checked"}
LINK = re.compile(r"<?(?:https?://[^/\s]+/s/)?([\w-]+)/?>?", re.ASCII)


def reply(api: ArmyBuilder, text: str) -> str | None:
    """The answer to a message; None for a message that is no command."""
    command, _, argument = text.strip().partition(" ")
    if command != COMMAND:
        return None
    link = LINK.fullmatch(argument.strip())
    if link is None:
        return HELP
    try:
        return shown(api.shared(link[1]))
    except Problem as problem:
        return f"That list cannot be shown: {plain(problem.detail)}"
    except httpx.TransportError:
        return "The site cannot be reached just now."


def shown(shared: SharedList) -> str:
    """A list as a message: name, verdict, units by role, findings; cut at a line's end where it is too long."""
    sheet = shared["sheet"]
    price = [] if sheet["points"] is None else [f"{sheet['points']:g}"]
    if price and sheet["limit"] is not None:
        price.append(f"of {sheet['limit']:g}")
    lines = [
        f"**{plain(sheet['name'])}** ({plain(sheet['game'])})",
        " ".join([VERDICTS[sheet["verdict"]], *(["–", *price, "points"] if price else [])]),
    ]
    for detachment in sheet["detachments"]:
        lines.append(f"__{plain(detachment['name'])}__ {plain(detachment['faction'])}".rstrip())
        for role in detachment["roles"]:
            if role["units"] and not role["sets_up"]:
                lines.append(f"{plain(role['name'])}: " + ", ".join(plain(unit["name"]) for unit in role["units"]))
    lines += [f"• {plain(finding['message'])}" for finding in sheet["findings"]]
    return cut(lines)


def cut(lines: list[str]) -> str:
    """As many lines as a message holds, and how many are missing."""
    text = "\n".join(lines)
    kept = len(lines)
    while len(text) > LONGEST and kept:
        kept -= 1
        text = "\n".join([*lines[:kept], f"… and {len(lines) - kept} more lines"])
    return text


def plain(text: str) -> str:
    """A text of a player's without effect: no mark-up, no mention of anybody."""
    return re.sub(r"([\\*_~`|>#\[\]])", r"\\\1", text.replace("\n", " ")).replace("@", "@\u200b")


if __name__ == "__main__":
    with ArmyBuilder(sys.argv[1]) as site:
        print(reply(site, sys.argv[2]))
