"""Moves the networks of a model between the CPU and the device, so that a step needs less device memory."""

from __future__ import annotations

from typing import Any

import torch

from gambol.priors.diffusers.settings import Offload


class DeviceOffloader:
    """Keeps networks on a device, or moves each one there when it is used and the others back to the CPU.

    'none' keeps all of them there; 'models' moves whole networks; 'layers' streams the denoisers layer by layer, which
    needs the least memory and is slow.
    """

    def __init__(self, device: torch.device, offload: Offload, denoisers: tuple[Any, ...], others: tuple[Any, ...]):
        self.device, self.offload = device, offload
        self._fixed = denoisers if offload == "layers" else ()
        self._movable = others if offload == "layers" else (*denoisers, *others)
        for network in (*denoisers, *others):
            network.requires_grad_(False).eval()
        for network in self._fixed:
            network.enable_group_offload(
                onload_device=device, offload_device=torch.device("cpu"), offload_type="leaf_level"
            )
        if offload == "none":
            for network in self._movable:
                network.to(device)

    def use(self, network: Any) -> Any:
        """Return the network after moving it to the device; with offloading, the others leave the device first."""
        if self.offload != "none":
            for other in self._movable:
                if other is not network:
                    other.to("cpu")
            if network in self._movable:
                network.to(self.device)
        return network
