"""Runs a campaign: schedule first, then launch by launch, so that it can be interrupted anywhere and goes on."""
