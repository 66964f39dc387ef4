"""How ranks start together: exit skew of barriers and other starts, windows and their invalid samples, local and global
times. Arithmetic only: documents in, values out.
"""
