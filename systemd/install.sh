#!/usr/bin/env bash
# Install Oxeye on Raspberry Pi OS from this checkout; a second run updates it to this checkout.
# Missing Debian packages are installed; installed ones are not upgraded.
set -euo pipefail

usage="install.sh [--yes] [--dry-run] [--uninstall]
  --yes        do not ask
  --dry-run    print the commands, and run none
  --uninstall  remove Oxeye; the games are kept"

root=${OXEYE_ROOT:-}  # a folder used as the root of a machine, for tests
python=${OXEYE_PYTHON:-/usr/bin/python3}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
units=(oxeye.service oxeye-poweroff.path oxeye-backup.timer)
yes='' dry='' uninstall=''

die() {
  echo "$*" >&2
  exit 1
}

for word in "$@"; do
  case $word in
    --yes) yes=1 ;;
    --dry-run) dry=1 ;;
    --uninstall) uninstall=1 ;;
    --help) echo "$usage"; exit ;;
    *) die "$usage" ;;
  esac
done

# print a command, and run it
run() {
  echo "+ $*"
  [ -n "$dry" ] || "$@"
}

put() {
  run install -D -m "$1" "$here/$2" "$root$3"
}

ask() {
  [ -z "$yes$dry" ] || return 0
  [ -t 0 ] || die "There is no terminal to ask on: use --yes."
  read -r -p "$1 [y/N] " answer
  [[ $answer == [yY]* ]] || die "Nothing was changed."
}

alive() {
  [ -d "$root/run/systemd/system" ]
}

# make the program in this folder the running one: sync it, then replace the link atomically
exchange() {
  run sync -f "$root/opt/oxeye"
  run ln -sfn "$1" "$root/opt/oxeye/venv.new"
  run mv -T "$root/opt/oxeye/venv.new" "$root/opt/oxeye/venv"
}

# whether the service reports ready and stays up without a restart
runs() {
  # failed starts of the old program do not count
  run rm -rf "$root/run/oxeye/failures"
  run systemctl reset-failed oxeye.service || true
  run systemctl restart oxeye.service || return 1
  run sleep 10
  [ -z "$dry" ] || return 0
  systemctl is-active --quiet oxeye.service && [ "$(systemctl show --value -p NRestarts oxeye.service)" = 0 ]
}

bits() {
  if [ -n "$root" ]; then cat "$root/bits"; else getconf LONG_BIT; fi
}

if [ -z "$dry" ] && [ -z "$root" ] && [ "$(id -u)" != 0 ]; then
  die "Installing a service needs root: sudo $0 $*"
fi
case $(dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${db:Status-Status}' oxeye 2>/dev/null || true) in
  '' | not-installed | config-files) ;;
  *) die "Oxeye is installed as a package: run 'apt remove oxeye' first, or update with packages." ;;
esac

if [ -n "$uninstall" ]; then
  ask "Remove Oxeye? The games are kept."
  for unit in "${units[@]}"; do
    [ -e "$root/etc/systemd/system/$unit" ] || continue  # removed already
    if alive; then
      run systemctl disable --now "$unit"
    else
      run systemctl ${root:+--root="$root"} disable "$unit"
    fi
  done
  for unit in "$here"/systemd/oxeye*.{service,path,timer}; do
    run rm -f "$root/etc/systemd/system/$(basename "$unit")"
  done
  run rm -rf "$root/opt/oxeye" "$root/usr/lib/oxeye" "$root/usr/local/bin/oxeye" "$root/etc/sysusers.d/oxeye.conf" \
    "$root/usr/lib/systemd/system-shutdown/oxeye" \
    "$root/etc/tmpfiles.d/oxeye.conf" "$root/etc/udev/rules.d/60-oxeye.rules" "$root/etc/modules-load.d/oxeye.conf"
  if alive; then
    run systemctl daemon-reload
  fi
  echo "The games and the picture of the empty table are kept in /var/lib/oxeye, the settings in /etc/oxeye."
  exit
fi

[ "$(bits)" = 64 ] || die "This system is 32-bit, and there is no OpenCV for it: install the 64-bit Raspberry Pi OS."
suite=$(sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release")
lock=$here/systemd/locks/requirements-pi-$suite.txt
[ -f "$lock" ] || die "This system is ${suite:-unknown}; only Bookworm and Trixie are supported."

ask "Install Oxeye on this $suite?"
# a new card has no package index yet
[ -n "$root" ] || run apt-get update --quiet
packages=(python3-venv python3-numpy)
case $suite in
  bookworm) packages+=(libzbar0) ;;
  trixie) packages+=(libzbar0t64 python3-pil) ;;
esac
# from the Raspberry Pi archive: without them the box works with a webcam, or without a camera
for package in python3-picamera2 python3-gpiozero python3-lgpio python3-spidev; do
  if [ -n "$root" ] || apt-cache show "$package" >/dev/null 2>&1; then
    packages+=("$package")
  else
    echo "This system has no $package: skipped."
  fi
done
run env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends --no-upgrade "${packages[@]}"

put 644 systemd/oxeye.sysusers /etc/sysusers.d/oxeye.conf
put 644 systemd/oxeye.tmpfiles /etc/tmpfiles.d/oxeye.conf
put 644 systemd/oxeye.rules /etc/udev/rules.d/60-oxeye.rules
# a service of version 0.1.0 that runs during an update calls these two by their installed names
put 755 systemd/start-or-safe-mode /usr/lib/oxeye/start
put 755 systemd/after-stop /usr/lib/oxeye/after
put 755 systemd/shutdown_hook.py /usr/lib/systemd/system-shutdown/oxeye
for unit in oxeye.service oxeye-poweroff.service oxeye-poweroff.path oxeye-backup.service oxeye-backup.timer; do
  put 644 "systemd/$unit" "/etc/systemd/system/$unit"
done
if [ -e "$root/etc/oxeye/config.toml" ]; then
  echo "The settings in /etc/oxeye/config.toml are kept."
else
  put 644 systemd/config.toml /etc/oxeye/config.toml
fi
run systemd-sysusers ${root:+--root="$root"} oxeye.conf
if alive; then
  run systemd-tmpfiles ${root:+--root="$root"} --create oxeye.conf
fi

# build beside the running program, then replace it atomically
before=$(readlink "$root/opt/oxeye/venv" || true)
[ -x "$root$before/bin/oxeye" ] || before=
fresh=/opt/oxeye/venvs/$(date +%Y%m%d-%H%M%S)-$$
run mkdir -p "$root/opt/oxeye/venvs"
run "$python" -m venv --system-site-packages "$root$fresh"
pip=("$root$fresh/bin/python" -m pip --quiet --disable-pip-version-check)
locked=(install --ignore-installed --no-deps --only-binary :all: --require-hashes --requirement)
run "${pip[@]}" "${locked[@]}" "$lock"
# build in a copy, because root should not write into the checkout; the build tools stay out of the program
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
run cp -r "$here"/{pyproject.toml,README.md,LICENSE,engine,vision,hw,firmware} "$build"
run "$python" -m venv "$build/venv"
run "$build/venv/bin/python" -m pip --quiet --disable-pip-version-check "${locked[@]}" "$here/systemd/locks/requirements-build.txt"
run "$build/venv/bin/python" -m pip --quiet --disable-pip-version-check wheel --no-deps --no-build-isolation \
  --wheel-dir "$build/wheel" "$build"
run "${pip[@]}" install --no-deps --no-index --find-links "$build/wheel" oxeye
run "$root$fresh/bin/oxeye" --version
exchange "$fresh"
run ln -sfn /opt/oxeye/venv/bin/oxeye "$root/usr/local/bin/oxeye"

run "$here/systemd/enable-i2c" "$root"
if alive; then
  if [ -S /run/udev/control ]; then  # a container has no devices
    run udevadm control --reload
    run udevadm trigger
  fi
  run systemctl daemon-reload
  run systemctl enable --now "${units[@]:1}"
  run systemctl enable oxeye.service
  if ! runs; then
    [ -n "$before" ] || die "Oxeye is installed but does not run: 'journalctl -u oxeye' shows the reason."
    exchange "$before"
    runs || die "Neither the new program nor the old one runs: 'journalctl -u oxeye' shows the reason."
    run rm -rf "$root$fresh"
    die "The new program does not run: the old one is restored. 'journalctl -u oxeye' shows the reason."
  fi
else
  run systemctl ${root:+--root="$root"} enable "${units[@]}"
fi
run find "$root/opt/oxeye/venvs" -mindepth 1 -maxdepth 1 ! -path "$root$fresh" -exec rm -rf {} +
echo "Oxeye is installed: 'oxeye doctor' shows what is still missing."
