"""What looks like what: the skeleton of a name (UTS 39, section 4), as far as the table goes.

Two names with the same skeleton look alike. The table is that part of `confusables.txt` of Unicode
15.1 (https://www.unicode.org/Public/security/15.1.0/) which leads to letters and digits of ASCII,
folded as names are folded here; letters that no name may have are left out. Names in other
scripts are compared by their folded letters.

The skeleton is for comparison alone. Case does not count: `ADA` looks like the operator `Ada`.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_LOOKS_LIKE: Final[dict[str, str]] = {
    "2": "ƨϩᒿꙅꝛ",
    "3": "ȝɜʒзӡⳍꝫ𑣊𖼻",
    "4": "Ꮞ𑣏",
    "5": "ƽ𑣛",
    "6": "бᏮⳓ𑣕",
    "7": "𐓺𑣆",
    "8": "ȣ৪੪ଃ𐌚",
    "9": "৭੧୨൭ⳋꝯ𑣌𑣖",
    "a": "ɑαаᎪᗅꓮ𐊠𖽀",
    "aa": "ꜳ",
    "ae": "æӕ",
    "ao": "ꜵ",
    "au": "ꜷ",
    "av": "ꜹꜻ",
    "ay": "ꜽ",
    "b": "ƅβвьᏏᏴᑲᖯᗷꓐꞵ𐊂𐊡𐌁",
    "bl": "ы",
    "c": "сᏟᴄⲥꓚ𐊢𐌂𐐽𐔜𑣩",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓ",
    "dz": "ʣ",
    "e": "εеҽᎬⴹꓰꬲ𐊆𑣎",
    "f": "ϝքᖴẝꓝꞙꬵ𐊇𐊥𐔥𑣂",
    "g": "ƍɡԍցᏀᏳᶃꓖ",
    "h": "ηнһհᎻᏂᕼⲏꓧ𐋏",
    "j": "ʝϳјᎫᒍꓙ",
    "k": "κкᏦᛕⲕꓗ𐔘",
    "l": "ıǀɩɪιіӏ۱ᎥᏞᒪᛁⲓⳑⵏꓡꓲꙇ𐊊𐌉𐑃𐔦𑣃𑣒𖼖𖼨",
    "ll": "ǁ",
    "lo": "ю",
    "ls": "ʪ",
    "lz": "ʫ",
    "m": "μϻмᎷᗰᛖⲙꓟ𐊰𐌑",
    "n": "νոռⲛꓠ𐔓",
    "o": "οσоօ۵०০੦૦ଠ୦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿዐᴏᴑⲟⵔ〇ꓳꬽ𐊒𐊫𐐬𐓪𐔖𑓐𑣈𑣗𑣠",
    "oe": "œ",
    "oo": "ꚙꝏ",
    "p": "ρрᏢᑭⲣꓑ𐊕",
    "q": "ԛգզⵕ",
    "r": "ʀгᎡᎱᏒᖇᴦⲅꓣꭇꭈ𐓜𖼵",
    "rn": "𑜀𑣣",
    "s": "ѕտᏕᏚꓢꜱ𐊖𐑈𑣁𖼺",
    "t": "τтᎢⲧꓔ𐊗𐊱𐌕𑣜𖼊",
    "t3": "ꜩ",
    "tf": "ꝷ",
    "ts": "ʦ",
    "u": "ʋυսሀᑌᴜꓴꞟꭎꭒ𐓶𑣘𖽂",
    "ue": "ᵫ",
    "uo": "ꭣ",
    "v": "ѵ۷Ꮩᐯᴠⴸꓦꛟ𐔝𑜆𑣀𖼈",
    "w": "ɯѡԝաᎳᏔᴡꓪ𑜊𑜎𑜏𑣦",
    "x": "χхᕁᕽᚷⲭⵝꓫꭓ𐊐𐊴𐌗𐔧",
    "y": "ɣʏγуүყᎩᎽᶌỿⲩꓬꭚ𐊲𑣄𖽃",
    "z": "ζᏃᴢꓜ𑣉𑣥",
}
"""A letter or several, and what looks like them; after case folding, where small letters stand."""

_STROKES: Final = {"i": "l", "1": "l", "|": "l", "!": "l", "0": "o"}
"""What looks alike within ASCII, one letter for all of them."""

_TABLE: Final = str.maketrans(
    {one: letter for letter, others in _LOOKS_LIKE.items() for one in others} | _STROKES
)


def make_skeleton(name: str) -> str:
    """Return the skeleton of a name: what looks alike has the same one.

    Blanks and signs do not count: `A-da` looks like `Ada`.
    """
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    bare = "".join(one for one in letters if not unicodedata.combining(one))
    shown = bare.translate(_TABLE)
    return "".join(one for one in shown if one.isalnum()).replace("rn", "m")
