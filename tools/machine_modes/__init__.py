"""The modes of this machine: how much of the scatter between launches its probes explain (docs/machine-state.md)."""
