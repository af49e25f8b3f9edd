"""What readers said of answers, for the journal, for digests and for making test questions of corrections."""

import json
from collections.abc import Sequence
from datetime import datetime

from core.domain.model import Answer, Scope
from core.domain.records import Feedback
from core.library.common.codec import from_json
from core.library.sqlite.database import Database
from core.library.sqlite.selection import Selections

__all__ = ["Feedback", "SqliteFeedback"]


class SqliteFeedback:
    """Reads feedback; it is written through memory, beside the answers."""

    def __init__(self, database: Database, selections: Selections) -> None:
        self._database = database
        self._selections = selections

    async def given(self, scope: Scope) -> Sequence[Feedback]:
        """All feedback on answers that were given in the scope's channels, oldest first."""
        return await self._select(scope)

    async def corrections(self, scope: Scope) -> Sequence[Feedback]:
        """Those that say an answer is wrong and what would be right, oldest first."""
        return await self._select(scope, "AND f.verdict = 'wrong' AND trim(v.body) NOT IN ('\"\"', '')")

    async def _select(self, scope: Scope, fitting: str = "") -> Sequence[Feedback]:
        self._selections.check(scope)
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall(
                "SELECT w.body, a.channel, f.user, f.verdict, v.body, f.at FROM feedback f "
                "JOIN answer a ON a.number = f.answer JOIN wording w ON w.number = a.wording "
                "JOIN wording v ON v.number = f.wording "
                f"WHERE a.channel IN (SELECT value FROM json_each(?)) {fitting} ORDER BY f.number",
                (json.dumps(sorted(scope.channels)),),
            )
        return [
            Feedback(
                answer=from_json(Answer, row[0]),
                channel=row[1],
                user=row[2],
                verdict=row[3],
                words=from_json(str, row[4]),
                at=datetime.fromisoformat(row[5]),
            )
            for row in rows
        ]
