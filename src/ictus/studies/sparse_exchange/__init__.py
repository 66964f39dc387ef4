"""What sparse exchanges by schedules cost."""
