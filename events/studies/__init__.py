"""The streams of studies, the lists of them, and what authors ask for."""
