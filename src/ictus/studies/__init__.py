"""Studies: one folder each, all of one shape (study, record, analysis, tables, page, command)."""
