"""What a person sees and can do, as plain data. Imports no Discord."""
