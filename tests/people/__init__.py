"""Evenings of simulated people who follow the screens: every flow, every game, and fools among them."""
