"""Hosts made of namespaces: network, clock, name and System V memory of their own, on one machine and one kernel.

`hosts.py` makes and removes them, `machine.py` is the process that each one is, `agent.py` starts commands inside.
"""
