#!/usr/bin/env bash
# Installs the languages of test/clients/suites that this machine lacks, where it may. Without one of them its suite
# does not run, and says so; so this never fails.
set -uo pipefail

declare -A packages=(
  [curl]='curl' [go]='golang-go' [java]='default-jdk-headless' [php]='php-cli' [python3]='python3'
  [ruby]='ruby ruby-minitest'
)
lacking=()
wanted=()
for command in "${!packages[@]}"; do
  command -v "$command" >/dev/null && continue
  lacking+=("$command")
  read -ra names <<<"${packages[$command]}"
  wanted+=("${names[@]}")
done
[ ${#lacking[@]} -eq 0 ] && exit 0

cannot() {
  echo "languages: no ${lacking[*]} here, and $1. Their suites say that they did not run."
  exit 0
}
[ "$(id -u)" -eq 0 ] || cannot 'only root may install them'
command -v apt-get >/dev/null || cannot 'there is no apt-get to install them with'

export DEBIAN_FRONTEND=noninteractive
install=(apt-get install -y -qq --no-install-recommends)
# What takes long is fetched first: a download that is cut short leaves nothing half installed.
timeout 60 apt-get update -qq >/dev/null 2>&1 &&
  timeout 60 "${install[@]}" --download-only "${wanted[@]}" >/dev/null 2>&1 ||
  cannot 'they cannot be fetched'
"${install[@]}" "${wanted[@]}" >/dev/null 2>&1 || cannot 'they could not be installed'
echo "languages: installed ${wanted[*]}"
