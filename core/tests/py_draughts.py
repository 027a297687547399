"""Legal moves by py-draughts, for py_draughts.rs beside it: a line `BOARD FEN` in, a line of moves out.

A move is `from-to:taken,taken`, squares by number and what is taken in order; moves that are the same so are one.
"""

import sys

import draughts

for line in sys.stdin:
    board, fen = line.split()
    moves = set()
    for move in getattr(draughts, board).from_fen(fen).legal_moves:
        squares = [square + 1 for square in move.square_list]
        taken = sorted(square + 1 for square in move.captured_list)
        moves.add(f"{squares[0]}-{squares[-1]}:{','.join(map(str, taken))}")
    print(*sorted(moves))
