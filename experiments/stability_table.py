"""stability_table.py OUT: counts the verdicts of all runs below OUT into stability.csv and stability_runs.csv.

Exit code 1 if a claim was decided in opposite ways, if a case that others disturbed is not marked in summary.csv, or if
no case was disturbed at all: then the load never came, and the table shows nothing."""

import collections
import csv
import pathlib
import sys

WORDS = ["REPRODUCED", "DIRECTION HOLDS", "CONTRADICTED", "INCONCLUSIVE", "NOT TESTABLE HERE", "MODEL AGREES", "FAILED",
         "REJECTED"]
FOR, AGAINST = {"REPRODUCED", "DIRECTION HOLDS"}, {"CONTRADICTED"}
MOST_OTHERS_SHARE = 0.125  # core/bench/load.h


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def disturbed_and_marked(lab_folder):
    """Cases that others disturbed, and those of them that the summary gives no clean bill."""
    disturbed = {(row["case_id"], row["variant"]) for row in rows_of(lab_folder / "cases.csv")
                 if float(row["others_cpu_share"] or 0) > MOST_OTHERS_SHARE}
    status = collections.defaultdict(set)
    for row in rows_of(lab_folder / "summary.csv"):
        status[row["case_id"], row["variant"]].add(row["status"])
    return disturbed, {case for case in disturbed if status[case] and "ok" not in status[case]}


def main(out):
    counts, runs, complaints = collections.defaultdict(collections.Counter), [], []
    for verdicts in sorted(out.glob("*/verdicts.csv")):
        run = verdicts.parent
        disturbed, marked = set(), set()
        for cases in sorted(run.glob("*/cases.csv")):
            those, with_mark = disturbed_and_marked(cases.parent)
            disturbed |= {(cases.parent.name, *case) for case in those}
            marked |= {(cases.parent.name, *case) for case in with_mark}
        words = collections.Counter()
        for row in rows_of(verdicts):
            counts[row["lab_id"], row["claim_id"]][row["verdict"]] += 1
            words[row["verdict"]] += 1
        runs.append({"run_id": run.name, "disturbed_count": len(disturbed), "marked_count": len(marked),
                     **{word: words[word] for word in WORDS}})
        complaints += [f"{run.name}: disturbed but not marked: {case}" for case in sorted(disturbed - marked)]
    table = []
    for (lab, claim), words in sorted(counts.items()):
        opposite = bool(FOR & words.keys()) and bool(AGAINST & words.keys())
        table.append({"lab_id": lab, "claim_id": claim, "runs_count": sum(words.values()),
                      **{word: words[word] for word in WORDS}, "opposite": int(opposite)})
        if opposite:
            complaints.append(f"{lab} {claim}: decided in opposite ways: {dict(words)}")
    if not any(row["disturbed_count"] for row in runs):
        complaints.append("no case of any run was disturbed: did the load run?")
    write(out / "stability.csv", ["lab_id", "claim_id", "runs_count", *WORDS, "opposite"], table)
    write(out / "stability_runs.csv", ["run_id", "disturbed_count", "marked_count", *WORDS], runs)
    print(f"{len(runs)} runs, {len(table)} claims, {sum(row['opposite'] for row in table)} decided in opposite ways; "
          f"{sum(row['disturbed_count'] for row in runs)} disturbed cases, {sum(row['marked_count'] for row in runs)} marked")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
