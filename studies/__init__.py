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
| `events` | the types of a study's stream: `STUDY_KINDS` |
| `state`, `fold` | `StudyTree` at a version; `fold`, `evolve` refuse what cannot come (`Misfit`) |
| `editing` | `make_event`: what an author asks for, as an event |
| `bounds` | `check_bounds`: is a study within its limits? |
| `writing`, `importing` | a study as a file, a chapter as a transcript, a transcript as a chapter |
| `variations` | the other lines of a transcript |
| `verification` | `verify_study`: the chain, the fold and the lines of a stream |
| `checking` | `check`: form and rules of a whole study file; `pick_language` |
"""

from cartulary.studies.checking import check, pick_language

__all__ = ["check", "pick_language"]
