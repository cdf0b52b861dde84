#!/bin/bash
# machine.sh FOLDER PORTAL PYTHON PACKAGES [bare]: start systemd as process 1 of a machine made of this one's files.
#
# What is written there goes to memory and is gone with it; the network is this machine's own. The portal PORTAL is
# in /srv/portal/releases/1 and 2, each in an environment of the Python under PYTHON and the libraries in PACKAGES; its units and
# /etc/portal.env are what FOLDER holds. Needs root, systemd, and a kernel with overlays and cgroup2.
#
# A bare machine has none of these, but the code in /srv/rating-portal, the libraries in /opt/packages, and a network
# with nobody else in it.
set -euo pipefail
# Others than root read there. The settings of an embedded portal let nobody else read what their process writes.
umask 022
folder=$1 portal=$2 python=$3 packages=$4 bare=${5:-}

if [[ -z ${INSIDE:-} ]]; then
    groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/$(basename "$folder")
    mkdir "$groups"
    echo $$ > "$groups/cgroup.procs"
    export INSIDE=1
    exec unshare --pid --mount --fork --kill-child --cgroup --ipc --uts ${bare:+--net} --propagation private \
        bash "$0" "$@"
fi

overlay() { # overlay NAME LOWER TARGET: the files of LOWER, written to in memory
    mkdir -p "$memory/$1/upper" "$memory/$1/work"
    mount -t overlay overlay -o "lowerdir=$2,upperdir=$memory/$1/upper,workdir=$memory/$1/work" "$3"
}

memory=$folder/memory root=$folder/memory/root
mkdir "$memory"
mount -t tmpfs tmpfs "$memory"
mkdir "$root"
overlay system / "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for name in run tmp dev; do
    mount -t tmpfs -o mode=0755 tmpfs "$root/$name"
done
chmod 1777 "$root/tmp"
for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/shm" "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs tmpfs "$root/dev/shm"

# Nothing of this machine's own services starts there, and nothing sets its kernel or its devices.
rm -rf "$root"/usr/lib/systemd/system/*.wants "$root"/etc/systemd/system/*
mkdir -p "$root/etc/systemd/system/service.d"
printf '[Service]\nStandardOutput=append:/var/log/portal.log\nStandardError=inherit\n' \
    > "$root/etc/systemd/system/service.d/log.conf"
# An interpreter that is not of the system looks for its library where it was built.
printf '[Service]\nEnvironment=LD_LIBRARY_PATH=/opt/python/lib\n' > "$root/etc/systemd/system/service.d/python.conf"
printf '[Unit]\nRequires=basic.target\nAfter=basic.target\n' > "$root/etc/systemd/system/ready.target"
mkdir -p "$root/opt/python" "$root/opt/packages"
mount --bind "$python" "$root/opt/python"
mount --bind "$packages" "$root/opt/packages"

make_environment() { # make_environment FOLDER PLACE: what `make install` makes, where FOLDER is PLACE for those inside
    local venv=$1/.venv name command module function
    mkdir -p "$venv/bin" "$venv/lib/$lib"
    ln -s /opt/packages "$venv/lib/$lib/site-packages"
    ln -s /opt/python/bin/python3 "$venv/bin/python"
    printf 'home = /opt/python/bin\ninclude-system-site-packages = false\n' > "$venv/pyvenv.cfg"
    for name in gunicorn:gunicorn.app.wsgiapp:run celery:celery.__main__:main; do
        IFS=: read -r command module function <<< "$name"
        printf '#!%s/.venv/bin/python\nimport sys\nfrom %s import %s as run\nsys.exit(run())\n' \
            "$2" "$module" "$function" > "$venv/bin/$command"
        chmod 0755 "$venv/bin/$command"
    done
    touch "$venv/.installed"
    command make --silent --directory "$1" .venv/bin/rating-portal CURDIR="$2"
}
lib=$(basename "$(dirname "$packages")")

install_bare() {
    ip link set lo up
    mkdir -p "$root/srv/rating-portal"
    overlay portal "$portal" "$root/srv/rating-portal"
    rm -rf "$root"/srv/rating-portal/{.git,.venv,var}
    { echo "lib=$lib"; declare -f make_environment; } > "$root/srv/make_environment.sh"
}

install_releases() {
    cp "$folder"/*.service "$folder"/*.socket "$folder"/*.timer "$root/etc/systemd/system/"
    install -m 0640 "$folder/portal.env" "$root/etc/portal.env"
    echo 'portal:x:2999:2999::/srv/portal:/usr/sbin/nologin' >> "$root/etc/passwd"
    echo 'portal:x:2999:' >> "$root/etc/group"
    chown 0:2999 "$root/etc/portal.env"
    # Two releases of the same code, each in a folder of its own.
    for release in 1 2; do
        place=/srv/portal/releases/$release
        mkdir -p "$root$place"
        overlay "portal$release" "$portal" "$root$place"
        rm -rf "$root$place/.venv" "$root$place/var"
        make_environment "$root$place" "$place"
    done
    ln -s releases/1 "$root/srv/portal/current"
    install -d -o 2999 -g 2999 "$root/srv/portal/var" "$root/srv/portal/backups"
}

if [[ -n $bare ]]; then install_bare; else install_releases; fi

mkdir "$root/outside"
cd "$root"
pivot_root . outside
# shellcheck disable=SC2016
exec chroot . env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=test \
    bash -c 'umount --lazy /outside; exec /usr/lib/systemd/systemd --system --unit=ready.target --show-status=0 \
        --log-target=console --default-standard-output=null'
