// The model as three.js objects: placed in Gambol's world, with its rest pose, its parts' colours and its wires.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  SkinnedMesh, SRGBColorSpace, TextureLoader, Vector3, Box3,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { mergeVertices, toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';

const CREASE = 0.7; // radians: sharper edges than this stay sharp where normals are made anew
const MANY_TRIANGLES = 300000;
const NO_BONE = new Color(0.55, 0.55, 0.55);

export async function loadCharacter(bytes, facts) {
  const loader = new GLTFLoader();
  // pictures come through <img> and blob: addresses; three's default would fetch() them, which file:// pages may not
  loader.register((parser) => {
    parser.textureLoader = new TextureLoader(parser.options.manager);
    return { name: 'GAMBOL_pictures_without_fetch' };
  });
  const gltf = await loader.parseAsync(bytes, '');
  return new Character(gltf, await nodesOf(gltf), facts);
}

// Objects by the file's node number, also of nodes outside the shown scene: joints may be among them.
async function nodesOf(gltf) {
  const count = gltf.parser.json.nodes?.length ?? 0;
  return Promise.all(Array.from({ length: count }, (_, i) => gltf.parser.getDependency('node', i)));
}

class Character {
  constructor(gltf, nodes, facts) {
    this.facts = facts;
    this.nodes = nodes;
    this.animations = gltf.animations ?? [];
    this.root = new Group();
    this.root.matrixAutoUpdate = false;
    this.root.matrix.set(...facts.T_world_file);
    this.numberOf = new Map(nodes.map((node, i) => [node, i]));
    this.#assemble(gltf.scene);
    this.meshes = [];
    this.root.traverse((object) => object.isMesh && this.meshes.push(object));
    for (const mesh of this.meshes) this.#prepare(mesh);
    this.bones = facts.bones.map((bone) => nodes[bone.node]);
    this.restTargets = new Map(facts.rest.map(([node, ...rows]) => [nodes[node], new Matrix4().set(...rows, 0, 0, 0, 1)]));
    this.defaults = nodes.map((node) => ({
      node,
      position: node.position.clone(),
      quaternion: node.quaternion.clone(),
      scale: node.scale.clone(),
      morphs: this.#morphed(node).map((mesh) => [mesh, [...mesh.morphTargetInfluences]]),
    }));
    this.wires = null;
    this.painted = null;
    this.root.updateMatrixWorld(true);
  }

  #assemble(scene) {
    if (scene) this.root.add(scene);
    for (const node of this.nodes) {
      if (node.parent) continue;
      node.traverse((object) => {
        if (scene && object.isMesh) object.visible = false;
      });
      this.root.add(node);
    }
    const others = [];
    this.root.traverse((object) => (object.isLight || object.isCamera) && others.push(object));
    for (const object of others) object.visible = false;
  }

  #prepare(mesh) {
    mesh.frustumCulled = false; // a skinned mesh moves out of its rest bounds
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    if (this.facts.normals_lost && !mesh.geometry.userData.smoothed) smooth(mesh);
  }

  #morphed(node) {
    const found = [];
    const own = [node, ...node.children.filter((child) => !this.numberOf.has(child))];
    for (const object of own) if (object.morphTargetInfluences) found.push(object);
    return found;
  }

  // Metal mirrors its surroundings; where there are none it would be black.
  dullMetal() {
    for (const material of this.meshes.flatMap((mesh) => mesh.material)) {
      if (material.metalness > 0.2) material.metalness = 0.2;
    }
  }

  get triangles() {
    return this.meshes.reduce((sum, { geometry: g }) => sum + (g.index ?? g.attributes.position).count / 3, 0);
  }

  // The file's own values of every node, as they are before any clip.
  restoreNodes() {
    for (const { node, position, quaternion, scale, morphs } of this.defaults) {
      node.position.copy(position);
      node.quaternion.copy(quaternion);
      node.scale.copy(scale);
      for (const [mesh, weights] of morphs) mesh.morphTargetInfluences.splice(0, weights.length, ...weights);
    }
  }

  // Gambol's rest pose is the bind pose, which the file's nodes need not be in.
  poseRest() {
    this.restoreNodes();
    const world = new Matrix4();
    const visit = (object, above) => {
      const target = this.restTargets.get(object);
      if (target) {
        world.copy(above).invert().multiply(this.root.matrix).multiply(target);
        if (Number.isFinite(world.determinant())) world.decompose(object.position, object.quaternion, object.scale);
      }
      object.updateMatrix();
      const here = above.clone().multiply(object.matrix);
      for (const child of object.children) visit(child, here);
    };
    for (const child of this.root.children) visit(child, this.root.matrix);
  }

  // Joint positions in the world, as the nodes stand now.
  joints() {
    this.root.updateMatrixWorld(true);
    return this.bones.map((bone) => new Vector3().setFromMatrixPosition(bone.matrixWorld).toArray());
  }

  // Exact bounds of the drawn surface as it stands now; slow, vertex by vertex.
  bounds() {
    this.root.updateMatrixWorld(true);
    const box = new Box3();
    const point = new Vector3();
    for (const mesh of this.meshes) {
      if (!mesh.visible) continue;
      mesh.skeleton?.update();
      for (let v = 0; v < mesh.geometry.attributes.position.count; v += 1) {
        box.expandByPoint(mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld));
      }
    }
    return [box.min.toArray(), box.max.toArray()];
  }

  showWires(on, colour, opacity) {
    if (on && !this.wires) {
      const material = new MeshBasicMaterial({ wireframe: true, transparent: true, depthWrite: false });
      this.wires = this.meshes.map((mesh) => twin(mesh, mesh.geometry, material));
    }
    for (const wire of this.wires ?? []) {
      wire.visible = on;
      wire.material.color.set(colour);
      wire.material.opacity = opacity;
    }
    for (const mesh of this.meshes) {
      for (const material of [mesh.material, mesh.userData.own, mesh.userData.paint].flat()) {
        if (material) Object.assign(material, { polygonOffset: on, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
      }
    }
  }

  // Colour every face by the bone that holds it most.
  showParts(on) {
    if (on && !this.painted) {
      const material = partMaterial();
      this.painted = this.meshes.map((mesh) => ({
        mesh, geometry: this.#paintedGeometry(mesh), material, own: [mesh.geometry, mesh.material],
      }));
      for (const { mesh } of this.painted) Object.assign(mesh.userData, { own: mesh.material, paint: material });
    }
    for (const { mesh, geometry, material, own } of this.painted ?? []) {
      [mesh.geometry, mesh.material] = on ? [geometry, material] : own;
    }
  }

  #paintedGeometry(mesh) {
    const { geometry } = mesh;
    const painted = new BufferGeometry();
    // a mesh that several skins draw is shared, its colours are not; all other attributes stay the same objects
    painted.attributes = { ...geometry.attributes };
    painted.index = geometry.index;
    painted.groups = geometry.groups;
    painted.drawRange = geometry.drawRange;
    painted.morphAttributes = geometry.morphAttributes;
    painted.morphTargetsRelative = geometry.morphTargetsRelative;
    const count = geometry.attributes.position.count;
    const colours = new Float32Array(3 * count);
    const { skinIndex, skinWeight } = geometry.attributes;
    const skinned = mesh.isSkinnedMesh && skinIndex && skinWeight;
    const held = skinned ? mesh.skeleton.bones.map((bone) => this.#boneAt(bone)) : null;
    const own = this.#boneAt(mesh);
    for (let v = 0; v < count; v += 1) {
      const bone = skinned ? held[strongest(skinIndex, skinWeight, v)] : own;
      (bone >= 0 ? this.#colour(bone) : NO_BONE).toArray(colours, 3 * v);
    }
    painted.setAttribute('partColour', new BufferAttribute(colours, 3));
    return painted;
  }

  #boneAt(object) {
    let walk = object;
    while (walk && !this.numberOf.has(walk)) walk = walk.parent;
    return walk ? this.facts.bone_of_node[this.numberOf.get(walk)] : -1;
  }

  #colour(bone) {
    this.colours ??= this.facts.bones.map(({ colour }) => new Color().setRGB(...colour, SRGBColorSpace));
    return this.colours[bone];
  }
}

function strongest(skinIndex, skinWeight, v) {
  let best = 0;
  for (let k = 1; k < 4; k += 1) {
    if (skinWeight.getComponent(v, k) > skinWeight.getComponent(v, best)) best = k;
  }
  return skinIndex.getComponent(v, best);
}

// The same mesh drawn once more with another material, moved by the same bones.
function twin(mesh, geometry, material) {
  const copy = mesh.isSkinnedMesh ? new SkinnedMesh(geometry, material) : new Mesh(geometry, material);
  if (mesh.isSkinnedMesh) copy.bind(mesh.skeleton, mesh.bindMatrix);
  if (mesh.morphTargetInfluences) copy.morphTargetInfluences = mesh.morphTargetInfluences;
  copy.frustumCulled = false;
  copy.visible = false;
  copy.renderOrder = 2;
  mesh.add(copy);
  return copy;
}

function partMaterial() {
  const material = new MeshStandardMaterial({ roughness: 0.85, metalness: 0, side: DoubleSide });
  // 'flat': one colour per face, so that seams between parts are sharp
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec3 partColour;\nflat varying vec3 vPart;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPart = partColour;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nflat varying vec3 vPart;')
      .replace('#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.rgb = vPart;');
  };
  return material;
}

// Normals for a surface that came without: smooth over soft edges, sharp at hard ones.
function smooth(mesh) {
  let { geometry } = mesh;
  const triangles = (geometry.index ?? geometry.attributes.position).count / 3;
  if (triangles > MANY_TRIANGLES) {
    geometry.computeVertexNormals();
  } else {
    geometry = mergeVertices(toCreasedNormals(geometry, CREASE));
  }
  geometry.userData.smoothed = true;
  mesh.geometry = geometry;
  for (const material of [mesh.material].flat()) {
    material.flatShading = false;
    material.needsUpdate = true;
  }
}
