// The path of a body over the ground, without the sway of its steps: what a camera follows.
import { Vector3 } from 'three';

const SMOOTH_SECONDS = 0.5;
const PATH_SAMPLES = 240;

// Evenly spaced points of the path; `place(share)` is how far the body has gone from its rest place at a share of the clip.
export function travelPath(place, { duration, frames, size }) {
  const count = Math.max(2, Math.min(PATH_SAMPLES, frames + 1));
  const raw = Array.from({ length: count }, (_, i) => place(i / (count - 1)));
  settleHeight(raw, size);
  const reach = Math.min(count - 1, Math.round((SMOOTH_SECONDS / Math.max(duration, 1e-6)) * (count - 1)));
  return boxSmooth(boxSmooth(raw, reach), reach);
}

// The point of a path at a share of the clip.
export function alongPath(path, share, target) {
  const at = share * (path.length - 1);
  const left = Math.min(Math.floor(at), path.length - 1);
  const right = Math.min(left + 1, path.length - 1);
  return target.lerpVectors(path[left], path[right], at - left);
}

// Jumps and crouches are watched from where the camera is; a climb, or a clip far above or below rest, is followed.
function settleHeight(path, size) {
  const heights = path.map((point) => point.y);
  if (Math.max(...heights) - Math.min(...heights) > size) return;
  const mean = heights.reduce((sum, y) => sum + y, 0) / heights.length;
  for (const point of path) point.y = Math.abs(mean) > 0.5 * size ? mean : 0;
}

// Moving average over 2 reach + 1 points; beyond its ends the path goes on as if mirrored through them.
function boxSmooth(points, reach) {
  const last = points.length - 1;
  const at = (i) => {
    if (i < 0) return points[0].clone().multiplyScalar(2).sub(points[Math.min(-i, last)]);
    if (i > last) return points[last].clone().multiplyScalar(2).sub(points[Math.max(2 * last - i, 0)]);
    return points[i];
  };
  return points.map((_, i) => {
    const sum = new Vector3();
    for (let k = -reach; k <= reach; k += 1) sum.add(at(i + k));
    return sum.divideScalar(2 * reach + 1);
  });
}
