"""Arrays and metadata as .safetensors files: they read back, in any process with the same bytes, or are refused."""

import json
import subprocess
import sys

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from gambol.errors import AssetError
from gambol.files.tensors import METADATA_KEY, read_tensors, write_tensors

MAKE = """
import sys
from pathlib import Path
import numpy as np
from gambol.files.tensors import write_tensors
rng = np.random.default_rng(0)
arrays = {"a": rng.normal(size=(3, 4)).astype(np.float32), "b": rng.integers(-9, 9, 5).astype(np.int8)}
arrays |= {"strided": arrays["a"].astype(np.float16)[:, ::2], "turned": arrays["a"].T, "one": np.array(3, np.int64)}
arrays |= {"none": np.zeros((0, 3), np.float32), "bytes": np.frombuffer(b"gambol", np.uint8)}
metadata = {f"key {i}": "ä" * i for i in range(9)}
write_tensors(Path(sys.argv[1]), arrays, metadata)
"""


def test_arrays_and_metadata_read_back_with_the_same_bytes_in_every_process(tmp_path):
    for name in ("one", "other"):
        subprocess.run([sys.executable, "-c", MAKE, tmp_path / f"{name}.safetensors"], check=True)
    one = tmp_path / "one.safetensors"
    assert one.read_bytes() == (tmp_path / "other.safetensors").read_bytes()
    arrays, metadata = read_tensors(one)
    a = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    assert set(arrays) == {"a", "b", "strided", "turned", "one", "none", "bytes"}
    np.testing.assert_array_equal(arrays["a"], a)
    np.testing.assert_array_equal(arrays["strided"], a.astype(np.float16)[:, ::2])
    np.testing.assert_array_equal(arrays["turned"], a.T)
    assert (arrays["one"].shape, int(arrays["one"])) == ((), 3)
    assert arrays["none"].shape == (0, 3)
    assert arrays["bytes"].tobytes() == b"gambol"
    assert metadata == {f"key {i}": "ä" * i for i in range(9)}
    for name, array in load_file(one).items():
        assert array.dtype == arrays[name].dtype
        np.testing.assert_array_equal(array, arrays[name])


def test_metadata_of_other_writers_is_read_as_it_is(tmp_path):
    path = tmp_path / "x.safetensors"
    save_file({"a": np.ones(3, np.float32)}, path, {"who": "test", "metadata": "{}"})
    assert read_tensors(path)[1] == {"who": "test", "metadata": "{}"}
    save_file({"a": np.ones(3, np.float32)}, path)
    assert read_tensors(path)[1] == {}


@pytest.mark.parametrize("kept", [0, 4, 60, -3])
def test_a_file_that_is_cut_off_or_missing_is_refused(tmp_path, kept):
    path = tmp_path / "x.safetensors"
    write_tensors(path, {"a": np.ones(30, np.float32)}, {"who": "test"})
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(AssetError, match=r"x\.safetensors is no readable"):
        read_tensors(path)
    with pytest.raises(AssetError, match=r"missing\.safetensors"):
        read_tensors(tmp_path / "missing.safetensors")


def test_the_shipped_weights_are_read(tmp_path):
    from gambol.poses.weights_file import POSE_WEIGHTS
    from gambol.priors.embedded.text.encoder import MOTION_HEAD_WEIGHTS, TEXT_WEIGHTS

    for path in (POSE_WEIGHTS, MOTION_HEAD_WEIGHTS, TEXT_WEIGHTS):
        arrays, metadata = read_tensors(path)
        with safe_open(path, "numpy") as file:
            assert set(file.keys()) == set(arrays)
            written = file.metadata()
            whole = json.loads(written[METADATA_KEY]) if set(written) == {METADATA_KEY} else written
            assert whole == metadata
