#!/usr/bin/env bash
# stability.sh OUT [RUNS] [LABS...]: is a verdict ever turned round by a busy machine?
#
# Runs the quick profile RUNS times (default 20) over LABS (default 02 04) while another process loads one core on and off,
# then writes OUT/stability.csv (one row per claim: how often each verdict) and OUT/stability_runs.csv (one row per run).
# Exit code 0; 1 if a claim was decided in opposite ways, a disturbed row was not marked, the load disturbed nothing, or
# a run ended with another exit code than 0; 2 usage; 3 the machine is busy before it begins; 6 nothing is built. It takes
# about a minute per run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
out=$1 runs=${2:-20}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 02 04
case $runs in '' | *[!0-9]* | 0) echo "stability.sh: RUNS is '$runs'; want a number of one or more" >&2; exit 2 ;; esac
[ -x "$root/build/perflab" ] || { echo "stability.sh: $root/build/perflab is missing; run ./perflab build" >&2; exit 6; }
mkdir -p "$out"
[ -z "$(ls -A "$out")" ] || { echo "stability.sh: '$out' is not empty; want a new folder, so that no run is counted twice" >&2; exit 2; }

# The ceilings belong to the machine: measured once, while it is quiet.
"$root/build/perflab" run 04 --profile quick --no-plots --out "$out/quiet" -- --experiment counts >"$out/quiet.log" 2>&1 ||
  { tail -n 5 "$out/quiet.log" >&2; exit 1; }
[ -d "$out/quiet/ceilings" ] || { echo "stability.sh: this machine is busy already; see $out/quiet.log" >&2; exit 3; }
mv "$out/quiet/ceilings" "$out/ceilings"

# Seven seconds of work on one core, five of rest: periods that no lab's own rhythm divides.
load() { while :; do timeout 7 sh -c 'while :; do :; done' || true; sleep 5; done; }
load &
loader=$!
trap 'kill "$loader" 2>/dev/null || true; pkill -P "$loader" 2>/dev/null || true' EXIT

failed=0
for run in $(seq "$runs"); do
  "$root/build/perflab" run "$@" --profile quick --seed "$run" --no-plots --out "$out" >"$out/run_$run.log" 2>&1 ||
    { echo "stability.sh: run $run ended with exit code $?; see $out/run_$run.log" >&2; failed=1; }
  echo "run $run of $runs: $(grep -c . "$out/$(cat "$out/latest")/verdicts.csv") rows of verdicts" >&2
done
python3 -B "$root/experiments/stability_table.py" "$out" || failed=1
exit "$failed"
