"""Studies of clock synchronisation: what clocks.json says, errors over ranks, frontiers, grids, drifts, frequencies.

Pure: values in, values out. Files are read and ranks are started elsewhere.
"""
