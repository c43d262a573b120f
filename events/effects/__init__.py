"""What each event does to a table: one function per event type, named in its row (`events.kinds`).

A function takes the table with the new version, time, position and status of its row, the event,
and the folding that it is part of. It returns a table with the parts that the event changes. It
changes nothing, except for the state that the folding owns (`Folding.own`).
"""

from cartulary.events.effects.arranging import (
    assign_seat,
    change_host,
    decline_seat,
    drop_seats,
    leave_seat,
    offer_seat,
    open_seat,
    take_seat,
)
from cartulary.events.effects.board import (
    abort_game,
    awaiting_score,
    create_game,
    end_play,
    make_move,
    renew_draws,
    score_game,
    start_game,
)
from cartulary.events.effects.clocks import (
    give_time,
    pause_game,
    ready_seat,
    resume_game,
    time_out_turn,
)
from cartulary.events.effects.folding import Earlier, Folding, NothingEarlier
from cartulary.events.effects.leaving import (
    forfeit_seat,
    return_seat,
    seat_stand_in,
    take_over_seat,
)
from cartulary.events.effects.proposals import (
    answer_proposal,
    close_proposal,
    make_proposal,
    take_back_moves,
)

__all__ = [
    "Earlier",
    "Folding",
    "NothingEarlier",
    "abort_game",
    "answer_proposal",
    "assign_seat",
    "awaiting_score",
    "change_host",
    "close_proposal",
    "create_game",
    "decline_seat",
    "drop_seats",
    "end_play",
    "forfeit_seat",
    "give_time",
    "leave_seat",
    "make_move",
    "make_proposal",
    "offer_seat",
    "open_seat",
    "pause_game",
    "ready_seat",
    "renew_draws",
    "resume_game",
    "return_seat",
    "score_game",
    "seat_stand_in",
    "start_game",
    "take_back_moves",
    "take_over_seat",
    "take_seat",
    "time_out_turn",
]
