"""Findings of the papers, each with the plan that measures it here and the rule that says whether it holds."""
