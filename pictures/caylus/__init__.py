"""Pictures of Caylus."""

from pictures.caylus.scene import draw

__all__ = ["draw"]
