"""Charts and the report. C++ measures and judges; Python draws what the CSV files say and computes no result
of its own."""
