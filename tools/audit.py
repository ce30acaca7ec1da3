"""Looks up known security holes in locked packages, by pip-audit: `python tools/audit.py LOCK...` (`make audit`).

It asks a public database. If that can't be reached, it says so: nothing was looked up, and nothing is wrong either.

exit status: 0 no hole is known, or the database can't be reached; 1 there are holes, which are named
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

UNREACHABLE = ("ServiceError", "ConnectionError", "Max retries", "timed out", "Could not connect", "Name or service")
"""What pip-audit says if the database doesn't answer."""


def audit(lock: str) -> int:
    """Print the known holes of a lock. Returns how many packages have some."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner=off"]
    done = subprocess.run(
        [*command, "--format=json", "--requirement", lock], capture_output=True, text=True, check=False
    )
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except ValueError:
        lines = done.stderr.strip().splitlines() or [f"pip-audit ended with status {done.returncode}"]
        if any(word in done.stderr for word in UNREACHABLE):
            print(f"{lock}: not looked up, because the database can't be reached.")
            return 0
        sys.exit(f"{lock}: {lines[-1]}")
    wrong = [package for package in packages if package.get("vulns")]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    print(
        f"{lock}: {len(packages) - len(unknown)} of {len(packages)} packages looked up, {len(wrong)} with known holes."
    )
    if unknown:
        print(f"  Not looked up, because the database doesn't know them or isn't the public one: {', '.join(unknown)}")
    for package in wrong:
        for hole in package["vulns"]:
            fixed = ", ".join(hole["fix_versions"]) or "no version yet"
            print(f"  {package['name']} {package['version']}: {hole['id']}, mended in {fixed}")
    return len(wrong)


def main(locks: list[str]) -> int:
    """Audit all locks. Returns the exit status."""
    return 1 if sum(audit(lock) for lock in locks if Path(lock).exists()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
