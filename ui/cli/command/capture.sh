#!/bin/sh
# Captures what there is of nodes' health in a cluster, and follows it, with nothing but kubectl:
# nodes, their leases, pods, Events, the leader leases, and the log of kube-controller-manager.
# It only reads. ctrl+c ends it.
#
#   sh capture.sh [FOLDER]
#
#   KUBECTL="kubectl --context prod"   which kubectl, with its flags
#   FOR=600                            end by itself after so many seconds
#
# Afterwards: kardia replay FOLDER
set -u
umask 077 # pods carry their environment: only the owner reads the files

kubectl=${KUBECTL:-kubectl}
folder=${1:-kardia-capture-$(date -u +%Y%m%dT%H%M%SZ)}
mkdir -p "$folder" || exit 1

# once FILE ARGUMENTS…: asks once.
once() {
	file=$1
	shift
	$kubectl "$@" >"$folder/$file" 2>>"$folder/errors.txt" || rm -f "$folder/$file"
}

# follow FILE ARGUMENTS…: all there is, then every change, for as long as this runs. Where the watch breaks it is
# begun again, and the file says so, for what happened meanwhile is not in it.
follow() {
	file=$1
	shift
	child=
	trap 'test -n "$child" && kill "$child" 2>/dev/null; exit 0' TERM INT
	while :; do
		$kubectl get "$@" -o json --watch --output-watch-events >>"$folder/$file" 2>>"$folder/$file.errors" &
		child=$!
		wait "$child"
		child=
		if grep -q 'Forbidden' "$folder/$file.errors"; then
			echo "not allowed: $kubectl get $*; the rest is captured" >&2
			return
		fi
		echo '{"type":"X-RECONNECT"}' >>"$folder/$file"
		sleep 2 &
		child=$!
		wait "$child"
	done
}

# tail_log FILE ARGUMENTS…: a log as it is, and as it grows.
tail_log() {
	file=$1
	shift
	child=
	trap 'test -n "$child" && kill "$child" 2>/dev/null; exit 0' TERM INT
	$kubectl logs "$@" --timestamps --prefix --tail=-1 --follow >"$folder/$file" 2>>"$folder/errors.txt" &
	child=$!
	wait "$child"
}

once version.json version -o json
once kube-system.json get namespace kube-system -o json

followers=
follow nodes.watch.json nodes &
followers="$followers $!"
follow leases.watch.json leases -n kube-node-lease &
followers="$followers $!"
follow pods.watch.json pods --all-namespaces &
followers="$followers $!"
follow events.watch.json events --all-namespaces &
followers="$followers $!"
follow leaders.watch.json leases -n kube-system &
followers="$followers $!"
tail_log kube-controller-manager.log -n kube-system -l component=kube-controller-manager &
followers="$followers $!"

finish() {
	trap '' INT TERM
	# shellcheck disable=SC2086 # a list of process ids
	kill $followers 2>/dev/null
	wait
	for f in "$folder"/*; do
		test -s "$f" || rm -f "$f"
	done
	echo "captured in $folder; look at it with: kardia replay $folder" >&2
	exit 0
}
trap finish INT TERM

echo "capturing into $folder; ctrl+c ends it" >&2
if test -n "${FOR:-}"; then
	sleep "$FOR" &
	wait $!
	finish
fi
wait
finish
