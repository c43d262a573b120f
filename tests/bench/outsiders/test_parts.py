"""The bridges to engines of others find each tile of ours among theirs, however it is turned."""

from __future__ import annotations

from bench.outsiders.jcloisterzone.bridge import read_tiles
from bench.outsiders.parts import find_likest, list_ours, list_rotations, look, match_tiles
from cartulary.engine.carcassonne.tiles import LETTERS, TILES

THEIRS = """
<pack><tiles>
  <tile id="BA/LR"><cloister/><road>S</road><farm>NL NR EL ER SL SR WL WR</farm></tile>
  <tile id="BA/RrC"><road>S W</road><city pennant="yes">N</city>
    <farm city="N">WR EL ER SL</farm><farm>SR WL</farm><wagon-move/></tile>
</tiles></pack>
"""


def test_each_tile_is_found_though_theirs_are_turned_and_lack_pennants() -> None:
    for quarters in range(4):
        catalogue = {
            tile.letter: [part.turn(quarters) for part in list_ours(tile)] for tile in TILES
        }
        pairs = match_tiles(catalogue)
        assert list(pairs) == list(LETTERS)
        for tile in TILES:
            assert look(pairs[tile.letter].parts) == look(list_ours(tile)), tile.letter
            assert pairs[tile.letter].name == tile.letter
    bare = {
        letter: [part._replace(pennant=False) for part in parts]
        for letter, parts in catalogue.items()
    }
    assert match_tiles(bare)["C"].name == "C"


def test_a_place_on_their_tile_is_the_segment_of_ours_with_most_edges_in_common() -> None:
    tile = next(tile for tile in TILES if tile.letter == "L")
    for part in list_ours(tile):
        half = part._replace(edges=frozenset(sorted(part.edges)[:1]), names=("theirs",))
        assert find_likest(list_ours(tile), half).names == part.names


def test_a_tile_that_looks_alike_has_more_than_one_rotation() -> None:
    assert [len(list_rotations(letter, 1)) for letter in "BUD"] == [4, 2, 1]
    assert list_rotations("U", 3) == [1, 3]


def test_the_definitions_of_jcloisterzone_become_parts_with_places() -> None:
    tiles = read_tiles(THEIRS)
    assert [(part.kind, part.names) for part in tiles["BA/LR"]] == [
        ("monastery", ("CLOISTER",)),
        ("road", ("S",)),
        ("field", ("NL.NR.EL.ER.SL.SR.WL.WR",)),
    ]
    city = tiles["BA/RrC"][1]
    assert (city.kind, city.edges, city.pennant) == ("city", frozenset("N"), True)
