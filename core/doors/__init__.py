"""The engine's use cases by subject; each door opens the rooms it needs and hands values back."""
