"""One folder a game, and beside them what all games share; `game.py` tells what a game is made of and finds them."""
