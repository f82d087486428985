"""A character: the file's nodes and meshes, and the motion skeleton, mesh and weights derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.bind_pose import BoundSurface, bind_transforms, bound_surface
from gambol.character.bone_cuboids import BoneCuboids, fit_cuboids
from gambol.character.facing import BodyPoints, facing_vector, guess_facing
from gambol.character.mesh import Mesh
from gambol.character.motion_skeleton import JointTree, joint_tree
from gambol.character.scene import Material, Scene, apply_matrix, pose_parts
from gambol.character.skeleton import Skeleton, rest_frames, unique_names
from gambol.character.transforms import similarity
from gambol.character.weights import SkinWeights
from gambol.errors import AssetError, ConfigError, MissingPart

METRE_HEIGHT_RANGE = (0.05, 20.0)
"""A height in this range, in file units, is taken as metres; any other is scaled to 1 m."""
MIN_HEIGHT_SHARE = 1e-3
"""A body that is lower than this share of its longest side lies flat; its longest side counts as its height."""
MAX_WORLD_COORDINATE = 1e15
"""Largest coordinate of a vertex or joint in file space; more is taken for a broken file."""


@dataclass(frozen=True)
class Placement:
    """How a file's world was turned into Gambol's: x_world = T_world_file x_file, a similarity that export undoes."""

    T_world_file: Float[ndarray, "4 4"]
    """Similarity from file space to Gambol's world."""
    facing: str
    """The file's axis that became +x."""
    facing_confidence: float
    """How sure the facing is, 0 to 1; 1 where it was given."""

    @property
    def scale(self) -> float:
        """Metres per file unit."""
        return float(np.cbrt(np.linalg.det(self.T_world_file[:3, :3])))

    @cached_property
    def T_file_world(self) -> Float[ndarray, "4 4"]:
        """Similarity from Gambol's world to file space."""
        return np.linalg.inv(self.T_world_file)


@dataclass(frozen=True)
class Binding:
    """Which file nodes each bone of the motion skeleton moves."""

    bone_nodes: Int[ndarray, "bones"]
    """File node of each bone."""
    T_file_bind: Float[ndarray, "bones 4 4"]
    """Transform of each bone's node at bind, in file space (with the file's scale)."""
    riders: dict[int, Float[ndarray, "4 4"]]
    """Weighted nodes above the pelvis, which move with bone 0: node -> T_file_bind."""
    loose_parts: tuple[int, ...]
    """Scene parts that hang on no joint; they stay where they are and are no part of the character."""
    changes: tuple[str, ...]
    """How the motion skeleton differs from the file's joints, one sentence each."""


@dataclass(frozen=True)
class Character:
    """A character at rest (= bind pose) in Gambol's world, with the file's own nodes kept beside it.

    A bare mesh has no skeleton and no weights; a bare rig has no mesh and no weights.
    """

    name: str
    """The file's name, for messages."""
    scene: Scene
    """The file's nodes, skins and parts, in file space."""
    placement: Placement
    """How file space was turned into Gambol's world."""
    mesh: Mesh | None
    """The surface at rest."""
    skeleton: Skeleton | None
    """The motion skeleton at rest."""
    weights: SkinWeights | None
    """Weights of the mesh's vertices on the motion skeleton's bones."""
    binding: Binding | None
    """Which file nodes the bones move; present where there is a skeleton."""

    def __post_init__(self) -> None:
        if self.weights is not None:
            if self.mesh is None or self.skeleton is None:
                raise AssetError(f"{self.name}: weights need a mesh and a skeleton.")
            if len(self.weights) != len(self.mesh.vertices) or self.weights.bone_count != len(self.skeleton):
                raise AssetError(f"{self.name}: weights do not fit the mesh and the skeleton.")

    @property
    def size(self) -> float:
        """Longest side of the rest bounding box, metres."""
        if self.mesh is not None:
            return self.mesh.size
        return (
            float(np.ptp(np.concatenate([self.skeleton.heads, self.skeleton.tails]), axis=0).max())
            if self.skeleton
            else 0.0
        )

    @cached_property
    def cuboids(self) -> BoneCuboids:
        """One box per bone around its share of the surface, for the ground loss and the physics."""
        mesh, skeleton, weights = self.require_skin()
        return fit_cuboids(skeleton, weights, mesh.vertices)

    def require_skin(self) -> tuple[Mesh, Skeleton, SkinWeights]:
        """Return mesh, skeleton and weights; raise `MissingPart` with the command that makes what is missing."""
        if self.mesh is None:
            verb = f"gambol rig MESH --skeleton {self.name} -o OUT.glb"
            raise MissingPart(f"{self.name} has a skeleton but no mesh. Give it a mesh: {verb}")
        if self.skeleton is None or self.weights is None:
            raise MissingPart(
                f"{self.name} has a mesh but no skeleton with weights. Make them: gambol rig {self.name} -o OUT.glb"
            )
        return self.mesh, self.skeleton, self.weights

    def require_skeleton(self) -> Skeleton:
        """Return the skeleton; raise `MissingPart` with the command that makes one where there is none."""
        if self.skeleton is None:
            raise MissingPart(f"{self.name} has no skeleton. Make one: gambol rig {self.name} -o OUT.glb")
        return self.skeleton


def make_character(name: str, scene: Scene, *, scale: float | None = None, facing: str | None = None) -> Character:
    """Derive mesh, motion skeleton and weights from a scene, placed in Gambol's world."""
    if scene.skins:
        binds = bind_transforms(scene)
        surface = bound_surface(scene, binds)
        tree = joint_tree(scene, binds, surface)
        heads = np.stack([binds[int(n)][:3, 3] for n in tree.nodes])
        names = unique_names([scene.nodes.names[n] for n in tree.nodes])
    else:
        binds, tree, heads, names = {}, None, np.zeros((0, 3)), ()
        surface = _still_surface(scene)
    if not len(surface.vertices) and tree is None:
        raise AssetError(f"{name} holds neither a mesh nor a skeleton.")
    if not all((np.abs(points) <= MAX_WORLD_COORDINATE).all() for points in (surface.vertices, heads)):
        raise AssetError(
            f"{name} has vertices or joints that its transforms take beyond {MAX_WORLD_COORDINATE:g} units."
        )
    bone_of = np.zeros(len(scene.nodes), int)
    if tree is not None:
        bone_of[tree.nodes] = np.arange(len(tree.nodes))
    dominant = (
        bone_of[surface.nodes[np.arange(len(surface.nodes)), surface.weights.argmax(1)]] if tree else np.zeros(0, int)
    )
    placement = place(BodyPoints(names, heads, surface.vertices, dominant), scale=scale, facing=facing)
    skeleton = _skeleton(names, heads, tree, placement) if tree else None
    mesh = _mesh(scene, surface, placement) if len(surface.vertices) else None
    weights = None
    if skeleton is not None and mesh is not None:
        weights = SkinWeights(np.where(surface.weights > 0, bone_of[surface.nodes], 0), surface.weights, len(skeleton))
    binding = None
    if tree is not None:
        loose = tuple(sorted(set(range(len(scene.parts))) - set(surface.parts)))
        riders = {node: binds[node] for node in tree.merged}
        binding = Binding(tree.nodes, np.stack([binds[int(n)] for n in tree.nodes]), riders, loose, tree.changes)
    return Character(name, scene, placement, mesh, skeleton, weights, binding)


def place(body: BodyPoints, *, scale: float | None, facing: str | None) -> Placement:
    """Find the similarity that turns the facing to +x, scales to metres and puts the lowest point at y = 0.

    The middle of the bounding box comes to stand above the origin.
    """
    confidence = 1.0
    if facing is None:
        facing, confidence = guess_facing(body)
    forward = facing_vector(facing)
    # rows: where x, y, z of the world lie in the file
    rotation = np.stack([forward, [0.0, 1.0, 0.0], np.cross(forward, [0.0, 1.0, 0.0])])
    points = (body.vertices if len(body.vertices) else body.heads) @ rotation.T
    height, longest = float(np.ptp(points[:, 1])), float(np.ptp(points, axis=0).max())
    extent = height if height > MIN_HEIGHT_SHARE * longest else longest
    if scale is None:
        least, most = METRE_HEIGHT_RANGE
        scale = 1.0 if least <= extent <= most or extent < 1.0 / MAX_WORLD_COORDINATE else 1.0 / extent
    elif not (isinstance(scale, int | float) and np.isfinite(scale) and scale > 0):
        raise ConfigError(f"The scale is {scale}; it must be a positive number (metres per file unit).")
    low, high = points.min(0) * scale, points.max(0) * scale
    offset = -np.array([0.5 * (low[0] + high[0]), low[1], 0.5 * (low[2] + high[2])])
    return Placement(similarity(rotation, scale, offset), facing, confidence)


def _skeleton(names: tuple[str, ...], heads: ndarray, tree: JointTree, placement: Placement) -> Skeleton:
    world_heads = apply_matrix(placement.T_world_file, heads)
    world_tails = apply_matrix(placement.T_world_file, tree.tails)
    return Skeleton(names, tree.parents, rest_frames(world_heads, world_tails, tree.parents), world_tails)


def _still_surface(scene: Scene) -> BoundSurface:
    """The surface of a file without a skin, where its nodes put it."""
    posed = pose_parts(scene, scene.nodes.T_world_node)
    vertices = np.concatenate(posed) if posed else np.zeros((0, 3))
    return BoundSurface(
        vertices, np.zeros((len(vertices), 1), int), np.ones((len(vertices), 1)), tuple(range(len(posed)))
    )


def _mesh(scene: Scene, surface: BoundSurface, placement: Placement) -> Mesh:
    parts = [scene.parts[i] for i in surface.parts]
    materials = (*scene.materials, Material("default"))
    triangles, material_of, uvs, colours, first = [], [], [], [], 0
    for part in parts:
        count = len(part.positions)
        triangles.append(part.triangles + first)
        material_of.append(
            np.full(len(part.triangles), part.material if part.material is not None else len(materials) - 1)
        )
        uvs.append(part.uvs if part.uvs is not None else np.zeros((count, 2), np.float32))
        colours.append(part.colours if part.colours is not None else np.ones((count, 4), np.float32))
        first += count
    return Mesh(
        apply_matrix(placement.T_world_file, surface.vertices),
        np.concatenate(triangles).astype(np.int32),
        np.concatenate(material_of),
        materials,
        np.concatenate(uvs) if any(p.uvs is not None for p in parts) else None,
        np.concatenate(colours) if any(p.colours is not None for p in parts) else None,
    )
