"""Who may include what: the layers of core/, one owner per outside library, one file with architecture guards."""

import re
import sys

from tree import code_lines, main, read, sources

BELOW_OPS = {"base", "device", "tensor", "engine"}
MAY_INCLUDE = {
    "base": set(),
    "device": {"base"},
    "tensor": {"base", "device", "engine"},  # reading values waits, and a copy asks whether to
    "engine": {"base", "device"},
    "ops": BELOW_OPS,
    "autograd": {"base", "device", "tensor", "ops"},
    "graph": {"base", "device", "tensor", "ops"},
    "amp": {"base", "device", "tensor", "ops"},
    "comm": {"base", "device", "tensor", "ops"},
    "trace": {"base", "device"},
    "train": BELOW_OPS | {"ops", "autograd", "graph", "amp", "comm", "trace"},
    "bench": {"base", "device", "trace"},  # never ops: a lab on raw pointers must not drag in autograd
    "driver": {"base", "device", "bench"},
    "cuda": {"base", "device", "tensor", "ops", "graph", "comm"},
}
NOT_FOR_LABS = {"cuda"}

# header pattern -> the only files that may include it (pattern of the path)
OWNED = [
    (r"benchmark/benchmark\.h", r"core/bench/gbench\.cpp"),
    (r"mpi\.h", r"core/comm/mpi_transport\.cpp"),
    (r"cuda[^/]*|(cuda/std|cub|thrust)/.*|cu(blas|dnn|fft|rand|sparse|pti).*|nv(rtc|ml|tx|ToolsExt).*|nccl\.h|cooperative_groups.*", r"core/cuda/.*"),
    (r"(oneapi/dnnl/)?dnnl[^/]*", r"core/ops/cpu/gemm\.cpp"),
    (r"dlfcn\.h", r"core/(device/plugin|driver/doctor/gpu_probe_child)\.cpp"),
    (r"openssl/.*", r"core/bench/sha256\.cpp"),
    (r"nlohmann/.*", r"core/bench/json\.cpp"),
    (r"toml(\+\+|plusplus)?/.*", r"core/bench/profile\.cpp"),
    (r"CLI/.*", r".*\.cpp"),
    (r"gtest/.*|gmock/.*", r".*_test\.(cpp|h)"),
    (r"([a-z]*mmintrin|immintrin|x86intrin|arm_neon|arm_sve|cpuid)\.h", r"core/base/simd\.h"),
]
CONDITIONALS_ALLOWED = {"core/base/simd.h"}  # architecture guards; features are chosen by CMake, file by file


# Some standard libraries bring these along with other headers and some do not: a file that builds here breaks there.
ALGORITHMS = re.compile(
    r"\bstd::(adjacent_find|all_of|any_of|binary_search|clamp|copy|copy_n|count|count_if|equal|fill|fill_n|find|find_if"
    r"|generate|is_sorted|lower_bound|max|max_element|min|min_element|minmax|minmax_element|mismatch|none_of|nth_element"
    r"|partial_sort|remove_if|replace|reverse|rotate|set_difference|shuffle|sort|stable_sort|transform|unique"
    r"|upper_bound)\b[<(]")


def algorithm_problem(root, name, text):
    """The first algorithm of a file that includes <algorithm> neither itself nor in its own header."""
    header = root / re.sub(r"(_test)?\.cpp$", ".h", name)
    known = text + (header.read_text(encoding="utf-8") if header.exists() else "")
    if "#include <algorithm>" in known:
        return None
    for number, line in code_lines(text):
        if m := ALGORITHMS.search(line):
            return f"{name}:{number}: std::{m.group(1)} needs #include <algorithm>"
    return None


def layer_of(name):
    parts = name.split("/")
    return parts[1] if parts[0] == "core" else None


def include_problem(name, quoted, header):
    for pattern, owner in OWNED:
        if re.fullmatch(pattern, header) and not re.fullmatch(owner, name):
            return f"<{header}> belongs to {owner.replace(chr(92), '')} only"
    layer, top = layer_of(name), header.split("/")[0]
    if not quoted:
        if layer == "base" and "/" in header and top not in ("fmt", "sys") and not name.endswith("_test.cpp"):
            return f"base may include the standard library and {{fmt}}, not <{header}>"
        return None
    if layer is None:  # a lab: anything in core, its own files, never another lab
        if ".." in header.split("/") or re.match(r"(labs/|\d\d_)", header):
            return f'"{header}": a lab never includes another lab'
        return f'"{header}": the plugin is loaded, not included' if top in NOT_FOR_LABS else None
    if layer not in MAY_INCLUDE:
        return f"core/{layer} is not in the table of layers"
    if top not in MAY_INCLUDE or "/" not in header:
        return f'"{header}" does not start with a layer of core/'
    if name.endswith("_test.cpp"):  # tests may include what is above them
        return None
    allowed = MAY_INCLUDE[layer] | {layer}
    return None if top in allowed else f'{layer} must not include "{header}"; allowed: {", ".join(sorted(allowed))}'


def check(root):
    problems = []
    names = sources(root)
    for name in names:
        text = read(root, name)
        if problem := algorithm_problem(root, name, text):
            problems.append(problem)
        for number, line in code_lines(text):
            if m := re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line):
                problem = include_problem(name, m.group(1) == '"', m.group(2))
                if problem:
                    problems.append(f"{name}:{number}: {problem}")
            elif re.match(r"\s*#\s*(if|ifdef|ifndef|elif)\b", line) and name not in CONDITIONALS_ALLOWED:
                problems.append(f"{name}:{number}: {line.strip()}: features are files that CMake selects, not #if")
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(main(check))
