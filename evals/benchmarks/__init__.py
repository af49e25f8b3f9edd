"""Costs of Footnote on a machine: ``python -m evals benchmark NAME``. One module a subject, one shared harness."""

from collections.abc import Mapping

BENCHMARKS: Mapping[str, str] = {
    "cold_start": "seconds and memory from the first line of Python to an acknowledged event and a first question",
    "concurrent_threads": "answers in many threads at once with a paced model: seconds and memory",
    "embedding_speed": "exported model against sentence-transformers, passages and questions",
    "event_loop_latency": "the loop's worst delay while a long paper is read, against busy cores alone",
    "lexical_search": "the lexical index against rank-bm25 on the same tokens",
    "library_writes": "adding, sharing and removing a paper in a full library against an empty one",
    "many_workspaces": "many small workspaces in one process: CPU a visit, memory, open files",
    "reading_overhead": "reading a page against the layout library's own call on the same page",
    "search_scaling": "a question and one paper more in a large workspace, at one size or several, with a plot",
}
"""Name of each module here with what it measures. It has ``add_arguments(parser)`` and ``run(options) -> Report``."""
