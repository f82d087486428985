// Requests to the server. Every failure is an ApiError whose message is a sentence that can be shown as it is.
//
// The token stands in the page's address; every request carries it.

const BASE = '/api/v1';
const AWAY = 'The studio’s server does not answer. Look into the terminal in which it was started; this page goes on by itself when it is back.';

export class ApiError extends Error {
  constructor(sentence, { status = 0, field = null } = {}) {
    super(sentence);
    this.status = status;
    this.field = field;
  }
}

export class Api {
  constructor(token) {
    this.token = token;
  }

  // A full address for <img>, downloads and the socket, which cannot carry headers.
  address(path, extra = {}) {
    const url = new URL(path.startsWith('/api/') ? path : BASE + path, location.href);
    for (const [name, value] of Object.entries({ ...extra, token: this.token })) url.searchParams.set(name, value);
    return url.pathname + url.search;
  }

  get(path) { return this.#json('GET', path); }

  post(path, body = {}) { return this.#json('POST', path, body); }

  put(path, body) { return this.#json('PUT', path, body); }

  patch(path, body) { return this.#json('PATCH', path, body); }

  remove(path) { return this.#json('DELETE', path); }

  async bytes(path) {
    const answer = await this.#send('GET', path);
    return answer.arrayBuffer();
  }

  // Send a file's bytes; `progress` is told how many have gone.
  upload(method, path, file, progress = () => {}) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, BASE + path);
      request.setRequestHeader('Authorization', `Bearer ${this.token}`);
      request.upload.addEventListener('progress', (event) => progress(event.loaded));
      request.addEventListener('error', () => reject(new ApiError(AWAY)));
      request.addEventListener('load', () => {
        const body = parse(request.responseText);
        if (request.status < 300) resolve(body);
        else reject(failure(request.status, body));
      });
      request.send(file);
    });
  }

  async #json(method, path, body) {
    const answer = await this.#send(method, path, body);
    return answer.status === 204 ? null : answer.json();
  }

  async #send(method, path, body) {
    const headers = { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    let answer;
    try {
      answer = await fetch(path.startsWith('/api/') ? path : BASE + path, {
        method, headers, body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch {
      throw new ApiError(AWAY);
    }
    if (!answer.ok) throw failure(answer.status, parse(await answer.text()));
    return answer;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failure(status, body) {
  const sentence = body?.error ?? `The server answered with the status ${status} and no explanation.`;
  return new ApiError(sentence, { status, field: body?.field ?? null });
}
