"""Hosts made of namespaces: each with its own network, clock, name and System V memory, on one machine and one kernel.

`hosts.py` makes and removes them, `machine.py` is the process of each host, `agent.py` starts commands inside.
"""
