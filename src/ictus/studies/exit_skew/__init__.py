"""`ictus barriers skew`: how far apart ranks leave what they entered together."""
