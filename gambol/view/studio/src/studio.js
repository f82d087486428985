// The studio: what there is (characters, jobs, the document), what is shown, and everything that one can do.
//
// Parts of the page call the verbs below and draw themselves anew when `refresh` asks them to. Verbs that change the document
// go through the store, so that each is one undo step; verbs that ask the server complain in a sentence when it refuses.
import { Autosave } from './autosave.js';
import { duration, emptyDocument, emptyScene, layout, putConstraint, requestOf } from './document.js';
import { isActive, Jobs } from './jobs.js';
import { motionFromPose, motionsFromGlb } from './motion.js';
import { complain, say } from './notices.js';
import { Playhead } from './playhead.js';
import { Posing } from './posing.js';
import { Store, same } from './store.js';

const PROMPT_PATIENCE = 220; // milliseconds after the last key
const NEAR_GROUND = 0.12; // sizes: feet that are lower stand
export const ONE_CLIP = ['bvh', 'usda', 'usdc', 'usdz']; // formats that hold one clip
const TAKES = ['animate', 'edit'];

export class Studio {
  constructor(api, socket) {
    this.api = api;
    this.socket = socket;
    this.server = null;
    this.characters = new Map();
    this.store = new Store(emptyDocument(), {
      panel: 'make', selected: null, joint: null, group: null, comparing: false, connected: false, uploads: [], saved: 'saved',
      understood: null, gallery: null, physics: false,
    });
    this.jobs = new Jobs(api, () => this.changed());
    this.playhead = new Playhead(() => this.changed());
    this.autosave = new Autosave(api, this.store, (state, sentence) => {
      const lost = state === 'lost' && this.view.saved !== 'lost';
      if (state !== 'saving' || this.view.saved !== 'lost') this.store.show({ saved: state });
      if (lost) complain(new Error(sentence));
      else if (sentence && state !== 'lost') say(sentence);
    });
    this.posing = new Posing(socket, {
      shown: (motion) => this.#poseMoved(motion),
      finished: (pose, facts) => this.#posed(pose, facts),
      failed: (sentence) => complain(new Error(sentence)),
    });
    this.parts = [];
    this.viewport = null;
    this.loaded = null; // `id revision` of the character that is wanted in the viewport
    this.present = null; // and of the one that is there
    this.clips = []; // motions of the file in the viewport
    this.stale = true;
    this.store.listen((store, what) => {
      if (what === 'document') this.#documentChanged();
      this.changed();
    });
    this.#listen();
  }

  // --- what there is

  get view() { return this.store.view; }

  get character() { return this.characters.get(this.store.document.character) ?? null; }

  get scene() { return this.store.document.scenes[this.store.document.character] ?? emptyScene(); }

  get facts() { return this.viewport?.character?.facts ?? null; }

  get take() { return this.jobs.get(this.scene.take); }

  get takes() { return this.character ? this.jobs.of(this.character.id, TAKES) : []; }

  // The job that the running card speaks of: the one that runs, or else the first that waits.
  get activeJob() {
    const jobs = this.character ? this.jobs.of(this.character.id).filter(isActive) : [];
    return jobs.find(({ state }) => state === 'running') ?? jobs.find(({ state }) => state === 'paused') ?? jobs.at(-1) ?? null;
  }

  // Seconds by segment of the finished motion, for segments that leave their length to the motion.
  get lengths() {
    const found = {};
    const { segments } = this.scene;
    const take = this.take;
    const made = take?.result?.segments;
    if (made?.length === segments.length && segments.every(({ prompt }, i) => made[i].prompt === prompt)) {
      segments.forEach((segment, i) => { found[segment.id] = made[i].end - made[i].start; });
    } else if (segments.length === 1 && take?.result?.seconds && take.request?.prompt === segments[0].prompt.trim()) {
      found[segments[0].id] = take.result.seconds;
    }
    return found;
  }

  get places() { return layout(this.scene, this.lengths); }

  get length() { return duration(this.scene, this.lengths); }

  // --- the loop

  // Something may look different: everything is brought up to date before the next picture.
  changed() { this.stale = true; }

  add(part) { this.parts.push(part); }

  refresh() {
    if (!this.stale) return;
    this.stale = false;
    this.#showMotion();
    for (const part of this.parts) part.refresh();
    if (this.viewport) this.viewport.dirty = true;
  }

  // --- what is shown

  #showMotion() {
    const { viewport } = this;
    if (!viewport?.character || !this.character) return;
    if (this.scene.take) this.jobs.motion(this.scene.take); // begins to load it
    const cells = this.#cells();
    const before = viewport.cells;
    const alike = before.length === cells.length && cells.every((cell, i) => same(cell.id, before[i].id));
    if (alike) cells.forEach((cell, i) => { viewport.cells[i] = { ...cell, rect: before[i].rect }; });
    viewport.showCells(alike ? viewport.cells : cells);
    const lengths = cells.map(({ motion, span }) => span ?? motion?.duration ?? 0);
    const longest = Math.max(...lengths, 0);
    if (!this.posing.active) this.playhead.setDuration(longest || this.length, cells[0].motion?.fps ?? 30);
  }

  #cells() {
    const { posing, scene, view } = this;
    if (posing.active && view.panel === 'pose') {
      if (!posing.motion) return [{ id: 'motion', motion: this.shownMotion }];
      return [{ id: 'pose', motion: posing.motion, fixed: this.poseCamera, place: this.posePlace }];
    }
    if (view.group) {
      const jobs = this.jobs.group(view.group);
      if (jobs.length > 1) return jobs.map((job) => ({ id: job.id, job, motion: this.jobs.motion(job.id) }));
    }
    if (view.panel === 'compare' && this.comparison) return this.#comparedCells();
    const tracked = view.physics ? this.tracked : null;
    if (tracked) return [{ id: 'physics', ...tracked }];
    return [{ id: 'motion', motion: this.shownMotion }];
  }

  // The take, or the clip of the file, or what was shown before the first preview has come.
  get shownMotion() {
    const { scene } = this;
    if (scene.take) {
      const motion = this.jobs.motion(scene.take);
      if (motion) {
        this.lastMotion = motion;
        return motion;
      }
      if (this.jobs.get(scene.take)) return this.lastMotion ?? null;
    }
    this.lastMotion = this.clips.find(({ name }) => name === scene.clip) ?? null;
    return this.lastMotion;
  }

  // Original and generated clip, the original shifted and stretched so that their cycles meet.
  get comparison() {
    const { compareClip } = this.view;
    const other = this.clips.find(({ name }) => name === compareClip);
    return other && this.shownMotion && this.scene.take ? { other, matched: this.view.matched ?? null } : null;
  }

  #comparedCells() {
    const { other, matched } = this.comparison;
    const made = this.shownMotion;
    const [a, b] = matched?.cycle_seconds ?? [null, null];
    const stretch = a && b ? b / a : 1;
    const at = (time) => {
      const t = time * stretch + (matched?.offset_seconds ?? 0);
      return other.duration > 0 ? ((t % other.duration) + other.duration) % other.duration : 0;
    };
    return [
      { id: 'original', label: other.name, note: 'Original', motion: other, at, span: 0 },
      { id: 'generated', label: this.take?.title ?? 'Generated', note: 'Generated', motion: made },
    ];
  }

  // The physically tracked clip of what is shown, its target as the ghost, and the forces of the ground.
  get trackJob() {
    const { scene } = this;
    const jobs = this.character ? this.jobs.of(this.character.id, ['track']) : [];
    const wanted = scene.take ? ({ source }) => source?.job === scene.take : ({ source, clip }) => !source?.job && clip === scene.clip;
    return jobs.find((job) => wanted(job.request ?? {}) && job.state !== 'cancelled') ?? null;
  }

  get tracked() {
    const job = this.trackJob;
    const motion = job?.state === 'done' ? this.jobs.motion(job.id) : null;
    if (!motion) return null;
    const ghost = this.view.ghost === false ? null : this.shownMotion;
    return { motion, ghost, ghostAt: (time) => time, contacts: contactsOf(job.result) };
  }

  // --- changing the document

  // Change the present scene: one undo step.
  edit(label, change, options) {
    const { character } = this.store.document;
    if (!character) return false;
    return this.store.change(label, (draft) => {
      draft.scenes[character] ??= emptyScene();
      change(draft.scenes[character]);
    }, options);
  }

  undo() {
    const label = this.store.undo();
    if (label) say(`Undone: ${label}`);
    this.#poseFromDocument();
  }

  redo() {
    const label = this.store.redo();
    if (label) say(`Done again: ${label}`);
    this.#poseFromDocument();
  }

  #documentChanged() {
    this.autosave.changed();
    this.readPrompts();
    this.#syncSettings();
    this.#syncCharacter();
    if (this.view.selected && !this.#exists(this.view.selected)) this.store.show({ selected: null });
  }

  #exists({ type, id }) {
    const list = type === 'segment' ? this.scene.segments : this.scene.constraints;
    return list.some((item) => item.id === id);
  }

  // --- characters

  choose(id) {
    if (id === this.store.document.character) return;
    this.leavePose();
    this.store.change('Choose character', (draft) => {
      draft.character = id;
      if (id) draft.scenes[id] ??= emptyScene();
    });
    this.store.show({ selected: null, joint: null, group: null, gallery: null, compareClip: null, matched: null });
  }

  async upload(files) {
    const list = [...files];
    if (!list.length) return;
    const readable = this.server.formats.read;
    const suffix = (name) => name.slice(name.lastIndexOf('.')).toLowerCase();
    const main = list.find(({ name }) => readable.includes(suffix(name)) || suffix(name) === '.zip');
    if (!main) {
      complain(new Error(`${list[0].name} cannot be read. The studio opens ${readable.join(', ')}.`));
      return;
    }
    const total = list.reduce((sum, { size }) => sum + size, 0);
    if (total > this.server.max_upload_bytes) {
      const [has, most] = [total, this.server.max_upload_bytes].map((bytes) => Math.round(bytes / 1e6));
      complain(new Error(`${main.name} has ${has} MB; the studio takes files of up to ${most} MB. Make its textures smaller.`));
      return;
    }
    const upload = { name: main.name, share: 0 };
    const show = () => this.store.show({ uploads: [...this.view.uploads.filter((u) => u !== upload && u.name !== upload.name), { ...upload }] });
    show();
    try {
      const made = await this.#send(main, list, (bytes) => {
        upload.share = Math.min(bytes / total, 1);
        show();
      });
      this.#putCharacter(made);
      this.choose(made.id);
    } catch (error) {
      complain(error);
    }
    this.store.show({ uploads: this.view.uploads.filter(({ name }) => name !== main.name) });
  }

  // One file goes as it is; several that belong together go one after the other.
  async #send(main, list, progress) {
    const path = (file) => file.path ?? file.name;
    if (list.length === 1) return this.api.upload('POST', `/characters?name=${encodeURIComponent(main.name)}`, main, progress);
    const { id } = await this.api.post('/uploads');
    let sent = 0;
    for (const file of list) {
      const name = path(file).split('/').map(encodeURIComponent).join('/');
      await this.api.upload('PUT', `/uploads/${id}/${name}`, file, (bytes) => progress(sent + bytes));
      sent += file.size;
    }
    return this.api.post('/characters/uploaded', { upload: id, name: path(main), settings: {} });
  }

  async create(sentence) {
    await this.#ask(async () => {
      const made = await this.api.post('/characters/creature', { sentence });
      this.#putCharacter(made);
      this.choose(made.id);
    });
  }

  async removeCharacter(id) {
    await this.#ask(async () => {
      await this.api.remove(`/characters/${id}`);
      this.#dropCharacter(id);
    });
  }

  // Corrections are part of the document; the server is told what changed in them, also by undo.
  async #syncSettings() {
    const { character, scene } = this;
    if (!character || character.state === 'opening' || !this.store.document.scenes[character.id]) return;
    const { settings } = scene;
    const given = character.settings ?? {};
    const body = {};
    if ((given.facing ?? null) !== settings.facing) body.facing = settings.facing;
    if ((given.scale ?? null) !== settings.scale) body.scale = settings.scale;
    const anatomy = { ...Object.fromEntries(Object.keys(given.anatomy ?? {}).map((bone) => [bone, null])), ...settings.anatomy };
    const changed = Object.entries(anatomy).filter(([bone, part]) => (given.anatomy?.[bone] ?? null) !== part);
    if (changed.length) body.anatomy = Object.fromEntries(changed);
    const text = JSON.stringify(body);
    if (text === '{}' || this.settingsSent === text) return;
    this.settingsSent = text;
    // what was refused is not asked for again until it has changed
    const taken = await this.#ask(async () => this.#putCharacter(await this.api.patch(`/characters/${character.id}`, body)));
    if (taken) this.settingsSent = null;
  }

  #putCharacter(character) {
    this.characters.set(character.id, character);
    this.#syncCharacter();
    if (character.state === 'ready') this.#adoptSettings(character);
    this.changed();
  }

  // A character that was opened before this document knew it brings its own settings along.
  #adoptSettings(character) {
    if (this.store.document.scenes[character.id] || this.store.document.character !== character.id) return;
    this.edit('Open character', () => {});
  }

  #dropCharacter(id) {
    this.characters.delete(id);
    if (this.store.document.character === id) this.choose([...this.characters.keys()].at(-1) ?? null);
    this.changed();
  }

  // Bring the document's character into the viewport.
  async #syncCharacter() {
    const { character, viewport } = this;
    if (!viewport) return;
    const wanted = character?.state === 'ready' ? `${character.id} ${character.revision}` : null;
    if (wanted === this.loaded) return;
    if (!wanted) {
      if (!character || !this.loaded?.startsWith(`${character.id} `)) {
        this.loaded = null;
        this.present = null;
        this.clips = [];
        viewport.clear();
      }
      return;
    }
    this.loaded = wanted;
    await this.#ask(async () => {
      const [bytes, facts] = await Promise.all([this.api.bytes(character.model), this.api.get(character.facts)]);
      if (this.loaded !== wanted) return;
      const clips = motionsFromGlb(bytes);
      await viewport.load(bytes, facts);
      this.clips = clips;
      this.present = wanted;
      this.lastMotion = null;
      if (!this.scene.take && !this.scene.clip && clips.length && !this.playhead.playing) this.playhead.seek(0);
    });
    this.changed();
  }

  // --- sentences

  // Ask what the sentences mean, when the typing pauses.
  readPrompts() {
    const { segments } = this.scene;
    const asked = JSON.stringify([this.store.document.character, segments.map(({ prompt }) => prompt)]);
    if (asked === this.promptsAsked) return;
    this.promptsAsked = asked;
    clearTimeout(this.promptTimer);
    if (!segments.some(({ prompt }) => prompt.trim())) {
      this.store.show({ understood: null });
      return;
    }
    this.promptTimer = setTimeout(async () => {
      const body = { character: this.store.document.character };
      if (segments.length > 1) body.segments = segments.map(({ prompt }) => ({ prompt: prompt.trim() }));
      else body.prompt = segments[0].prompt.trim();
      try {
        const understood = await this.api.post('/prompt', body);
        if (this.promptsAsked === asked) this.store.show({ understood });
      } catch (error) {
        if (this.promptsAsked === asked) this.store.show({ understood: { segments: [], error: error.message, suggestions: [] } });
      }
    }, PROMPT_PATIENCE);
  }

  // --- making

  body() {
    const { character, scene } = this;
    return { kind: 'animate', character: character.id, request: requestOf(scene), variants: scene.variants };
  }

  async generate() {
    const { character, scene } = this;
    if (!character || character.state !== 'ready') {
      complain(new Error('Open a character first: drop a file into the window.'));
      return;
    }
    if (!scene.segments.some(({ prompt }) => prompt.trim())) {
      complain(new Error('Write what the character should do, for example "walks slowly".'));
      return;
    }
    this.#showMotions();
    const asked = performance.now();
    await this.#start(this.body(), (jobs) => {
      this.jobs.asked(jobs, asked);
      if (jobs.length > 1) this.store.show({ group: jobs[0].group });
      else this.showTake(jobs[0].id, 'Generate');
    });
  }

  // Change the shown motion only where constraints demand it.
  async applyConstraints() {
    const { scene, character } = this;
    const source = scene.take ? { job: scene.take } : { character: character.id };
    const constraints = requestOf(scene).constraints ?? [];
    await this.#start({ kind: 'edit', source, clip: scene.take ? null : scene.clip, constraints }, ([job]) => {
      this.showTake(job.id, 'Apply constraints');
    });
  }

  showTake(id, label = 'Choose take') {
    this.#showMotions();
    this.edit(label, (scene) => { scene.take = id; });
    this.store.show({ group: null, matched: null });
    if (this.jobs.motion(id) || this.jobs.get(id)?.state === 'done') this.playhead.playing = true;
  }

  // The first preview of what is shown: it begins to move.
  #firstPreview(job) {
    if (job !== this.scene.take && this.jobs.get(job)?.group !== this.view.group) return;
    this.playhead.time = 0;
    this.playhead.playing = true;
  }

  // A clip of the file, or null for the rest pose.
  showClip(name) {
    this.#showMotions();
    this.edit(name ? 'Choose clip' : 'Rest pose', (scene) => Object.assign(scene, { take: null, clip: name }));
    this.store.show({ group: null });
    this.playhead.playing = name !== null;
  }

  pause(job) { return this.#steer(job, 'pause'); }

  // A paused motion goes on with the constraints as they are now.
  resume(job) {
    const changed = job.kind === 'animate' && job.state === 'paused'
      && !same(job.request.request?.constraints ?? [], requestOf(this.scene).constraints ?? []);
    const request = changed ? { ...job.request.request, constraints: requestOf(this.scene).constraints ?? [] } : null;
    return this.#steer(job, 'resume', request ? { request } : {});
  }

  stop(job) { return this.#steer(job, 'cancel'); }

  async removeJob(job) {
    await this.#ask(async () => {
      await this.api.remove(`/jobs/${job.id}`);
      this.#dropJob(job.id);
    });
  }

  async track() {
    const { scene, character } = this;
    const source = scene.take ? { job: scene.take } : { character: character.id };
    await this.#start({ kind: 'track', source, clip: scene.take ? this.take.result.clip : scene.clip });
  }

  async compare(clip) {
    this.store.show({ compareClip: clip, matched: null });
    const { take, character } = this;
    if (!clip || take?.state !== 'done') return;
    await this.#start({
      kind: 'compare', source: { job: take.id }, clip: take.result.clip, other: { character: character.id, clip },
    });
  }

  exportBody(format, { travel = 'as-is', fps = 30 } = {}) {
    const { scene, character, take } = this;
    const source = take ? { job: take.id } : { character: character.id };
    const clip = take ? take.result?.clip ?? null : scene.clip;
    if (['mp4', 'gif', 'png'].includes(format)) {
      return { kind: 'film', source, clip, views: ['three-quarter'], width: 640, height: 480, fps, style: 'mesh', format };
    }
    if (format === 'mjcf') return { kind: 'track', source, clip };
    // the whole file is written as it is, unless the format or the change of travel is about one clip
    const one = ONE_CLIP.includes(format) || travel !== 'as-is';
    return { kind: 'export', source, format, clip: one ? clip : null, travel, fps: one ? fps : null };
  }

  async export(format, options) { await this.#start(this.exportBody(format, options)); }

  async rig(settings) {
    await this.#ask(async () => this.#putCharacter(await this.api.post(`/characters/${this.character.id}/rig`, settings)));
  }

  async #start(body, then = () => {}) {
    return this.#ask(async () => {
      const { jobs } = await this.api.post('/jobs', body);
      for (const job of jobs) if (!this.jobs.get(job.id)) this.jobs.put(job);
      then(jobs);
    });
  }

  #steer(job, verb, body = {}) {
    return this.#ask(async () => this.jobs.put(await this.api.post(`/jobs/${job.id}/${verb}`, body)));
  }

  async #ask(task) {
    try {
      await task();
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  #dropJob(id) {
    this.jobs.drop(id);
    if (this.scene.take === id) this.edit('Remove take', (scene) => { scene.take = null; });
  }

  // --- posing

  // Where a pose begins: the pose in the document, or the motion at the playhead.
  get poseStart() {
    const { scene } = this;
    if (scene.pose) return scene.pose;
    if (scene.take && this.take?.state === 'done') return { job: scene.take, time: round3(this.playhead.time) };
    if (!scene.take && scene.clip) return `${scene.clip}:${Math.round(this.playhead.time * 30)}`;
    return 'rest';
  }

  enterPose() {
    if (this.posing.active || this.character?.state !== 'ready' || !this.facts?.bones.length) return;
    this.playhead.toggle(false);
    this.poseTime = this.playhead.time;
    this.poseCamera = this.viewport.place();
    this.posePlace = null;
    this.posing.start(this.character.id, this.poseStart, this.scene.pose?.pins ?? this.#standingFeet());
    this.changed();
  }

  // Feet that are near the ground are held to begin with.
  #standingFeet() {
    const { viewport, facts, character } = this;
    const contacts = (character.anatomy?.limbs ?? []).filter(({ part, contact }) => part === 'leg' && contact).map(({ contact }) => contact);
    const near = (name) => {
      const bone = facts.bones.findIndex((one) => one.name === name.replace(/:end$/, ''));
      return bone >= 0 && viewport.head(bone)[1] < NEAR_GROUND * viewport.size;
    };
    return Object.fromEntries(contacts.filter(near).map((name) => [name, true]));
  }

  leavePose() {
    this.posing.end();
    this.changed();
  }

  // A motion is to be seen: the Pose workspace, which shows a pose, gives way to Make.
  #showMotions() {
    this.leavePose();
    if (this.view.panel === 'pose') this.store.show({ panel: 'make' });
  }

  // Poses stand at the origin and face ahead; they are shown where the motion has the body at this time.
  #poseMoved(motion) {
    if (!this.posePlace && motion.header.kind === 'start') this.posePlace = this.viewport.placeOf(this.shownMotion, this.poseTime, motion);
    this.changed();
  }

  // A point of the world, where the pose has it.
  toPose(point) {
    return this.posePlace ? this.viewport.movedBack(point, this.posePlace) : point;
  }

  // The playhead was moved while posing: the pose begins there, unless it has been changed by hand.
  poseAt(time) {
    if (!this.posing.active || Math.abs(time - this.poseTime) < 1e-6) return;
    clearTimeout(this.poseTimer);
    this.poseTimer = setTimeout(() => {
      if (!this.posing.active) return;
      this.posing.end();
      this.#showMotion();
      this.enterPose();
    }, 150);
  }

  // The joint that is marked, as it is in the picture, becomes a pin at the playhead's time.
  pinJoint(place = null) {
    const { joint } = this.view;
    const at = place ?? this.jointPlace?.(joint);
    if (!at) {
      complain(new Error('Choose a joint first: open Pose and click one.'));
      return;
    }
    let made = null;
    this.edit('Add pin', (scene) => {
      made = putConstraint(scene, { kind: 'pin', joint, position: at.map((v) => Math.round(1e4 * v) / 1e4), time: round3(this.playhead.time) });
    });
    this.store.show({ selected: { type: 'constraint', id: made } });
    say(`${joint} is pinned at ${this.playhead.time.toFixed(2)} s.`);
  }

  #posed(pose) {
    this.edit('Move pose', (scene) => { scene.pose = pose; });
  }

  #poseFromDocument() {
    if (!this.posing.active) return;
    const { pose } = this.scene;
    this.posing.start(this.character.id, pose ?? this.poseStart, pose?.pins ?? {});
    if (pose) this.posing.motion = motionFromPose(pose);
  }

  takePose(pose, label = 'Choose pose') {
    this.edit(label, (scene) => { scene.pose = { ...pose, pins: {} }; });
    if (this.posing.active) this.#poseFromDocument();
    else this.enterPose();
  }

  resetPose() {
    this.edit('Reset pose', (scene) => { scene.pose = null; });
    this.leavePose();
    this.enterPose();
  }

  async samplePoses(seed) {
    this.store.show({ gallery: { seed, loading: true, poses: [] } });
    const done = await this.#ask(async () => {
      const { poses } = await this.api.post(`/characters/${this.character.id}/poses/sample`, { count: 8, seed });
      this.store.show({ gallery: { seed, loading: false, poses } });
    });
    if (!done) this.store.show({ gallery: null });
  }

  // Keep the pose and ask for it at the playhead's time.
  async keyPose(time) {
    const pose = this.scene.pose ?? this.poseStart;
    const given = pose.nodes ? { parameters: pose.parameters, nodes: pose.nodes } : pose;
    await this.#ask(async () => {
      const made = await this.api.post(`/characters/${this.character.id}/poses`, { name: `pose at ${time.toFixed(2)} s`, pose: given });
      this.edit('Set pose key', (scene) => {
        scene.constraints = scene.constraints.filter((c) => c.kind !== 'pose' || Math.abs(c.time - time) > 1 / 60);
        scene.constraints.push({ id: scene.next, kind: 'pose', time: round3(time), pose: made.reference });
        scene.next += 1;
      });
      say(`The pose is a key at ${time.toFixed(2)} s.`);
    });
  }

  // --- what the server says

  #listen() {
    const { socket } = this;
    socket.on('hello', (message) => {
      this.server = { ...this.server, ...message.server };
      this.characters = new Map(message.characters.map((character) => [character.id, character]));
      for (const job of message.jobs) this.jobs.put(job);
      this.store.show({ connected: true });
      this.autosave.heard(message.revision);
      this.#syncCharacter();
      this.changed();
    });
    socket.on('away', () => this.store.show({ connected: false }));
    socket.on('open', () => socket.send('watch', { jobs: 'all' }));
    socket.on('job', ({ job }) => {
      this.jobs.put(job);
      if (job.kind === 'compare' && job.state === 'done' && job.request.other?.clip === this.view.compareClip) this.store.show({ matched: job.result });
      if (job.state === 'failed' && job.error) complain(new Error(job.error));
    });
    socket.on('job-deleted', ({ id }) => this.#dropJob(id));
    socket.on('progress', (message) => this.jobs.takeProgress(message));
    socket.on('losses', (message) => this.jobs.takeLosses(message));
    socket.on('picture', (message) => this.jobs.takePicture(message));
    socket.on('motion', (motion) => {
      if (motion.header.source !== 'job') return;
      if (this.jobs.takePreview(motion) === 1) this.#firstPreview(motion.header.job);
    });
    socket.on('character', ({ character }) => {
      this.#putCharacter(character);
      if (character.state === 'failed' && character.error) complain(new Error(character.error));
    });
    socket.on('character-deleted', ({ id }) => this.#dropCharacter(id));
    socket.on('document', ({ revision }) => this.autosave.heard(revision).catch(complain));
    socket.on('error', ({ error }) => complain(new Error(error)));
  }
}

// Contacts of each frame as [x, y, z, force x, y, z], forces in body weights.
function contactsOf({ contacts, fps }) {
  if (!contacts) return null;
  const frames = contacts.frames ?? contacts;
  const full = (row) => (row.length === 3 ? [row[0], 0, row[1], 0, row[2], 0] : row);
  return { fps: contacts.fps ?? fps ?? 30, weight: contacts.weight ?? 1, frames: frames.map((rows) => rows.map(full)) };
}

function round3(value) {
  return Math.round(value * 1000) / 1000;
}
