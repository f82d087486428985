// Posing by hand: a session with the server in which dragged joints pull the whole body along.
//
// While the pointer moves, targets go out and poses come back (the newest only); on release the server projects the pose
// onto what is plausible, and that becomes one undo step. The pose lives in the document as { nodes, parameters, pins }.
import { Motion, motionFromPose } from './motion.js';

let sessions = 0;

export class Posing {
  constructor(socket, { shown, finished, failed }) {
    Object.assign(this, { socket, shown, finished, failed });
    this.session = null;
    this.motion = null;
    this.sequence = 0;
    this.distances = {};
    this.plausibility = null;
    this.latencies = []; // milliseconds from a move to the pose that answers it
    this.sent = new Map();
    this.ready = false;
    this.waiting = null;
    socket.on('pose', (message) => this.#told(message));
    socket.on('pose-error', (message) => message.session === this.session && this.failed(message.error));
    socket.on('motion', (motion) => motion.header.source === 'pose' && this.#moved(motion));
    socket.on('open', () => { if (this.session) this.start(this.character, this.from, this.pins); });
  }

  get active() {
    return this.session !== null;
  }

  // `start` is 'rest', 'CLIP:FRAME', { job, time } or a pose; `pins` are places of joints that stay.
  start(character, start, pins = {}) {
    this.end();
    sessions += 1;
    this.session = `tab-${sessions}`;
    Object.assign(this, { character, from: start, pins: { ...pins }, ready: false, waiting: null, plausibility: null });
    if (start?.nodes) this.motion = motionFromPose(start);
    this.socket.send('pose-start', { session: this.session, character, start: forServer(start), pins });
  }

  end() {
    if (!this.session) return;
    this.socket.send('pose-end', { session: this.session });
    this.session = null;
    this.motion = null;
  }

  // `place` is [x, y, z], true (where it is), or null (free again).
  pin(joint, place) {
    if (place === null) delete this.pins[joint];
    else this.pins[joint] = place === true ? [0, 0, 0] : place;
    this.socket.send('pose-pins', { session: this.session, pins: { [joint]: place } });
  }

  move(handle, target) {
    this.sequence += 1;
    this.sent.set(this.sequence, performance.now());
    this.socket.send('pose-move', { session: this.session, sequence: this.sequence, handle, target });
  }

  release() {
    this.sequence += 1;
    this.waiting = this.sequence;
    this.socket.send('pose-release', { session: this.session, sequence: this.sequence });
  }

  #told(message) {
    if (message.session !== this.session) return;
    if (message.pins) this.pins = { ...message.pins };
    if (message.kind !== 'released') return;
    this.waiting = null;
    this.plausibility = message.plausibility ?? null;
    this.from = message.pose;
    this.finished({ ...message.pose, pins: { ...this.pins } }, message);
  }

  #moved(motion) {
    if (motion.header.session !== this.session) return;
    this.ready = true;
    const { sequence, kind, distances } = motion.header;
    for (const [number, at] of this.sent) {
      if (number > sequence) break;
      if (number === sequence && kind === 'drag') this.latencies.push(performance.now() - at);
      this.sent.delete(number);
    }
    if (distances) this.distances = distances;
    this.motion = new Motion({ name: 'pose', end: 0, channels: motion.channels, header: motion.header });
    this.shown(this.motion);
  }
}

function forServer(start) {
  return start?.nodes ? { parameters: start.parameters, nodes: start.nodes } : start;
}
