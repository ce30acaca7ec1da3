"""Asks Harbormaster on this machine whether it is alive, or with the argument /readyz whether people can play.

If HARBORMASTER_HTTP names no port, there is nothing to ask.
"""

import http.client
import os
import sys

place = os.environ.get("HARBORMASTER_HTTP", "")
if place:
    connection = http.client.HTTPConnection(place if ":" in place else f"127.0.0.1:{place}", timeout=3)
    try:
        connection.request("GET", sys.argv[1] if len(sys.argv) > 1 else "/healthz")
        answer = connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        sys.exit(f"{place} doesn't answer: {error}")
    print(answer.read().decode(errors="replace"))
    sys.exit(answer.status != 200)
