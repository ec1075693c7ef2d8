"""The stages of elaboration before the process graph: constants, declarations, and checks of the whole."""
