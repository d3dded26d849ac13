"""A module per target, the mirror of `loaders`: what is exported, a loader reads back."""
