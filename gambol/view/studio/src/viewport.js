// The picture: one character, drawn in one cell or in several side by side, each with a motion of its own.
//
// There is one three.js character. Each cell poses it, carries the camera along with its body, and draws it into its part of
// the canvas; a ghost is the same character posed once more and drawn in one translucent colour. Over the picture lies a
// flat canvas for handles, pins, paths and forces (`layers`, see ink.js).
//
// A cell: { id, label, motion, ghost, place, fixed, at }. `motion` null is the rest pose; `at` maps the time of the playhead
// to the motion's own; `fixed` (a point) holds the camera in place of following;
// `place` is a transform that the whole body is moved by.
import { Color, Matrix4, MeshBasicMaterial, Plane, Raycaster, Vector2, Vector3 } from 'three';
import { loadCharacter } from '../../player/src/character.js';
import { Meter } from '../../player/src/meter.js';
import { Quality } from '../../player/src/quality.js';
import { makeRenderer, Stage, VIEWS } from '../../player/src/scene.js';
import { SkeletonOverlay } from '../../player/src/skeleton.js';
import { alongPath, travelPath } from '../../player/src/travel.js';
import { Ink } from './ink.js';

const GHOST_OPACITY = 0.3;
const SOFTWARE_INTERVAL = 80; // milliseconds between pictures where the processor draws them: it has motions to make, too
const MOST_CELLS = 8;

class CellStage extends Stage {
  #cell = null;

  get extent() {
    return this.#cell ?? super.extent;
  }

  // The camera's picture is `width` x `height` CSS pixels from now on.
  useCell(width, height) {
    if (this.#cell?.[0] === width && this.#cell?.[1] === height) return;
    this.#cell = [width, height];
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }
}

export class Viewport {
  constructor(holder, graphics, playhead) {
    this.holder = holder;
    this.graphics = graphics;
    this.playhead = playhead;
    this.canvas = holder.querySelector('#picture');
    this.renderer = makeRenderer(this.canvas);
    this.ink = new Ink(holder.querySelector('#ink'), this);
    this.meter = new Meter(holder.querySelector('#meter'));
    this.character = null;
    this.stage = null;
    this.cells = [{ id: 'rest', motion: null }];
    this.shows = { skeleton: false, parts: false, wireframe: false, follow: true };
    this.paths = new WeakMap();
    this.dirty = true;
    this.drawn = -Infinity;
    this.view = 'quarter';
    this.ghostMaterial = new MeshBasicMaterial({ transparent: true, opacity: GHOST_OPACITY, depthWrite: false });
    this.raycaster = new Raycaster();
    this.travelled = new Vector3();
    new ResizeObserver(() => this.#resize()).observe(holder);
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      throw new Error('The graphics driver stopped drawing this page. Reload it to go on; nothing is lost.');
    });
  }

  // Show another character, in its rest pose.
  async load(bytes, facts) {
    const character = await loadCharacter(bytes, facts);
    this.clear();
    this.character = character;
    this.stage = new CellStage(this.canvas, facts, this.graphics.software, this.renderer);
    this.quality = new Quality(this.stage, this.graphics.software);
    if (this.graphics.software) character.dullMetal();
    this.stage.scene.add(character.root);
    this.overlay = new SkeletonOverlay(character, facts);
    this.stage.controls.addEventListener('change', () => { this.dirty = true; });
    this.character.poseRest();
    this.restPelvis = this.#pelvis();
    this.cells = [{ id: 'rest', motion: null }];
    this.#layout();
    this.#resize();
    this.repaint();
    this.look(this.view);
    for (const name of Object.keys(this.shows)) this.show(name, this.shows[name]);
  }

  clear() {
    if (!this.character) return;
    this.stage.controls.dispose();
    this.stage.scene.traverse((object) => {
      object.geometry?.dispose();
      for (const material of [object.material].flat()) {
        for (const value of Object.values(material ?? {})) if (value?.isTexture) value.dispose();
        material?.dispose?.();
      }
    });
    this.stage.scene.environment?.dispose();
    this.stage.sun.shadow.map?.dispose();
    this.character = null;
    this.stage = null;
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.dirty = true;
  }

  get size() {
    return this.character?.facts.size ?? 1;
  }

  // What is drawn from now on; the camera stays where it is.
  showCells(cells) {
    const before = this.cells.length;
    this.cells = cells.slice(0, MOST_CELLS);
    if (!this.cells.every(({ rect }) => rect)) this.#layout();
    if (this.stage && this.cells.length !== before) this.look(this.view);
    this.dirty = true;
  }

  get single() {
    return this.cells.length === 1 ? this.cells[0] : null;
  }

  show(name, on) {
    this.shows[name] = on;
    this.dirty = true;
    if (!this.character) return;
    if (name === 'parts') {
      this.character.showParts(on);
      this.overlay.paint(!on);
    }
    if (name === 'wireframe' || name === 'parts') {
      this.character.showWires(this.shows.wireframe, this.stage.wire.colour, this.stage.wire.opacity);
    }
  }

  look(view) {
    this.view = view;
    if (!this.stage) return;
    const [first] = this.cells;
    if (first?.rect) this.stage.useCell(first.rect.width, first.rect.height);
    this.#carry(first);
    this.stage.frame(VIEWS[view]);
    this.dirty = true;
  }

  // The theme has changed.
  repaint() {
    const style = getComputedStyle(document.documentElement);
    this.ghostMaterial.color = new Color(style.getPropertyValue('--ghost').trim());
    this.ink.paint(style);
    this.stage?.paint();
    this.show('wireframe', this.shows.wireframe);
  }

  // --- one turn of the page's loop

  turn(moved, now) {
    if (!this.stage) {
      if (this.dirty) this.ink.draw();
      this.dirty = false;
      return;
    }
    const began = performance.now();
    this.stage.controls.update();
    this.dirty ||= moved;
    if (this.graphics.software && this.dirty && now - this.drawn < SOFTWARE_INTERVAL) return;
    if (this.dirty) {
      this.drawn = now;
      this.quality.moving(now);
      this.#draw();
      this.meter.count(now, performance.now() - began);
    } else {
      this.meter.rest();
      if (this.quality.wantsSharp(now)) this.#draw();
    }
  }

  #draw() {
    this.dirty = false;
    const { renderer, stage } = this;
    const height = this.holder.clientHeight;
    renderer.setScissorTest(this.cells.length > 1);
    for (const cell of this.cells) {
      const { rect } = cell;
      renderer.setViewport(rect.x, height - rect.y - rect.height, rect.width, rect.height);
      renderer.setScissor(rect.x, height - rect.y - rect.height, rect.width, rect.height);
      stage.useCell(rect.width, rect.height);
      this.#carry(cell);
      this.#pose(cell);
      if (this.shows.skeleton) this.overlay.update();
      stage.render(this.travelled, this.shows.skeleton ? this.overlay.scene : null);
      if (cell.ghost) this.#drawGhost(cell);
      if (cell === this.single) this.#pose(cell, Boolean(cell.ghost));
    }
    this.ink.draw();
  }

  #drawGhost(cell) {
    const { renderer, stage } = this;
    this.#apply(cell.ghost, (cell.ghostAt ?? cell.at ?? ((t) => t))(this.playhead.time));
    this.character.root.updateMatrixWorld(true);
    const hidden = [stage.ground.board, stage.ground.shadow];
    for (const object of hidden) object.visible = false;
    stage.scene.overrideMaterial = this.ghostMaterial;
    renderer.shadowMap.autoUpdate = false;
    renderer.render(stage.scene, stage.camera);
    renderer.shadowMap.autoUpdate = true;
    stage.scene.overrideMaterial = null;
    for (const object of hidden) object.visible = true;
  }

  #pose(cell, needed = true) {
    if (!needed) return;
    this.#apply(cell.motion, this.timeIn(cell));
    const { root, facts } = this.character;
    root.matrix.set(...facts.T_world_file);
    if (cell.place) root.matrix.premultiply(cell.place);
    root.updateMatrixWorld(true);
  }

  #apply(motion, time) {
    if (!motion) {
      this.character.poseRest();
      return;
    }
    this.character.restoreNodes();
    motion.apply(this.character.nodes, time);
  }

  // The playhead's time in a cell's own motion: what is shorter than the playhead runs stands still at its end, or loops.
  timeIn(cell) {
    const { time } = this.playhead;
    if (cell.at) return cell.at(time);
    const length = cell.motion?.duration ?? 0;
    if (time > length && length > 0 && this.cells.length > 1) return time % length;
    return Math.min(time, length);
  }

  // --- the camera goes with the body

  #carry(cell) {
    if (cell?.fixed) this.travelled.copy(cell.fixed);
    else this.#travel(cell?.motion ?? null, cell ? this.timeIn(cell) : 0);
    if (this.shows.follow && this.stage) this.stage.follow(this.travelled);
  }

  #travel(motion, time) {
    if (!motion) return this.travelled.set(0, 0, 0);
    if (!this.paths.has(motion)) this.paths.set(motion, this.#pathOf(motion));
    return alongPath(this.paths.get(motion), motion.duration > 0 ? Math.min(time / motion.duration, 1) : 0, this.travelled);
  }

  // Where the body of the only cell has been carried to, as a new point.
  place() {
    this.#carry(this.cells[0]);
    return this.travelled.clone();
  }

  #pathOf(motion) {
    const place = (share) => {
      this.#apply(motion, motion.duration * share);
      return this.#pelvis().sub(this.restPelvis);
    };
    return travelPath(place, { duration: motion.duration, frames: motion.frames, size: this.size });
  }

  #pelvis() {
    const bone = this.character.bones[0] ?? this.character.meshes[0];
    if (!bone) return new Vector3();
    bone.updateWorldMatrix(true, false);
    return new Vector3().setFromMatrixPosition(bone.matrixWorld);
  }

  // The turn about the vertical and the step over the ground that bring a pose to where a motion has the body.
  placeOf(motion, time, pose) {
    const roots = [[motion, time], [pose, 0]].map(([of, at]) => {
      this.#apply(of, at);
      this.character.root.updateMatrixWorld(true);
      return this.character.bones[0].matrixWorld.clone();
    });
    const e = roots[0].clone().multiply(roots[1].clone().invert()).elements;
    const place = new Matrix4().makeRotationY(Math.atan2(e[8] - e[2], e[0] + e[10]));
    const [there, here] = roots.map((root) => new Vector3().setFromMatrixPosition(root));
    const step = there.sub(here.applyMatrix4(place));
    return place.setPosition(step.x, 0, step.z);
  }

  movedBack(point, place) {
    return new Vector3(...point).applyMatrix4(place.clone().invert()).toArray();
  }

  // --- from world to screen and back; for the only cell

  // [x, y, depth] in CSS pixels of the viewport; depth is null behind the camera.
  project(point) {
    const v = new Vector3(...point).project(this.stage.camera);
    const { x, y, width, height } = this.cells[0].rect;
    return [x + ((v.x + 1) * width) / 2, y + ((1 - v.y) * height) / 2, v.z > -1 && v.z < 1 ? v.z : null];
  }

  #ray(x, y) {
    const { rect } = this.cells[0];
    const at = new Vector2((2 * (x - rect.x)) / rect.width - 1, 1 - (2 * (y - rect.y)) / rect.height);
    this.raycaster.setFromCamera(at, this.stage.camera);
    return this.raycaster.ray;
  }

  // Where a point of the picture meets the plane through `point` that faces the camera.
  onPlane(x, y, point) {
    const normal = this.stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(...point));
    return this.#ray(x, y).intersectPlane(plane, new Vector3())?.toArray() ?? null;
  }

  // Where a point of the picture meets the ground, [x, z]; null above the horizon or far away.
  onGround(x, y) {
    const hit = this.#ray(x, y).intersectPlane(new Plane(new Vector3(0, 1, 0), 0), new Vector3());
    if (!hit || hit.distanceTo(this.stage.controls.target) > 40 * this.size) return null;
    return [hit.x, hit.z];
  }

  // World positions of a bone's head and, for the last bone of a chain, its end.
  head(bone) {
    return new Vector3().setFromMatrixPosition(this.character.bones[bone].matrixWorld).toArray();
  }

  tail(bone) {
    const { tail } = this.character.facts.bones[bone];
    return tail ? new Vector3(...tail).applyMatrix4(this.character.bones[bone].matrixWorld).toArray() : null;
  }

  // A small picture of a motion's first frame, drawn now. Returns a canvas.
  thumbnail(motion, width, height) {
    const made = Object.assign(document.createElement('canvas'), { width, height });
    if (!this.stage) return made;
    const { camera, controls } = this.stage;
    const before = [camera.position.clone(), controls.target.clone(), this.stage.followed.clone()];
    this.renderer.setScissorTest(true);
    const ratio = this.renderer.getPixelRatio();
    const [w, h] = [Math.min(width / ratio, this.holder.clientWidth), Math.min(height / ratio, this.holder.clientHeight)];
    this.renderer.setViewport(0, this.holder.clientHeight - h, w, h);
    this.renderer.setScissor(0, this.holder.clientHeight - h, w, h);
    this.stage.useCell(w, h);
    this.#travel(motion, 0);
    this.stage.follow(this.travelled);
    this.stage.frame(VIEWS.quarter);
    this.#apply(motion, 0);
    this.character.root.updateMatrixWorld(true);
    this.stage.render(this.travelled, null);
    made.getContext('2d').drawImage(this.canvas, 0, 0, w * ratio, h * ratio, 0, 0, width, height);
    camera.position.copy(before[0]);
    controls.target.copy(before[1]);
    this.stage.followed.copy(before[2]);
    controls.update();
    this.dirty = true;
    return made;
  }

  // --- sizes

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!width || !height) return;
    this.renderer.setPixelRatio((this.quality?.share ?? 1) * Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.ink.resize(width, height);
    this.#layout();
    this.dirty = true;
  }

  #layout() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    const count = this.cells.length;
    const columns = columnsFor(count, width / height);
    const rows = Math.ceil(count / columns);
    this.cells.forEach((cell, i) => {
      const [column, row] = [i % columns, Math.floor(i / columns)];
      const [left, right] = [column, column + 1].map((k) => Math.round((k * width) / columns));
      const [top, bottom] = [row, row + 1].map((k) => Math.round((k * height) / rows));
      cell.rect = { x: left, y: top, width: right - left, height: bottom - top };
    });
  }
}

// The number of columns with which cells come nearest to squares.
export function columnsFor(count, aspect) {
  let [best, least] = [1, Infinity];
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const badness = Math.abs(Math.log((aspect * rows) / columns / 0.95)) + 0.4 * (columns * rows - count);
    if (badness < least) [best, least] = [columns, badness];
  }
  return best;
}
