#!/usr/bin/env bash
# Installs what test/compat needs and this machine lacks, where it may: languages, their test frameworks, a browser,
# and a registry for images.
# Without one of them its tests are skipped and say so, so this script never fails.
set -uo pipefail

# By a command or a file that is there once they are installed.
declare -A packages=(
  [curl]='curl' [go]='golang-go' [javac]='default-jdk-headless' [python3]='python3'
  [phpunit]='phpunit' [/usr/share/doc/php-curl]='php-curl'
  [ruby]='ruby ruby-minitest' [/usr/share/java/junit-platform-console-standalone.jar]='junit5'
  [/usr/bin/chromium]='chromium' [docker-registry]='docker-registry'
  [nunit-console]='nunit-console libnunit-framework2.6.3-cil mono-mcs libmono-system-net-http4.0-cil libnewtonsoft-json5.0-cil'
)
lacking=()
wanted=()
for needed in "${!packages[@]}"; do
  command -v "$needed" >/dev/null || [[ "$needed" == /* && -e "$needed" ]] && continue
  lacking+=("$(basename "$needed")")
  read -ra names <<<"${packages[$needed]}"
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
  timeout 300 "${install[@]}" --download-only "${wanted[@]}" >/dev/null 2>&1 ||
  cannot 'they cannot be fetched'
"${install[@]}" "${wanted[@]}" >/dev/null 2>&1 || cannot 'they could not be installed'
echo "languages: installed ${wanted[*]}"
