"""What happens in the background: bots move, scores are counted.

`dispatcher` reads what was appended to the ledger and hands the tables to the `reactors`; the
`sweep` finds what was lost. `queues` names the jobs, `jobs` runs them through the same commands
that the service uses, `worker` is the process that runs them. `wiring` builds what a process needs
from its environment, `process` contains what each of them needs. Jobs in a queue carry the names of
`jobs`, `analysing` and `archiving`: these modules stay where they are.
"""
