"""Which network is on the device at a time."""

from __future__ import annotations

from typing import Any, Literal

import torch

Offload = Literal["none", "models", "layers"]


class Residence:
    """Keeps the networks on the device, or brings each one there when it is used and sends the others away.

    'models' moves whole networks, 'layers' keeps only one group of a denoiser's layers there (slow, smallest).
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
        """The network, on the device; with offloading, alone there."""
        if self.offload != "none":
            for other in self._movable:
                if other is not network:
                    other.to("cpu")
            if network in self._movable:
                network.to(self.device)
        return network
