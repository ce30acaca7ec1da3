"""What a person sees and may do, as plain data; knows no Discord."""
