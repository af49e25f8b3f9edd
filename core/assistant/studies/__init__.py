"""Studies of whole papers: summaries, tables, comparisons, reviews."""
