"""Budget workbooks for AI-training clusters: built from scenarios, recalculated, reviewed."""
