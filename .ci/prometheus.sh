#!/usr/bin/env bash
# Puts Debian's Prometheus into the path, where it may. The program alone: its package would start a service and bring
# 230 MB for its pages. Without it a test does not run, and says so; so this never fails.
set -uo pipefail

command -v prometheus >/dev/null && exit 0
cannot() {
  echo "prometheus: not here, and $1. Its tests say that they did not run."
  exit 0
}
[ "$(id -u)" -eq 0 ] || cannot 'only root may install it'
command -v apt-get >/dev/null || cannot 'there is no apt-get to fetch it with'

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder" || cannot 'there is no folder for it'
fetch() { timeout 60 apt-get download -qq prometheus >/dev/null 2>&1; }
fetch || { timeout 60 apt-get update -qq >/dev/null 2>&1 && fetch; } || cannot 'it cannot be fetched'
program=usr/bin/prometheus
dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x "./$program" || cannot 'it cannot be unpacked'
install -m 755 "$program" /usr/local/bin/prometheus || cannot 'it could not be put into the path'
echo "prometheus: installed $(prometheus --version 2>&1 | head -1)"
