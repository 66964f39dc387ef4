"""How balanced the answers of MPI_Dims_create are."""
