"""The study of the arity of `ictus`' tree."""
