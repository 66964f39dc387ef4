"""What a precision goal saves."""
