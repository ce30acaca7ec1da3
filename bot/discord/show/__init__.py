"""What all see, and what is sent without being asked: panels, pings, hands, notices."""
