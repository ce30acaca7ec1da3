"""Messages that all see or that come unasked: panels, pings, hands, notices."""
