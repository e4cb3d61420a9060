"""What a model may answer: one JSON object with the number of a fact, by schema where the server can.

It is read strictly either way. An answer that is anything else is invalid: it is counted and never guessed at, and no
number is looked for in prose.
"""

from __future__ import annotations

import json
from typing import Any

FIELD = "fact"
NONE = 0
_FENCE = "```"


def schema(facts: int) -> dict[str, Any]:
    """The JSON schema of an answer about so many facts."""
    return {
        "type": "object",
        "properties": {FIELD: {"type": "integer", "enum": list(range(facts + 1))}},
        "required": [FIELD],
        "additionalProperties": False,
    }


def parse_answer(text: str, facts: int) -> int | None:
    r"""The number of the fact, 0 for none of them, or None if the answer is invalid.

    White space and one fence around the whole answer are no part of it.

    >>> parse_answer('{"fact": 2}', 3), parse_answer('```json\n{"fact": 0}\n```', 3)
    (2, 0)
    >>> parse_answer('{"fact": 4}', 3), parse_answer("It is fact 2.", 3), parse_answer('{"fact": true}', 3)
    (None, None, None)
    """
    body = text.strip()
    if body.startswith(_FENCE) and body.endswith(_FENCE) and len(body) > 2 * len(_FENCE):
        body = body[len(_FENCE) : -len(_FENCE)].removeprefix("json").strip()
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or list(value) != [FIELD]:
        return None
    number = value[FIELD]
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= facts:
        return None
    return number
