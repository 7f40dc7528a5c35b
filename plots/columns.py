"""What the loader must know of the CSV columns: which hold numbers, which must be there."""

NUMBERS = {
    "samples": "schema_version logical fault invocation block order_in_block sample inner_iters t_start_ns "
    "submit_ns finish_ns verified_ns device_ns proc_cpu_ns_per_iter threads_seen cpu_mhz temp_c "
    "cfs_throttled_delta core_throttle_delta invol_ctx_switches major_faults valid",
    "cases": "schema_version invocation fault flops_per_iter bytes_read_per_iter bytes_written_per_iter "
    "threads working_set_bytes first_call_ns warmup_calls inner_iters blocks",
    "summary": "schema_version n_valid n_invalid n_invocations median ci_lo ci_hi ci_level mad q1 q3 min max "
    "ratio ratio_ci_lo ratio_ci_hi mde_ratio aa_ratio aa_ci_lo aa_ci_hi ceiling pct_of_ceiling "
    "predicted predicted_lo predicted_hi first_call_ns drift_pct lag1_autocorr outliers",
    "verdicts": "claimed band_lo band_hi observed ci_lo ci_hi rope_lo rope_hi mde_ratio n_pairs launches "
    "surprise_rank",
    "ceilings": "threads rate",
    "predictions": "predicted predicted_lo predicted_hi measured ci_lo ci_hi hit factor_off interval_score",
    "calibration": "questions_count answered_count measured_count intervals_count interval_hits_count "
    "asked_coverage_share mean_interval_score numbers_count number_hits_count choices_count choices_right_count",
}

REQUIRED = {
    "samples": "case_id variant phase invocation block sample finish_ns valid",
    "cases": "case_id variant status",
    "summary": "case_id variant metric unit median ci_lo ci_hi ratio ratio_ci_lo ratio_ci_hi status",
    "verdicts": "claim_id statement verdict reader_word",
    "ceilings": "level pattern threads rate unit",
    "predictions": "question_id text kind unit predicted measured hit reason reveal",
    "calibration": "text answered_count intervals_count interval_hits_count",
}
