// Fewer pixels while things move on a slow machine, all of them as soon as the picture stands still.

const SLOW = 45; // milliseconds between frames
const PATIENCE = 8; // frames
const SHARES = [1, 0.75, 0.5];
const STILL = 150; // milliseconds

export class Quality {
  constructor(stage, software) {
    this.stage = stage;
    this.level = software ? SHARES.length - 1 : 0;
    this.slow = 0;
    this.lastDrawn = 0;
    this.share = 1;
  }

  // Before a frame of something that moves.
  moving(now) {
    const interval = now - this.lastDrawn;
    this.slow = interval > SLOW && interval < 1000 ? this.slow + 1 : 0;
    if (this.slow >= PATIENCE && this.level < SHARES.length - 1) {
      this.level += 1;
      this.slow = 0;
    }
    this.lastDrawn = now;
    this.#use(SHARES[this.level]);
  }

  // Whether a still picture wants to be drawn once more, with all pixels.
  wantsSharp(now) {
    if (this.share === 1 || now - this.lastDrawn < STILL) return false;
    this.#use(1);
    return true;
  }

  #use(share) {
    if (share === this.share) return;
    this.share = share;
    this.stage.setShare(share);
  }
}

export function probe() {
  try {
    const gl = document.createElement('canvas').getContext('webgl2');
    if (!gl) return null;
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return { name, software: /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) };
  } catch {
    return null;
  }
}
