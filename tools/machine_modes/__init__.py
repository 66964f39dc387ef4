"""The modes of this machine: how much of the scatter between launches its probes explain (machine-state.md)."""
