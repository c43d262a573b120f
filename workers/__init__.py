"""What happens in the background: bots move, scores are counted.

`dispatcher` reads what was appended to the ledger and hands the tables to the `reactors`; the
`sweep` finds what was lost. `queue` names the jobs, `jobs` runs them through the same commands that
the service uses, `worker` is the process that runs them. `wiring` builds what a process needs from
its environment, `borrowed` contains what depends on the internals of RQ.
"""
