"""`python -m tools.drawn_findings`: how often do the rules of findings err?"""
