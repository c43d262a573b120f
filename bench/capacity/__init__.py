"""What a service of some size needs: coefficients that are measured, a model, a page."""
