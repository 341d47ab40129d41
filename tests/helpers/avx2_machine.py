"""An environment in which a subprocess behaves as on a processor with AVX2 and no more.

PyTorch's kernels choose by ATEN_CPU_CAPABILITY, oneDNN and MKL by variables of their own, vLLM
its compiled part and our code by the processor's flags, which `avx2/sitecustomize.py` changes.
`seen` asks a process what it really took.
"""

from __future__ import annotations

import os
from pathlib import Path

HOOK = Path(__file__).with_name("avx2")
ROOT = Path(__file__).resolve().parents[2]


def avx2_environment() -> dict[str, str]:
    """Variables for a subprocess, to be added to the others."""
    path = os.pathsep.join(filter(None, [str(HOOK), str(ROOT), os.environ.get("PYTHONPATH")]))
    return {
        "ATEN_CPU_CAPABILITY": "avx2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "DNNL_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "PYTHONPATH": path,
    }
