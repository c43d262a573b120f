"""The special buildings before the bridge (rules 1)."""

from __future__ import annotations

from tests.engine.caylus.position import DECLINE, Table, favour


def test_the_trading_post_gives_three_deniers() -> None:
    table = Table(3).put(0, "trading_post").begin("special_buildings")
    assert table.goods(0) == {"deniers": 3}


def test_the_merchants_guild_moves_the_provost_up_to_three_either_way_for_nothing() -> None:
    table = Table(3).put(0, "merchants_guild").provost(9).begin("special_buildings")
    assert table.asked == (0, "merchants_guild")
    steps = [move["steps"] for move in table.legal if move != DECLINE]
    assert steps == [-3, -2, -1, 1, 2, 3]
    table.play({"type": "move_provost", "steps": -2})
    assert table.told("provost_moved")[0]["to"] == 7
    assert table.told("paid") == []


def test_the_joust_is_one_denier_and_one_cloth_for_one_favour() -> None:
    table = Table(3).put(0, "joust_field").purse(0, cloth=2, deniers=2).begin("special_buildings")
    assert table.asked == (0, "joust_field")
    table.play({"type": "joust"})
    assert table.goods(0) == {"cloth": 1, "deniers": 1}
    assert table.asked == (0, "favour")
    assert table.view["joust_field"] == 0
    table.play(favour("prestige"))
    assert table.view["joust_field"] is None
    assert table.asked == (0, "bribe")
