"""From campaigns to matched cases, verdicts, rankings and the report. Other features stand on its rows and warnings."""
