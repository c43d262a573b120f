"""Environments: the games for programs that learn, in the words of two libraries.

`cartulary.envs.pettingzoo` (extra `pettingzoo`) and `cartulary.envs.openspiel` (extra `openspiel`)
load their library when they are imported. Both play a `played.CodedTable`: moves are codes of the
table of actions, positions are arrays. `docs/environments.md` is the guide.
"""
