#!/usr/bin/env bash
# fresh_tree.sh SUITE FOLDER [MIRROR]: do both commands of the README work where nothing is installed?
#
# Makes a minimal Debian (bookworm, trixie ...) below FOLDER with debootstrap, clones this commit into a folder with a space
# in it, and runs ./perflab run and ./perflab test there: first as root, which installs what is missing, then in a second
# clone as a plain user without sudo. Needs root, debootstrap and a network. Exit code 0, or that of the first that failed;
# 2 usage. FOLDER stays for a look; a second call takes its packages as they are.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ $# = 2 ] || [ $# = 3 ] || { sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
suite=$1 tree=$2 mirror=${3-}
[ "$(id -u)" = 0 ] || { echo "fresh_tree.sh: needs root, for chroot and mounts" >&2; exit 6; }

[ -x "$tree/bin/sh" ] || debootstrap --variant=minbase "$suite" "$tree" ${mirror:+"$mirror"}
cp /etc/resolv.conf "$tree/etc/resolv.conf"
tree=$(cd "$tree" && pwd)

# in_tree USER COMMAND: in a mount namespace of its own, so that nothing stays mounted; only what a new login has is set,
# and the way out to the network.
in_tree() {
  unshare --mount --propagation private sh -euc '
    tree=$1 user=$2 command=$3
    mount -t proc proc "$tree/proc"
    mount --rbind /sys "$tree/sys"
    mount --rbind /dev "$tree/dev"
    home=/root
    [ "$user" = root ] || home=/home/$user
    exec chroot --userspec="$user" --groups= "$tree" /usr/bin/env -i HOME="$home" USER="$user" \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy+http_proxy="$http_proxy"} \
      ${https_proxy+https_proxy="$https_proxy"} /bin/sh -euc "$command"' sh "$tree" "$1" "$2" </dev/null
}
both_commands() { # USER FOLDER
  echo "== $suite as $1: ./perflab run"
  in_tree "$1" "cd '$2' && ./perflab run"
  echo "== $suite as $1: ./perflab test"
  in_tree "$1" "cd '$2' && ./perflab test"
}
clone() { # FOLDER, inside the tree
  rm -rf "${tree:?}$1"
  mkdir -p "$(dirname "$tree$1")"
  git clone --quiet --no-hardlinks "$root" "$tree$1"
}

clone "/srv/my projects/perflab"
both_commands root "/srv/my projects/perflab"

in_tree root 'id student >/dev/null 2>&1 || useradd --create-home student'
clone "/home/student/my projects/perflab"
in_tree root 'chown -R student: "/home/student/my projects"'
both_commands student "/home/student/my projects/perflab"
echo "== $suite: both commands, as root and as a plain user"
