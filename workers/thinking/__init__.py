"""How long bots and analyses may compute, and how analyses go on slice by slice."""
