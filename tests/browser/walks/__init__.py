"""Long ways through the whole client: whole games by touch, every page in every language."""
