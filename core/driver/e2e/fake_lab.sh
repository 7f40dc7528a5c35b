#!/bin/sh
# A lab that measures nothing: for tests of the driver. What it does stands in the file THIS.behaviour.
id=${0##*/}
behaviour=$(cat "$0.behaviour" 2>/dev/null || echo ok)
case " $* " in
  *" --check "*) [ "$behaviour" != refuse ] || { echo "$id: no such flag" >&2; exit 2; }; exit 0 ;;
esac
echo "$*" >>"$0.calls"
while [ $# -gt 0 ]; do
  case $1 in
    --judge) judge=$2; shift ;;
    --run-dir) run=$2; shift ;;
    --invocation) k=$2; shift ;;
    --benchmark_*) echo "benchmarks of $id"; exit 1 ;;
  esac
  shift
done
if [ -n "${judge-}" ]; then
  [ "$behaviour" != judge_dies ] || exit 1
  from=$judge/samples.csv
  [ -f "$from" ] || from=$from.part
  verdict=REPRODUCED
  [ "$behaviour" != judge_differently ] || verdict=CONTRADICTED
  printf 'claim_id,verdict,reason_code,observed,ci_lo,ci_hi,unit,claimed,claimed_text\n%s,%s,,%s,,,rows,2,two\n' \
    "$id.c1" "$verdict" "$(($(wc -l <"$from") - 1))" >"$judge/verdicts.csv"
  for table in predictions calibration; do
    [ ! -f "$0.$table" ] || cp "$0.$table" "$judge/$table.csv"
  done
  printf 'metric,status_reason\n' >"$judge/summary.csv"
  # Faster than the ceilings, until (or even after) they were measured again.
  case $behaviour in
    too_fast) ! grep -q -- '--experiment ceilings' "$0.calls" || exit 0 ;;
    too_fast_always) ;;
    *) exit 0 ;;
  esac
  printf 'finish,implausible\n' >>"$judge/summary.csv"
  exit 1
fi
# What was sealed by now, in this run or in one beside it.
for sealed in "${run%/*}"/*/predictions.json; do
  [ ! -f "$sealed" ] || { cp "$sealed" "$0.sealed"; cp "${sealed%/*}/manifest.json" "$0.sealed_manifest"; }
done
[ ! -f "$0.predictions" ] || echo "$id measures 7.77"
mkdir -p "$run/$id"
samples=$run/$id/samples.csv
[ -f "$samples.part" ] || printf 'invocation,value\n' >"$samples.part"
printf '%s,1\n' "$k" >>"$samples.part"
[ ! -f "$0.cases" ] || mv "$0.cases" "$run/$id/cases.csv.part"
case $behaviour in
  hang) trap 'exit 130' INT TERM; : >"$0.ready"; while :; do sleep 0.02; done ;;
  crash) kill -SEGV $$ ;;
  exit_*) exit "${behaviour#exit_}" ;;
esac
exit 0
