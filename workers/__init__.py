"""What happens in the background: bots' moves and the counting of scores.

`dispatcher` turns what was appended to the ledger into jobs, `queue` names them, `jobs` does them
through the same commands as everybody else, `worker` is the process that runs them.
"""
