"""All tables that scripts read: files and frames, and the rows of commands."""

from ictus.model.columns import campaigns, clocks, guidelines, machine, programs, studies
from ictus.model.columns.files import FILES

ROWS = tuple(table for room in (campaigns, guidelines, studies, clocks, programs, machine) for table in room.TABLES)
"""Of --json and --csv."""

BY_NAME = {file.name: file for file in (*FILES, *ROWS)}
