"""Distinct partners: the algorithm that exported modules carry, word for word.

``has_matching`` knows nothing of a game. Its source text is copied into every module that needs it, so that comparing
this function with the reference on all small 0/1 matrices speaks about the copies as well.
"""

from collections.abc import Sequence


def has_matching(neighbours: Sequence[int]) -> bool:
    """Can each row be given its own bit out of its mask? Bits may be left over; no rows: yes.

    Up to four rows by Hall's condition (any ``n`` rows have at least ``n`` bits together), more by augmenting paths.
    """
    if len(neighbours) <= 4:
        unions = [(0, 1)]  # for each set of the rows so far: its bits, and how many the next row will need with it
        for row in neighbours:
            for bits, need in unions[:]:
                if (bits | row).bit_count() < need:
                    return False
                unions.append((bits | row, need + 1))
        return True
    holder: dict[int, int] = {}  # bit -> the row that has it
    for row_number in range(len(neighbours)):
        came_from: dict[int, int] = {}  # bit -> the row that asks its holder to move
        queue, free = [row_number], 0
        for row_number_asking in queue:
            wanted = neighbours[row_number_asking]
            while wanted and not free:
                bit = wanted & -wanted
                wanted ^= bit
                if bit not in came_from:
                    came_from[bit] = row_number_asking
                    if bit in holder:
                        queue.append(holder[bit])
                    else:
                        free = bit
        if not free:
            return False
        while free:  # along the path, each row takes the new bit and leaves its old one
            taker = came_from[free]
            old = next((bit for bit, row in holder.items() if row == taker), 0)
            holder[free] = taker
            if old:
                del holder[old]
            free = old
    return True
