# Sourced by ../run and ../test, which set $here. Sets $python to an interpreter of a version
# that the locked packages are made for, or says what to install and exits.

suits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
# Debian packs ensurepip apart from Python, so a Python that has it goes before one that has not.
makes='import ensurepip, venv'

python=$here/../.venv/bin/python
if ! "$python" -E -s -S -c "$suits" 2>/dev/null; then
    python=
    second_choice=
    for candidate in ${INGLENOOK_PYTHON:-python3 python3.12 python3.11 python3.13}; do
        "$candidate" -E -s -c "$suits" >/dev/null 2>&1 || continue
        if "$candidate" -E -s -c "$makes" >/dev/null 2>&1; then
            python=$candidate
            break
        fi
        second_choice=${second_choice:-$candidate}
    done
    python=${python:-$second_choice}
fi

if [ -z "$python" ]; then
    found=$(python3 --version 2>&1) || found="no Python"
    if command -v apt-get >/dev/null 2>&1; then
        line="sudo apt install python3.11 python3.11-venv"
    elif command -v dnf >/dev/null 2>&1; then
        line="sudo dnf install python3.12"
    elif command -v zypper >/dev/null 2>&1; then
        line="sudo zypper install python312"
    elif command -v pacman >/dev/null 2>&1; then
        line="sudo pacman -S uv && uv python install 3.12 && INGLENOOK_PYTHON=\$(uv python find 3.12) $0"
    else
        line="install Python 3.12, then: INGLENOOK_PYTHON=/path/to/python3.12 $0"
    fi
    echo "Inglenook needs Python 3.11, 3.12 or 3.13; this machine has $found." >&2
    echo "  $line" >&2
    exit 1
fi
