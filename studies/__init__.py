"""Studies: trees of positions with texts, marks and questions. Pure: no store, clock or chance.

| module | what |
|---|---|
| `faults` | `StudyFault`: what is wrong, where (JSON pointer), in a stable word and a sentence |
| `limits` | how much of everything a study may have |
| `texts` | the few signs of a text; what a text may not hold |
| `marks` | places and arrows on the board, in the words of the move contract |
| `questions` | "find the move": right lines, answers to wrong ones, hints |
| `form` | the form of a study file (`cartulary-study/1`), without the rules of a game |
| `lines` | the moves and draws of a chapter, played by the engine |
| `checking` | `check`: form and rules of a whole study file; `pick_language` |
"""

from cartulary.studies.checking import check, pick_language

__all__ = ["check", "pick_language"]
