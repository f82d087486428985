// Motions: local transforms of a model's nodes over time, from a .glb or from a binary message of the server.
//
// A channel is { node, path, times, values, width, kind }: `times` null means evenly spaced frames. Node numbers are glTF's,
// and so are the paths: translation, rotation (x y z w), scale, weights.
import { Quaternion, Vector3 } from 'three';

const WIDTHS = { translation: 3, rotation: 4, scale: 3 };
const TYPES = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const LARGEST = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };
const COUNTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const FIELDS = { translation: 'position', rotation: 'quaternion', scale: 'scale' };

export class Motion {
  constructor({ name = '', start = 0, end, fps = 30, loop = false, channels, header = {} }) {
    Object.assign(this, { name, start, end, fps, loop, channels, header });
  }

  get duration() {
    return this.end - this.start;
  }

  get frames() {
    return Math.round(this.duration * this.fps);
  }

  // Put the nodes of a character where they are `time` seconds after the first frame; nodes without a channel stay as they are.
  apply(nodes, time) {
    for (const channel of this.channels) {
      const node = nodes[channel.node];
      if (node) applyChannel(node, channel, this.start + time, this.fps);
    }
  }
}

const [p, q, r] = [new Quaternion(), new Quaternion(), new Vector3()];

function applyChannel(node, channel, time, fps) {
  const { values, width, times } = channel;
  const count = times ? times.length : values.length / width;
  let [left, share] = [0, 0];
  if (times) {
    if (time >= times[count - 1]) left = count - 1;
    else if (time > times[0]) {
      left = before(times, time);
      share = (time - times[left]) / (times[left + 1] - times[left]);
    }
  } else {
    const at = Math.min(Math.max(time * fps, 0), count - 1);
    left = Math.floor(at);
    share = at - left;
  }
  if (channel.kind === 'CUBICSPLINE') {
    cubic(node, channel, left, share, count);
    return;
  }
  if (channel.kind === 'STEP') share = 0;
  const [a, b] = [left * width, Math.min(left + 1, count - 1) * width];
  if (channel.path === 'rotation') {
    p.set(values[a], values[a + 1], values[a + 2], values[a + 3]);
    if (share > 0) p.slerp(q.set(values[b], values[b + 1], values[b + 2], values[b + 3]), share);
    node.quaternion.copy(p).normalize();
  } else if (channel.path === 'weights') {
    const blend = Array.from({ length: width }, (_, k) => values[a + k] + share * (values[b + k] - values[a + k]));
    morph(node, blend);
  } else {
    r.set(values[b], values[b + 1], values[b + 2]);
    node[FIELDS[channel.path]].set(values[a], values[a + 1], values[a + 2]).lerp(r, share);
  }
}

// glTF's cubic splines: in-tangent, value, out-tangent of each key.
function cubic(node, { path, values, width, times }, left, share, count) {
  const right = Math.min(left + 1, count - 1);
  const step = times[right] - times[left];
  const [s, s2, s3] = [share, share ** 2, share ** 3];
  const out = [];
  for (let k = 0; k < width; k += 1) {
    const [v0, m0] = [values[(3 * left + 1) * width + k], step * values[(3 * left + 2) * width + k]];
    const [v1, m1] = [values[(3 * right + 1) * width + k], step * values[3 * right * width + k]];
    out.push((2 * s3 - 3 * s2 + 1) * v0 + (s3 - 2 * s2 + s) * m0 + (3 * s2 - 2 * s3) * v1 + (s3 - s2) * m1);
  }
  if (path === 'weights') morph(node, out);
  else node[FIELDS[path]].set(...out);
  if (path === 'rotation') node.quaternion.normalize();
}

function morph(node, weights) {
  for (const object of [node, ...node.children]) {
    if (object.morphTargetInfluences?.length === weights.length) object.morphTargetInfluences.splice(0, weights.length, ...weights);
  }
}

function before(times, time) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return low;
}

// A binary message: length of the header, the header as JSON, then float32 values, channel by channel.
export function motionFromMessage(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const all = new Float32Array(buffer, 4 + length);
  let at = 0;
  const channels = header.channels.map(([node, path]) => {
    const width = WIDTHS[path];
    const values = all.subarray(at, at + header.frames * width);
    at += header.frames * width;
    return { node, path, times: null, values, width, kind: 'LINEAR' };
  });
  const { fps = 30, frames, loop } = header;
  return new Motion({ name: header.kind, end: Math.max(frames - 1, 0) / fps, fps, loop, channels, header });
}

// The animations of a .glb, read without its meshes and pictures.
export function motionsFromGlb(buffer) {
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== 0x46546c67) throw new Error('The server sent a model that is not a .glb file.');
  let [json, binary] = [null, null];
  for (let at = 12; at + 8 <= buffer.byteLength;) {
    const [length, type] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if (type === 0x4e4f534a) json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, at + 8, length)));
    else if (type === 0x004e4942) binary = at + 8;
    at += 8 + length;
  }
  return (json.animations ?? []).map((animation, i) => motionOf(animation, i, json, buffer, binary));
}

function motionOf(animation, index, json, buffer, binary) {
  let [start, end, gap] = [Infinity, -Infinity, Infinity];
  const channels = [];
  for (const { sampler: number, target } of animation.channels) {
    if (target.node === undefined) continue;
    const sampler = animation.samplers[number];
    const times = accessor(json, sampler.input, buffer, binary);
    const values = accessor(json, sampler.output, buffer, binary);
    const kind = sampler.interpolation ?? 'LINEAR';
    const width = WIDTHS[target.path] ?? values.length / times.length / (kind === 'CUBICSPLINE' ? 3 : 1);
    channels.push({ node: target.node, path: target.path, times, values, width, kind });
    start = Math.min(start, times[0]);
    end = Math.max(end, times[times.length - 1]);
    if (times.length > 1) gap = Math.min(gap, (times[times.length - 1] - times[0]) / (times.length - 1));
  }
  const fps = Number.isFinite(gap) && gap > 0 ? Math.min(Math.max(Math.round(1 / gap), 1), 120) : 30;
  const extras = animation.extras?.gambol ?? {};
  if (start > end) [start, end] = [0, 0];
  return new Motion({ name: animation.name ?? `clip ${index}`, start, end, fps, channels, header: extras });
}

function accessor(json, number, buffer, binary) {
  const { bufferView, byteOffset = 0, componentType, count, type, normalized } = json.accessors[number];
  const width = COUNTS[type];
  const Type = TYPES[componentType];
  if (bufferView === undefined) return new Float32Array(count * width);
  const { byteOffset: from = 0, byteStride } = json.bufferViews[bufferView];
  const bytes = Type.BYTES_PER_ELEMENT;
  const stride = byteStride ?? width * bytes;
  const start = binary + from + byteOffset;
  let values;
  if (stride === width * bytes && start % bytes === 0) values = new Type(buffer, start, count * width);
  else {
    values = new Type(count * width);
    for (let i = 0; i < count; i += 1) {
      values.set(new Type(buffer.slice(start + i * stride, start + i * stride + width * bytes)), i * width);
    }
  }
  return normalized ? Float32Array.from(values, (v) => Math.max(v / LARGEST[componentType], -1)) : values;
}

// Local transforms as one frame, from the rows [node, tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] of a pose.
export function motionFromPose(pose) {
  const channels = pose.nodes.flatMap(([node, ...v]) => [
    { node, path: 'translation', times: null, values: v.slice(0, 3), width: 3, kind: 'LINEAR' },
    { node, path: 'rotation', times: null, values: v.slice(3, 7), width: 4, kind: 'LINEAR' },
    { node, path: 'scale', times: null, values: v.slice(7, 10), width: 3, kind: 'LINEAR' },
  ]);
  return new Motion({ name: 'pose', end: 0, channels });
}
