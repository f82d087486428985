// The motion skeleton, drawn over the mesh: one tapered piece from each joint to each child, a ball at each joint.
import {
  BackSide, BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, HemisphereLight, IcosahedronGeometry,
  InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial, Quaternion, Raycaster, Scene, SRGBColorSpace, Vector3,
} from 'three';

const UP = new Vector3(0, 1, 0);
const WHITE = new Color('#ffffff');
const PLAIN = new Color('#f3f1ea');
const WIDTH = 0.1; // of a piece's length
const WIDEST = 0.016; // of the character's size
const BALL = 0.0055;
const RIM = 0.0022;

export class SkeletonOverlay {
  constructor(character, facts) {
    this.character = character;
    this.size = facts.size;
    this.names = facts.bones.map((bone) => bone.name);
    this.pieces = facts.bones.flatMap((bone, b) => {
      const toParent = bone.parent >= 0 ? [{ bone: bone.parent, child: b }] : [];
      return bone.tail ? [...toParent, { bone: b, tail: new Vector3(...bone.tail) }] : toParent;
    });
    this.scene = new Scene();
    this.scene.add(new HemisphereLight('#ffffff', '#b4b8c0', 2.6));
    const light = new DirectionalLight('#ffffff', 1.1);
    light.position.set(1, 2, 1.5);
    this.scene.add(light);
    const inside = new MeshBasicMaterial({ color: '#15171a', side: BackSide, toneMapped: false });
    const [piece, ball] = [pieceGeometry(), new IcosahedronGeometry(1, 2)];
    const flat = new MeshLambertMaterial({ toneMapped: false, flatShading: true });
    const round = new MeshLambertMaterial({ toneMapped: false });
    const [pieces, balls] = [this.pieces.length, facts.bones.length];
    this.segments = this.#instances(piece, flat, pieces);
    this.balls = this.#instances(ball, round, balls);
    // dark shells behind, a little larger: they show as an outline on any surface
    this.rims = [this.#instances(piece, inside, pieces), this.#instances(ball, inside, balls)];
    this.colours = facts.bones.map(({ colour }) => new Color().setRGB(...colour, SRGBColorSpace));
    this.paint(true);
    this.raycaster = new Raycaster();
  }

  #instances(geometry, material, count) {
    const mesh = new InstancedMesh(geometry, material, Math.max(count, 1));
    mesh.count = count;
    mesh.frustumCulled = false;
    this.scene.add(mesh);
    return mesh;
  }

  // In the bones' colours, or plain where the surface itself has them.
  paint(coloured) {
    const of = (bone) => (coloured ? this.colours[bone] : PLAIN);
    this.pieces.forEach((piece, i) => this.segments.setColorAt(i, of(piece.bone)));
    this.colours.forEach((_, i) => this.balls.setColorAt(i, of(i).clone().lerp(WHITE, 0.5)));
    for (const mesh of [this.segments, this.balls]) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  update() {
    const heads = this.character.bones.map((bone) => new Vector3().setFromMatrixPosition(bone.matrixWorld));
    const [end, along, turn, scale, matrix] = [new Vector3(), new Vector3(), new Quaternion(), new Vector3(), new Matrix4()];
    const rim = RIM * this.size;
    this.pieces.forEach(({ bone, child, tail }, i) => {
      if (tail) end.copy(tail).applyMatrix4(this.character.bones[bone].matrixWorld);
      else end.copy(heads[child]);
      along.subVectors(end, heads[bone]);
      const length = along.length();
      const width = Math.min(WIDTH * length, WIDEST * this.size);
      turn.setFromUnitVectors(UP, length > 0 ? along.divideScalar(length) : UP);
      this.segments.setMatrixAt(i, matrix.compose(heads[bone], turn, scale.set(width, length, width)));
      const start = along.multiplyScalar(-rim).add(heads[bone]);
      this.rims[0].setMatrixAt(i, matrix.compose(start, turn, scale.set(width + rim, length + 2 * rim, width + rim)));
    });
    const radius = BALL * this.size;
    heads.forEach((head, i) => {
      this.balls.setMatrixAt(i, matrix.compose(head, turn.identity(), scale.setScalar(radius)));
      this.rims[1].setMatrixAt(i, matrix.compose(head, turn, scale.setScalar(radius + rim)));
    });
    for (const mesh of [this.segments, this.balls, ...this.rims]) mesh.instanceMatrix.needsUpdate = true;
  }

  // The name of the bone under a point of the picture (x, y in [-1, 1]), or nothing.
  nameAt(pointer, camera) {
    this.raycaster.setFromCamera(pointer, camera);
    for (const mesh of [this.segments, this.balls]) mesh.boundingSphere = null;
    const [hit] = this.raycaster.intersectObjects([this.segments, this.balls], false);
    if (!hit) return null;
    return this.names[hit.object === this.segments ? this.pieces[hit.instanceId].bone : hit.instanceId];
  }
}

// A slim octahedron from the origin to (0, 1, 0), widest near its start.
function pieceGeometry() {
  const ring = [[1, 0.14, 0], [0, 0.14, 1], [-1, 0.14, 0], [0, 0.14, -1]];
  const points = [];
  for (let k = 0; k < 4; k += 1) {
    const [a, b] = [ring[k], ring[(k + 1) % 4]];
    points.push(...a, ...b, ...[0, 0, 0], ...b, ...a, ...[0, 1, 0]);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  geometry.computeVertexNormals();
  return geometry;
}
