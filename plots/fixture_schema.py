"""For the constructed run of the tests: the columns of every CSV file, --describe, env.json."""

SAMPLES = """
    schema_version run_id lab_id experiment case_id variant p_level p_threads p_working_set_bytes
    device evidence link logical fault phase invocation block order_in_block sample inner_iters
    t_start_ns submit_ns finish_ns verified_ns device_ns proc_cpu_ns_per_iter threads_seen
    m_lines_touched_count cpu_mhz temp_c cfs_throttled_delta core_throttle_delta invol_ctx_switches
    major_faults checksum valid invalid_reason
""".split()

CASES = """
    schema_version run_id lab_id experiment case_id variant baseline p_level p_threads
    p_working_set_bytes invocation profile fault device evidence subject link cache_state
    flops_per_iter bytes_read_per_iter bytes_written_per_iter level pattern threads
    working_set_bytes gate first_call_ns warmup_state warmup_calls inner_iters blocks stop_reason
    status status_reason status_text
""".split()

SUMMARY = """
    schema_version run_id lab_id experiment case_id p_level p_threads p_working_set_bytes variant
    baseline metric unit evidence cache_state n_valid n_invalid n_invocations median ci_lo ci_hi
    ci_level ci_method mad q1 q3 min max ratio ratio_ci_lo ratio_ci_hi mde_ratio aa_ratio aa_ci_lo
    aa_ci_hi ceiling pct_of_ceiling predicted predicted_lo predicted_hi first_call_ns warmup_state
    stop_reason drift_pct lag1_autocorr iid_ok bimodal outliers env_fit status status_reason
""".split()

VERDICTS = """
    run_id lab_id claim_id part source section statement claim_type experiment quantity claimed
    claimed_text band_lo band_hi unit observed ci_lo ci_hi rope_lo rope_hi mde_ratio n_pairs
    launches evidence verdict reason_code reader_word subject about needs_hw expert_verdict truth
    holds_when do_instead next_step surprise_rank text
""".split()

CEILINGS = """
    level pattern threads rate unit run_id
""".split()

LEVELS = {"L1": (32 << 10, 90.0), "L2": (1 << 20, 52.0), "DRAM": (256 << 20, 11.5)}
VARIANTS = {"copy": 1.0, "triad": 1.08, "triad_nt": 1.32}


def describe(lab):
    return {
        "lab_id": lab,
        "title": f"Lab {lab[:2]}",
        "question": "What does a byte cost on this machine?",
        "experiments": [
            {
                "name": "stream",
                "question": "How fast can this machine move bytes at each level of memory?",
                "variants": list(VARIANTS),
                "baseline": "copy",
                "axes": [{"name": "level", "quick": list(LEVELS)}, {"name": "threads", "quick": [1, 2]}],
            },
            {
                "name": "chase",
                "question": "How long does one dependent read take?",
                "variants": ["chase"],
                "baseline": "chase",
                "axes": [{"name": "working_set_bytes", "quick": []}],
            },
        ],
    }


def environment():
    return {
        "cpu_model": {"value": "Constructed CPU", "source": "/proc/cpuinfo", "status": "PASS"},
        "effective_cpus": {"value": 2, "source": "sched_getaffinity, cgroup", "status": "PASS"},
        "cpufreq_governor": {"value": None, "source": "/sys/devices/system/cpu", "status": "UNKNOWN"},
        "load_average_start": {"value": 1.9, "source": "/proc/loadavg", "status": "WARN"},
        "transparent_huge_pages": {"value": "madvise", "source": "/sys/kernel/mm", "status": "PASS"},
    }
