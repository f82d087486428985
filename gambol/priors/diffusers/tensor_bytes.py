"""Counts the bytes of live tensors and the floating point operations of a block of code, on any device."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple
from unittest.mock import patch

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten
from torch.utils.flop_counter import flop_registry

_ATTENTION = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
_ATTENTION_BACKWARD = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward


class TensorByteCounter(TorchDispatchMode):
    """Counts the bytes of all tensors that are made while it is active, until they are freed.

    It sees operations and not an allocator, so its numbers are deterministic. Floating point operations are those of
    matrix products, convolutions and attention, as torch counts them.
    """

    def __init__(self, *, unfolding: bool = False) -> None:
        super().__init__()
        self.live = self.peak = self.flops = 0
        self.unfolding = unfolding
        """Whether 3D convolutions unfold their input (`convolutions_unfold`)."""
        self._known: set[int] = set()
        self._results: dict[Any, tuple[Any, tuple[_MetaShape, ...], int]] = {}

    def start_phase(self) -> None:
        """Reset the peak to what is live now, and the operations to 0."""
        self.peak, self.flops = self.live, 0

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        leaves, structure = tree_flatten((args, kwargs))
        tensors = [x for x in leaves if isinstance(x, Tensor)]
        # A model repeats the same few operations thousands of times; torch's meta kernels are slow Python functions.
        key = None
        if tensors and all(x.is_meta for x in tensors) and _makes_new_tensors(func):
            key = (func, structure, *map(_signature, leaves))
        if key in self._results:
            result_structure, shapes, operations = self._results[key]
            result = tree_unflatten([shape.empty() for shape in shapes], result_structure)
        else:
            result = func(*args, **kwargs)
            operations = _operations(func._overloadpacket, args, kwargs, result)
            outputs, result_structure = tree_flatten(result)
            if key is not None and all(_is_plain_meta(x) for x in outputs):
                shapes = tuple(_MetaShape(x.shape, x.stride(), x.dtype) for x in outputs)
                self._results[key] = (result_structure, shapes, operations)
        before = {x.untyped_storage()._cdata for x in tensors}
        for tensor in tree_leaves(result):
            if isinstance(tensor, Tensor):
                self._notice(tensor.untyped_storage(), before)
        self.flops += operations
        if self.unfolding:
            self.peak = max(self.peak, self.live + _unfolded(func._overloadpacket, args, result))
        return result

    def _notice(self, storage: torch.UntypedStorage, before: set[int]) -> None:
        name, size = storage._cdata, storage.nbytes()
        if name in self._known or name in before:
            return
        self._known.add(name)
        self.live += size
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._forget, name, size)

    def _forget(self, name: int, size: int) -> None:
        self._known.discard(name)
        self.live -= size


class _MetaShape(NamedTuple):
    """All that there is to know of a dense tensor on the meta device."""

    size: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype

    def empty(self) -> Tensor:
        """Make another tensor like it."""
        return torch.empty_strided(self.size, self.stride, dtype=self.dtype, device="meta")


@cache
def _makes_new_tensors(func: Any) -> bool:
    """Whether an operation neither changes its arguments nor returns views of them, by its schema."""
    return not func._schema.is_mutable and all(x.alias_info is None for x in func._schema.returns)


def _signature(value: Any) -> Any:
    """What the result of an operation may depend on, of one of its arguments: equal and hashable where it is equal."""
    if isinstance(value, Tensor):
        return tuple(value.shape), value.stride(), value.dtype
    return type(value), value


def _is_plain_meta(value: Any) -> bool:
    if not isinstance(value, Tensor) or not value.is_meta or value.storage_offset():
        return False
    span = 1 + sum((n - 1) * s for n, s in zip(value.shape, value.stride(), strict=True)) if value.numel() else 0
    return value.untyped_storage().nbytes() == span * value.element_size()


def _operations(packet: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> int:
    if packet is _ATTENTION or packet is _ATTENTION_BACKWARD:
        # Two products of queries x keys x channels; five in the backward pass.
        query, key = args[:2] if packet is _ATTENTION else args[1:3]
        products = 2 if packet is _ATTENTION else 5
        return 2 * products * query.shape[:-1].numel() * key.shape[-2] * query.shape[-1]
    count: Callable[..., int] | None = flop_registry.get(packet)
    return count(*args, **kwargs, out_val=result) if count else 0


def _unfolded(packet: Any, args: tuple[Any, ...], result: Any) -> int:
    """Bytes of a 3D convolution's unfolded input: every value once for each element of the kernel that it meets."""
    if packet is torch.ops.aten.convolution:
        source, kernel, out = args[0], args[1], result
    elif packet is torch.ops.aten.convolution_backward:
        out, source, kernel = args[:3]
    else:
        return 0
    if source.dim() != 5 or kernel.shape[2:].numel() == 1:
        return 0
    return len(source) * out.shape[2:].numel() * kernel.shape[1:].numel() * source.element_size()


def convolutions_unfold(device: str, dtype: torch.dtype) -> bool:
    """Return whether torch runs 3D convolutions on this device by unfolding, which multiplies memory by the kernel."""
    if torch.device(device).type != "cpu":
        return False
    source, kernel = torch.zeros(1, 8, 3, 8, 8, dtype=dtype), torch.zeros(8, 8, 3, 3, 3, dtype=dtype)
    ones, zeros = [1, 1, 1], [0, 0, 0]
    backend = torch._C._select_conv_backend(source, kernel, None, ones, zeros, ones, False, zeros, 1)
    return backend == torch._C._ConvBackend.Slow3d  # type: ignore[attr-defined]


def _attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    **_: Any,
) -> Tensor:
    return _ATTENTION(query, key, value, dropout_p, is_causal, attn_mask=attn_mask, scale=scale)[0]


@contextmanager
def count_tensor_bytes(*, unfolding: bool = False) -> Iterator[TensorByteCounter]:
    """Count within this block; attention is counted as fused, without the matrix of all pairs, as GPUs run it.

    On the meta device torch would decompose attention. The function is patched and not overridden by a torch function
    mode, because those are off in the backward pass.
    """
    with (
        patch.object(torch.nn.functional, "scaled_dot_product_attention", _attend),
        TensorByteCounter(unfolding=unfolding) as counter,
    ):
        yield counter
