// The ground: a checkerboard in metres that fades into the background, and the shadow on it.
import { Color, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, Vector2 } from 'three';

const SHADED = 2.2; // of the character's size: where its shadow may fall

const VERTEX = `
varying vec2 vPlace;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vPlace = world.xz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// the checkerboard averaged over a pixel, so that it does not flicker far away (Quilez, "filtering the checkerboard")
const FRAGMENT = `
uniform vec3 dark, light, line;
uniform vec2 centre;
uniform float side, reach, strength;
varying vec2 vPlace;
void main() {
  vec2 p = vPlace / side;
  vec2 w = max(fwidth(p), 1e-4);
  vec2 i = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) - abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
  float checker = 0.5 - 0.5 * i.x * i.y;
  vec2 edge = abs(fract(p - 0.5) - 0.5) / w;
  float grid = (1.0 - min(min(edge.x, edge.y), 1.0)) * clamp(1.2 - 4.0 * max(w.x, w.y), 0.0, 1.0);
  vec3 colour = mix(mix(dark, light, checker), line, 0.55 * grid);
  float fade = 1.0 - smoothstep(0.15, 1.0, length(vPlace - centre) / reach);
  gl_FragColor = vec4(colour, strength * fade);
  #include <colorspace_fragment>
}`;

export class Ground {
  constructor(size) {
    this.side = niceStep(size / 4);
    this.reach = 5 * size;
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: {
        dark: { value: new Color() },
        light: { value: new Color() },
        line: { value: new Color() },
        centre: { value: new Vector2() },
        side: { value: this.side },
        reach: { value: this.reach },
        strength: { value: 1 },
      },
    });
    this.board = new Mesh(floor(this.reach), this.material);
    this.board.renderOrder = -2;
    this.shadow = new Mesh(floor(SHADED * size), new ShadowMaterial({ transparent: true, depthWrite: false }));
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = -1;
  }

  // The board goes with the camera's target, the shadow with the character.
  moveTo(target, place) {
    this.board.position.set(target.x, 0, target.z);
    this.material.uniforms.centre.value.set(target.x, target.z);
    this.shadow.position.set(place.x, 0, place.z);
  }

  paint({ dark, light, line, shadow }) {
    const { uniforms } = this.material;
    uniforms.dark.value.set(dark);
    uniforms.light.value.set(light);
    uniforms.line.value.set(line);
    this.shadow.material.opacity = shadow;
  }
}

function floor(reach) {
  return new PlaneGeometry(2 * reach, 2 * reach).rotateX(-Math.PI / 2);
}

// 1, 2 or 5 times a power of ten, at or below the value.
export function niceStep(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-6)));
  const digit = value / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}
