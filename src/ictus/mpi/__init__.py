"""MPI installations: found, told apart, built for, launched, proved. What is special about one is in `flavours`."""
