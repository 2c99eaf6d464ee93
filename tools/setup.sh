#!/bin/sh
# Makes .venv, or brings it up to date; called by make before anything else. PYTHON names the interpreter (python3).
# `setup.sh run` installs what tactician runs on, `setup.sh dev` the development tools as well.
#
# What was installed is written into .venv/.installed-run and .venv/.installed-dev: the folder, Python's version and a
# checksum of what decides the packages. As long as that is the same there is nothing to do. Missing system packages are
# installed if the user is root on Debian; others are told what is missing.
set -eu

cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
venv=.venv
part=${1:-dev}
export PIP_DISABLE_PIP_VERSION_CHECK=1

main() {
    version=$(python_version)
    place="$PWD $version"
    packages=$(cat pyproject.toml constraints-dev.txt | cksum)
    wanted="$place
$packages"
    # The development tools include what tactician runs on.
    for stamp in $venv/.installed-$part $venv/.installed-dev; do
        if [ -x $venv/bin/python ] && [ "$(cat $stamp 2>/dev/null)" = "$wanted" ]; then
            return
        fi
    done
    need_system_packages
    [ "$part" = run ] || want_browser
    if ! usable; then
        slowly "making $venv with Python $version" "$python" -m venv --clear $venv
    fi
    rm -f $venv/.installed-$part
    case $part in
    run) what="tactician" packages=. ;;
    *) what="tactician and the development tools" packages='.[dev]' ;;
    esac
    # Python compiles the modules that are imported; compiling all of them would take longer than installing them.
    slowly "installing $what" \
        $venv/bin/python -m pip install --quiet --no-compile --constraint constraints-dev.txt --editable "$packages"
    printf '%s\n' "$wanted" >$venv/.installed-$part
}

# Whether the environment works, has the wanted Python and was not copied from elsewhere: its scripts hold its place.
usable() {
    [ "$($venv/bin/python -m pip --version 2>/dev/null | sed 's/.*(python \(.*\))/\1/')" = "$version" ] || return 1
    for stamp in $venv/.installed-run $venv/.installed-dev; do
        [ ! -e $stamp ] || [ "$(sed -n 1p $stamp)" = "$place" ] || return 1
    done
}

python_version() {
    command -v "$python" >/dev/null ||
        fail "there is no $python; install Python 3.11 or newer, or name one with PYTHON=..."
    "$python" -c 'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))' ||
        fail "$python is too old; install Python 3.11 or newer, or name one with PYTHON=..."
}

need_system_packages() {
    missing=
    "$python" -c 'import ensurepip, venv' 2>/dev/null || missing="python$version-venv"
    [ "$part" = run ] || compiler_works || missing="$missing gcc libc6-dev"
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC2086  # a list of words
        slowly "installing Debian packages:$(printf ' %s' $missing)" install_debian_packages $missing
        return
    fi
    case $missing in
    python*) fail "$python can't make virtual environments; install the system package python3-venv and run make again." ;;
    *) say "there is no C compiler, so tests of games in C are skipped; on Debian it is in the packages gcc and libc6-dev." ;;
    esac
}

# The board is tested in Chromium; where it can't be had, those tests are skipped.
want_browser() {
    if command -v chromium >/dev/null || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        return
    fi
    (slowly "installing the Debian package chromium" install_debian_packages chromium) ||
        say "there is no browser, so tests of the board in a browser are skipped."
}

compiler_works() {
    for compiler in cc gcc clang; do
        if command -v $compiler >/dev/null; then
            echo '#include <stdint.h>' | $compiler -E - >/dev/null 2>&1
            return
        fi
    done
    return 1
}

install_debian_packages() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update
    apt-get -qq install --no-install-recommends "$@"
}

# Runs a command that takes a while: a dot every few seconds, the time at the end, its output only if it fails.
slowly() {
    what=$1
    shift
    log=$(mktemp)
    started=$(date +%s)
    printf 'setup: %s ' "$what" >&2
    (while sleep 3 >/dev/null 2>&1; do printf . >&2; done) &
    ticker=$!
    trap 'kill $ticker 2>/dev/null; rm -f "$log"' EXIT
    trap 'exit 130' INT TERM
    status=0
    "$@" >"$log" 2>&1 || status=$?
    kill $ticker 2>/dev/null || true
    wait $ticker 2>/dev/null || true
    if [ $status -ne 0 ]; then
        echo ' failed' >&2
        cat "$log" >&2
        fail "$what failed; the reason stands above."
    fi
    echo " done in $(($(date +%s) - started)) s" >&2
    rm -f "$log"
    trap - EXIT INT TERM
}

say() { echo "setup: $1" >&2; }

fail() {
    say "$1"
    exit 1
}

main
