"""Performance guidelines: rules that a library's own calls set for each other, and whether its launches keep them.

Pure: medians of launches in, verdicts out (Hunold, Carpen-Amarie, Luebbe and Traeff 2016).
"""
