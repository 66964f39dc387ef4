"""`make calibration`: does the product keep its promises on real launches?"""
