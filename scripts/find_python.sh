#!/bin/sh
# Prints the first Python on the path that agentui runs on (3.11 or newer).
# AGENTUI_PYTHON, when set, is tried first.
for candidate in "${AGENTUI_PYTHON:-}" python3 python3.13 python3.12 python3.11 python3.14 python; do
    [ -n "$candidate" ] || continue
    # A version manager's shim may exist and still refuse to run: ask it.
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "$candidate"
        exit 0
    fi
done
echo "agentui needs Python 3.11 or newer with its venv module (on Debian: python3-venv)." >&2
echo "None was found on the path; set AGENTUI_PYTHON to one." >&2
exit 1
