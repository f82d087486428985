// The live connection. It comes back by itself; messages that need no answer are dropped while it is away.
//
// on(type, listener) for JSON messages by their type; on('motion', (motion) => ...) for binary ones (see motion.js);
// on('open') and on('away') when the connection comes and goes.
import { motionFromMessage } from './motion.js';

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8000;

export class Socket {
  constructor(address) {
    this.address = address;
    this.listeners = new Map();
    this.wait = FIRST_WAIT;
    this.socket = null;
    this.closed = false;
  }

  on(type, listener) {
    if (!this.listeners.has(type)) this.listeners.set(type, []);
    this.listeners.get(type).push(listener);
    return this;
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${this.address}`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.wait = FIRST_WAIT;
      this.#tell('open', null);
    });
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') {
        const message = JSON.parse(data);
        this.#tell(message.type, message);
      } else {
        this.#tell('motion', motionFromMessage(data));
      }
    });
    socket.addEventListener('close', () => {
      if (this.closed) return;
      this.#tell('away', null);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  // Whether it was sent.
  send(type, message = {}) {
    if (!this.open) return false;
    this.socket.send(JSON.stringify({ type, ...message }));
    return true;
  }

  #tell(type, message) {
    for (const listener of this.listeners.get(type) ?? []) listener(message);
  }
}
