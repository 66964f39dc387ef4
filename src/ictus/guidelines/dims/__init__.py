"""`ictus dims`: is MPI_Dims_create as balanced as the standard asks?"""
