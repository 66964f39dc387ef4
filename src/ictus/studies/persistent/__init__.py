"""`ictus persistent`: after how many calls a persistent collective has paid for its making."""
