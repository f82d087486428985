// Which clip plays, at what time and speed; the pose of the character follows from it.
import { AnimationMixer, Vector3 } from 'three';
import { alongPath, travelPath } from './travel.js';

export const REST = -1;

export class Playback {
  constructor(character, facts) {
    this.character = character;
    this.clips = facts.clips;
    this.size = facts.size;
    this.mixer = new AnimationMixer(character.root);
    this.paths = new Map();
    this.index = REST;
    this.action = null;
    this.time = 0; // seconds since the clip's first key
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.character.poseRest();
    this.restPelvis = this.#pelvis();
  }

  get clip() {
    return this.clips[this.index] ?? null;
  }

  get duration() {
    return this.clip ? this.clip.end - this.clip.start : 0;
  }

  get fps() {
    return this.clip?.fps ?? 30;
  }

  get frame() {
    return Math.round(this.time * this.fps);
  }

  get frames() {
    return Math.round(this.duration * this.fps);
  }

  select(index) {
    this.mixer.stopAllAction();
    this.character.restoreNodes();
    this.index = index;
    this.action = null;
    this.time = 0;
    if (!this.clip) {
      this.playing = false;
      this.character.poseRest();
      return;
    }
    this.action = this.mixer.clipAction(this.character.animations[index]);
    this.action.reset().play();
    if (!this.paths.has(index)) this.paths.set(index, this.#smoothPath());
    this.apply();
  }

  // Put the nodes where the clip has them at the present time.
  apply() {
    if (!this.action) return;
    this.action.time = this.clip.start + this.time;
    this.mixer.update(0);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.apply();
  }

  step(frames) {
    this.playing = false;
    const last = this.frames;
    const wanted = this.frame + frames;
    const frame = this.loop && last > 0 ? (wanted + last + 1) % (last + 1) : wanted;
    this.seek(frame / this.fps);
  }

  toggle() {
    if (!this.clip || this.duration === 0) return;
    if (!this.playing && !this.loop && this.time >= this.duration) this.time = 0;
    this.playing = !this.playing;
  }

  advance(seconds) {
    if (!this.playing || !this.clip) return false;
    const next = this.time + seconds * this.speed;
    if (next <= this.duration) {
      this.time = next;
    } else if (this.loop && this.duration > 0) {
      this.time = next % this.duration;
    } else {
      this.time = this.duration;
      this.playing = false;
    }
    this.apply();
    return true;
  }

  // How far the body has gone from its rest place by now, without the sway of its steps.
  travelled(target) {
    const path = this.paths.get(this.index);
    if (!this.clip || !path) return target.set(0, 0, 0);
    return alongPath(path, this.duration > 0 ? this.time / this.duration : 0, target);
  }

  #pelvis() {
    const bone = this.character.bones[0] ?? this.character.meshes[0];
    if (!bone) return new Vector3();
    bone.updateWorldMatrix(true, false);
    return new Vector3().setFromMatrixPosition(bone.matrixWorld);
  }

  #smoothPath() {
    const place = (share) => {
      this.seek(this.duration * share);
      return this.#pelvis().sub(this.restPelvis);
    };
    const path = travelPath(place, this);
    this.seek(0);
    return path;
  }
}
