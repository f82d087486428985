// The stage: renderer, camera, light and ground, and how the camera frames a character.
import {
  BackSide, BoxGeometry, Color, DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial, NeutralToneMapping, PCFShadowMap,
  PerspectiveCamera, PMREMGenerator, Scene, SphereGeometry, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Ground } from './ground.js';

const PLAIN_SKY = ['#f2f5fa', '#a8a39c', 3.6];
const FIELD_OF_VIEW = 30;
const MARGIN = 1.18;
// characters face +x
export const VIEWS = {
  quarter: new Vector3(0.75, 0.34, 1),
  side: new Vector3(0, 0.08, 1),
  front: new Vector3(1, 0.1, 0.0001),
  back: new Vector3(-1, 0.12, 0.0001),
  top: new Vector3(0, 1, 0.001),
};

export class Stage {
  constructor(canvas, facts, software, renderer = makeRenderer(canvas)) {
    this.facts = facts;
    this.renderer = renderer;
    const size = facts.size;
    this.camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, size / 50, size * 80);
    this.scene = new Scene();
    if (software) this.scene.add(new HemisphereLight(...PLAIN_SKY)); // an environment takes seconds there
    else this.scene.environment = studio(this.renderer);
    this.sun = sun(size, software ? 1024 : 2048);
    this.ground = new Ground(size);
    this.scene.add(this.sun, this.sun.target, this.ground.board, this.ground.shadow);
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, {
      enableDamping: true, dampingFactor: 0.12, minDistance: size * 0.15, maxDistance: size * 12,
      maxPolarAngle: 0.56 * Math.PI,
    });
    this.followed = new Vector3();
    this.share = 1;
    this.insets = { left: 0, right: 0, top: 0, bottom: 0 };
    this.view = VIEWS.quarter;
    this.paint();
  }

  // Colours come from the page's style, which knows light and dark.
  paint() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    this.ground.paint({
      dark: read('--ground-dark'), light: read('--ground-light'), line: read('--ground-line'),
      shadow: +read('--shadow'),
    });
    this.wire = { colour: read('--wire'), opacity: +read('--wire-opacity') };
  }

  // Width and height of the picture, CSS pixels.
  get extent() {
    const { clientWidth, clientHeight } = this.renderer.domElement.parentElement;
    return [clientWidth, clientHeight];
  }

  resize(insets) {
    this.insets = insets;
    const [width, height] = this.extent;
    this.renderer.setPixelRatio(this.share * Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // the point that is looked at stands in the middle of what the panels leave free
    const [x, y] = [(insets.left - insets.right) / 2, (insets.top - insets.bottom) / 2];
    this.camera.setViewOffset(width, height, -x, -y, width, height);
  }

  // Draw with this share of the screen's pixels on each side.
  setShare(share) {
    this.share = share;
    this.renderer.setPixelRatio(share * Math.min(devicePixelRatio, 2));
  }

  // Look along one of VIEWS from as far as the rest bounds need.
  frame(view = this.view) {
    this.view = view;
    const [low, high] = [new Vector3(...this.facts.low), new Vector3(...this.facts.high)];
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const back = view.clone().normalize();
    const right = new Vector3(0, 1, 0).cross(back).normalize();
    const up = back.clone().cross(right);
    const [width, height] = this.extent;
    const tangent = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    const free = [width - this.insets.left - this.insets.right, height - this.insets.top - this.insets.bottom];
    const [tangentX, tangentY] = free.map((pixels) => (tangent * Math.max(pixels, 80)) / height);
    let distance = 0;
    for (let corner = 0; corner < 8; corner += 1) {
      const point = new Vector3(...[0, 1, 2].map((k) => [low, high][(corner >> k) & 1].getComponent(k))).sub(middle);
      const needed = Math.max(Math.abs(point.dot(right)) / tangentX, Math.abs(point.dot(up)) / tangentY);
      distance = Math.max(distance, point.dot(back) + MARGIN * needed);
    }
    this.controls.target.copy(middle).add(this.followed);
    this.camera.position.copy(this.controls.target).addScaledVector(back, distance);
    this.controls.update();
  }

  // Carry camera and target along with the body.
  follow(travelled) {
    const step = travelled.clone().sub(this.followed);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.followed.copy(travelled);
  }

  render(place, overlay) {
    const { target } = this.controls;
    this.ground.moveTo(target, place);
    this.sun.target.position.set(place.x, place.y + 0.4 * this.facts.size, place.z);
    this.sun.position.copy(this.sun.target.position).addScaledVector(this.sun.userData.from, 3 * this.facts.size);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    if (overlay) {
      this.renderer.clearDepth();
      this.renderer.shadowMap.autoUpdate = false;
      this.renderer.render(overlay, this.camera);
      this.renderer.shadowMap.autoUpdate = true;
    }
  }
}

export function makeRenderer(canvas) {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
  renderer.setClearAlpha(0);
  renderer.autoClear = false;
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  return renderer;
}

function sun(size, pixels) {
  const light = new DirectionalLight('#fff6ea', 2.1);
  light.userData.from = new Vector3(0.45, 1, 0.55).normalize();
  light.castShadow = true;
  light.shadow.mapSize.set(pixels, pixels);
  const reach = 1.3 * size;
  Object.assign(light.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 6 * size });
  light.shadow.radius = 6;
  light.shadow.normalBias = 0.004 * size;
  light.shadow.bias = -0.0004;
  light.shadow.intensity = 0.8;
  return light;
}

// Soft light from all around: a bright sky, a warm floor and two lamps, as an environment map.
function studio(renderer) {
  const room = new Scene();
  const shell = new Mesh(new SphereGeometry(20, 24, 16), new MeshBasicMaterial({ side: BackSide, vertexColors: true }));
  const { position } = shell.geometry.attributes;
  const colours = position.clone();
  const [sky, floor, shade] = [new Color(1.05, 1.08, 1.12), new Color(0.42, 0.4, 0.38), new Color()];
  for (let i = 0; i < position.count; i += 1) {
    const up = 0.5 + 0.5 * (position.getY(i) / 20);
    shade.lerpColors(floor, sky, up * up * (3 - 2 * up)).toArray(colours.array, 3 * i);
  }
  shell.geometry.setAttribute('color', colours);
  room.add(shell);
  for (const [x, y, z, power] of [[9, 9, 7, 9], [-11, 7, -6, 5]]) {
    const lamp = new Mesh(new BoxGeometry(5, 5, 0.2), new MeshBasicMaterial({ color: new Color(power, power, power) }));
    lamp.position.set(x, y, z);
    lamp.lookAt(0, 0, 0);
    room.add(lamp);
  }
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(room, 0.03, 0.1, 100);
  generator.dispose();
  return texture;
}
