// Posing: what the drag does, pinned joints, the gallery of sampled poses, set as key.
import { button, element, emptyState, fill, iconButton, keyed, section } from './dom.js';
import { icon } from './icons.js';
import { motionFromPose } from './motion.js';

const PICTURE = [200, 160]; // pixels

export class PosePanel {
  constructor(studio, jointLayer) {
    this.studio = studio;
    this.layer = jointLayer;
    this.actions = element('div');
    this.pins = element('div');
    this.gallery = element('div');
    this.element = element('div', {}, this.actions, this.pins, this.gallery);
  }

  refresh() {
    const { studio } = this;
    const { character, facts, posing, scene, view, playhead } = studio;
    const able = character?.state === 'ready' && Boolean(facts?.bones.length);
    if (able && !posing.active) studio.enterPose();
    const time = playhead.time.toFixed(2);
    keyed(this.actions, [able, Boolean(scene.pose), time, view.joint, posing.plausibility, posing.waiting !== null, posing.ready], () => (able ? this.#actions(time) : [emptyState('pose', 'Nothing to pose', 'Open a character with a skeleton first.')]));
    keyed(this.pins, [able, Object.keys(posing.pins ?? {}), view.joint], () => (able ? this.#pins(Object.keys(posing.pins ?? {})) : []));
    keyed(this.gallery, [able, character?.id, view.gallery?.seed, view.gallery?.loading, view.gallery?.poses.length, studio.loaded], () => (able ? this.#poses(view.gallery) : []));
  }

  #actions(time) {
    const { studio } = this;
    const { posing, view, scene } = studio;
    const said = !posing.ready ? 'Preparing this body for posing …' : posing.waiting !== null ? 'Finding the nearest plausible pose …'
      : posing.plausibility !== null ? `Plausibility ${Math.round(100 * posing.plausibility)} %` : 'The whole body follows, within what is plausible.';
    return [section(
      view.joint ? view.joint : 'Drag a joint',
      element('p', { class: 'note', text: said, role: 'status' }),
      element('div', { class: 'row' }, button(`Set as key at ${time} s`, () => studio.keyPose(studio.playhead.time), { icon: 'key', kind: 'primary grow', tip: 'The motion passes through this pose', key: 'K', id: 'key-pose' })),
      element(
        'div', { class: 'row' },
        button('Pin joint in time', () => studio.pinJoint(), { icon: 'pin', kind: 'grow', disabled: !view.joint, tip: 'The motion brings this joint here at the playhead’s time', key: 'P', id: 'pin-joint' }),
        button('Reset', () => studio.resetPose(), { icon: 'reset', kind: 'quiet', disabled: !scene.pose, tip: 'Back to the motion’s own pose' }),
      ),
    )];
  }

  #pins(names) {
    const { posing } = this.studio;
    const rows = names.map((name) => {
      const free = iconButton('close', `Let ${name} go`, () => { posing.pin(name, null); this.studio.changed(); });
      free.classList.add('small');
      return element('li', {}, element('span', { class: 'item' }, icon('pin'), element('span', { class: 'name', text: name })), free);
    });
    return [section('Held joints', rows.length ? element('ul', { class: 'list' }, rows) : element('p', { class: 'note', text: 'Joints that stay while others are dragged. Double-click one in the picture, or press H.' }))];
  }

  #poses(gallery) {
    const { studio } = this;
    const more = (seed) => studio.samplePoses(seed);
    if (!gallery) {
      return [section('Gallery', emptyState('pose', 'Plausible poses', 'Eight poses that this body could take, to begin with.', button('Sample poses', () => more(0), { icon: 'dice', id: 'sample' })))];
    }
    const again = button('More', () => more(gallery.seed + 1), { kind: 'quiet small', icon: 'dice', disabled: gallery.loading });
    const box = element('div', { class: 'gallery' });
    if (gallery.loading) fill(box, Array.from({ length: 8 }, () => element('span', { class: 'pose-picture waiting' })));
    else {
      gallery.poses.forEach((pose, i) => {
        const made = element('button', { type: 'button', class: 'pose-picture', 'aria-label': `Pose ${i + 1}`, data: { tip: 'Take this pose' }, on: { click: () => studio.takePose(pose) } });
        box.append(made);
        // one picture a frame, so that nothing stands still
        setTimeout(() => made.isConnected && made.append(studio.viewport.thumbnail(motionFromPose(pose), ...PICTURE)), 30 + 60 * i);
      });
    }
    return [element('section', { class: 'section' }, element('h3', { text: 'Gallery' }, again), box)];
  }
}
