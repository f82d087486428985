// What an animator decides, as plain data, and the edits of it. Every edit changes the draft that it is given.
//
// A segment's length `seconds` may be null: the motion's own. How long it is then is only an estimate until it is made, which
// `lengths` (seconds by segment id) tells; it comes from the server's reading of the sentence.

export const SHORTEST = 0.2; // seconds of a segment
export const LONGEST = 60;
export const USUAL = 4;
export const MOST_SEGMENTS = 20;
export const TRACKS = ['pin', 'pose', 'path', 'freeze'];

export function emptyDocument() {
  return { schema: 1, character: null, scenes: {} };
}

// Everything about one character: what it should do, and which of its motions is shown.
export function emptyScene() {
  return {
    next: 2, segments: [{ id: 1, prompt: '', seconds: null, style: {} }], style: {}, seed: 0, variants: 1, loop: false,
    preset: null, steps: null, constraints: [],
    take: null, // the job whose motion is shown,
    clip: null, // or the clip of the file,
    pose: null, // or the pose that is being made: { nodes, parameters, pins: { joint: [x, y, z] } }
    settings: { anatomy: {}, facing: null, scale: null },
  };
}

// A document from storage, brought to the present shape; null where it is none.
export function checkedDocument(value) {
  if (!value || value.schema !== 1 || typeof value.scenes !== 'object') return null;
  const scenes = Object.entries(value.scenes).map(([id, scene]) => [id, { ...emptyScene(), ...scene }]);
  return { ...emptyDocument(), ...value, scenes: Object.fromEntries(scenes.filter(([, scene]) => scene.segments.length)) };
}

// The request that the server is sent (`AnimateRequest` as JSON).
export function requestOf(scene) {
  const { segments, style, seed, loop, preset, steps, constraints } = scene;
  const given = segments.filter(({ prompt }) => prompt.trim());
  const request = { seed };
  if (given.length > 1) {
    request.segments = given.map(({ prompt, seconds, style: own }) => ({
      prompt: prompt.trim(), ...(seconds !== null && { seconds }), ...(Object.keys(own).length && { style: own }),
    }));
  } else {
    request.prompt = given[0]?.prompt.trim() ?? '';
    if (given[0]?.seconds != null) request.seconds = given[0].seconds;
  }
  const styles = { ...style, ...(given.length === 1 ? given[0].style : {}) };
  if (Object.keys(styles).length) request.style = styles;
  if (loop && given.length === 1) request.loop = true;
  if (preset) request.preset = preset;
  if (steps) request.steps = steps;
  if (constraints.length) request.constraints = constraints.map(({ id, label, ...constraint }) => constraint);
  return request;
}

export function segmentSeconds(segment, lengths = {}) {
  return segment.seconds ?? lengths[segment.id] ?? USUAL;
}

// Where each segment lies: [{ segment, start, end }].
export function layout(document, lengths = {}) {
  let start = 0;
  return document.segments.map((segment) => {
    const end = start + segmentSeconds(segment, lengths);
    const place = { segment, start, end };
    start = end;
    return place;
  });
}

export function duration(document, lengths = {}) {
  return layout(document, lengths).at(-1).end;
}

export function segmentOf(document, id) {
  return document.segments.find((segment) => segment.id === id) ?? null;
}

export function constraintOf(document, id) {
  return document.constraints.find((constraint) => constraint.id === id) ?? null;
}

export function setPrompt(draft, id, prompt) {
  segmentOf(draft, id).prompt = prompt;
}

export function addSegment(draft, after, prompt = '') {
  const segment = { id: draft.next, prompt, seconds: null, style: {} };
  draft.next += 1;
  const at = draft.segments.findIndex(({ id }) => id === after);
  draft.segments.splice(at < 0 ? draft.segments.length : at + 1, 0, segment);
  return segment.id;
}

// Two segments with the same sentence, cut at `time` seconds of the clip; the second one's id, or null at an end.
export function splitSegment(draft, time, lengths = {}) {
  const place = layout(draft, lengths).find(({ start, end }) => time > start && time < end);
  if (!place || time - place.start < SHORTEST || place.end - time < SHORTEST) return null;
  if (draft.segments.length >= MOST_SEGMENTS) return null;
  const id = addSegment(draft, place.segment.id, place.segment.prompt);
  const [first, second] = [segmentOf(draft, place.segment.id), segmentOf(draft, id)];
  second.style = structuredClone(first.style);
  first.seconds = round(time - place.start);
  second.seconds = round(place.end - time);
  return id;
}

// The last segment is never deleted but emptied.
export function deleteSegment(draft, id) {
  if (draft.segments.length > 1) draft.segments = draft.segments.filter((segment) => segment.id !== id);
  else Object.assign(draft.segments[0], { prompt: '', seconds: null, style: {} });
}

// The edge at the end of a segment goes to `time`. With `roll` the next segment's end stays where it is.
export function moveEdge(draft, id, time, { roll = false, lengths = {} } = {}) {
  const places = layout(draft, lengths);
  const at = places.findIndex(({ segment }) => segment.id === id);
  const { segment, start } = places[at];
  const next = roll ? places[at + 1] : null;
  const rest = places.slice(at + 1).reduce((sum, place) => sum + place.end - place.start, 0);
  const most = next ? next.end - SHORTEST : LONGEST - rest;
  const end = Math.min(Math.max(time, start + SHORTEST), most);
  segment.seconds = round(end - start);
  if (next) next.segment.seconds = round(next.end - end);
}

export function addConstraint(draft, constraint) {
  const id = draft.next;
  draft.next += 1;
  draft.constraints.push({ id, ...constraint });
  return id;
}

export function deleteConstraint(draft, id) {
  draft.constraints = draft.constraints.filter((constraint) => constraint.id !== id);
}

// Pins of a joint at (nearly) the same time take each other's place; so do pose keys.
export function putConstraint(draft, constraint, near = 1 / 60) {
  const clash = (other) => other.kind === constraint.kind && other.time !== undefined && constraint.time !== undefined
    && Math.abs(other.time - constraint.time) < near && other.joint === constraint.joint;
  const there = draft.constraints.find(clash);
  if (!there) return addConstraint(draft, constraint);
  Object.assign(there, constraint);
  return there.id;
}

// The first and the last second in which a constraint demands something.
export function span(constraint, length) {
  if (constraint.time !== undefined) return [constraint.time, constraint.time];
  if (constraint.interval) return constraint.interval;
  if (constraint.spans?.length) return [constraint.spans[0][0], constraint.spans.at(-1)[1]];
  if (constraint.times?.length) return [constraint.times[0], constraint.times.at(-1)];
  return [0, length];
}

export function moveConstraint(draft, id, time) {
  const constraint = constraintOf(draft, id);
  const seconds = round(Math.max(time, 0));
  if (constraint.time !== undefined) constraint.time = seconds;
  else if (constraint.interval) constraint.interval = shifted(constraint.interval, seconds);
  else if (constraint.spans?.length) {
    const by = seconds - constraint.spans[0][0];
    constraint.spans = constraint.spans.map(([a, b]) => [round(a + by), round(b + by)]);
  }
}

// One end (0 or 1) of what lasts. A pin at one time becomes one over an interval.
export function stretchConstraint(draft, id, end, time) {
  const constraint = constraintOf(draft, id);
  const change = (pair) => {
    const moved = [...pair];
    moved[end] = round(Math.max(time, 0));
    return moved[0] <= moved[1] ? moved : [moved[1], moved[1]];
  };
  if (constraint.time !== undefined) {
    const pair = [constraint.time, constraint.time];
    delete constraint.time;
    constraint.interval = change(pair);
  } else if (constraint.interval) constraint.interval = change(constraint.interval);
  else if (constraint.spans?.length) constraint.spans = [change(constraint.spans[0]), ...constraint.spans.slice(1)];
}

function shifted([a, b], start) {
  return [start, round(b - a + start)];
}

// Times are kept to the millisecond.
export function round(seconds) {
  return Math.round(seconds * 1000) / 1000;
}
