"""Bring your own prior: one that likes every pixel to sway slowly, and knows no words, moves a snake.

Run: python examples/05_your_own_prior.py [OUT_FOLDER]
"""

import sys
from pathlib import Path

import torch

import gambol
from gambol.app.new import write_creature
from gambol.diffusion.parametrisation import signal_flow


class SwayingPrior(gambol.VideoPrior[None]):
    """Each pixel's course over time is a Gaussian whose power lies at two waves per video."""

    format = gambol.VideoFormat(frames=16, height=32, width=48, fps=12.0)

    def condition(self, prompt, negative="", *, reference=None):
        """It listens to nothing."""

    def encode(self, video):
        """Pixels are its latents."""
        return 2 * video - 1

    def signal(self, t):
        """As rectified flows have it."""
        return signal_flow(t)

    def predict_clean(self, noisy, t, condition, guidance):
        """A Wiener filter: what is slow is kept, two waves per video are made stronger."""
        signal, waves = self.signal(t), torch.arange(len(noisy) // 2 + 1)
        power = torch.where(waves == 0, 4.0, 1.0 / (1.0 + (waves - 2.0) ** 2))
        gain = signal.a * power / (signal.a**2 * power + signal.s**2)
        return torch.fft.irfft(gain[:, None, None, None] * torch.fft.rfft(noisy, dim=0), len(noisy), dim=0)

    def decode(self, latent):
        """Back to colours."""
        return ((latent + 1) / 2).clamp(0, 1)


def main(folder: Path) -> None:
    """Thirty steps on a real-colour video of 16 small frames."""
    snake = gambol.load(write_creature("snake", folder / "snake.glb"))
    clip = gambol.animate(snake, "sway", prior=SwayingPrior(), steps=30, guidance=1.0, splats=1000)
    path = gambol.save(snake, clip, folder / "snake-sways.glb")
    print(path, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
