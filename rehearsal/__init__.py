"""A rehearsal for authors of clients: an edge before a real service that makes trouble on purpose.

`cartulary serve --rehearsal` starts the service on a store of its own and this edge before it. The
edge follows a script (`scripts`), writes down what the client does after each trouble (`report`),
and `judging` says whether a client did what `docs/http.md` asks for. The service itself has no part
of this: the edge is a process of its own and knows of the service nothing but its answers.
"""
