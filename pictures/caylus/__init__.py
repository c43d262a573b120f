"""Pictures of Caylus."""

from cartulary.pictures.caylus.scene import draw

__all__ = ["draw"]
