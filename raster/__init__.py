"""Pictures as pixels: PNG, and films of them; an SVG comes in, bytes go out.

The libraries for it come with the extra `pictures`. The fonts lie in `fonts/`, so that letters are
drawn on a machine without fonts, and alike on every machine.
"""
