"""Engine, bots, analysis and pictures, without a store."""
