"""A finished creature: body plan, surface, weights and colours as a scene, a character and its exact anatomy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.anatomy.joint_limits import guess_limits
from gambol.character.anatomy.rest_shape import measure_rest
from gambol.character.character import Character, make_character
from gambol.character.scene import Material, NodeTree, Part, Scene, Skin
from gambol.character.transforms import rigid_inverse
from gambol.character.weights import SkinWeights
from gambol.creatures.bodies.body_plan import CreatureBodyPlan, Eye, vector
from gambol.creatures.bodies.distance_field import FleshField, evaluate_field
from gambol.creatures.bodies.isosurface import MIN_RADII_IN_CELLS, IsoSurface, extract_surface
from gambol.creatures.bodies.skin_colours import skin_colours
from gambol.creatures.bodies.skin_weights import weights_from_flesh
from gambol.errors import ConfigError

FILE_FACING = "+z"
"""Direction that creatures face in their files, as glTF asks: y up, facing +z."""
DEFAULT_VERTICES = 5000
"""Approximate number of vertices of the skin by default."""
MIN_BONE_WEIGHT = 0.05
"""Least skin weight of a bone, summed over all vertices; with less it was lost between the grid's cells."""
MAX_SOLE_HEIGHT = 0.004
"""Largest height of a foot's lowest vertex above the ground, in sizes; a foot that ends higher lost its tip."""
EYE_SECTORS = 12
"""Number of vertices around an eyeball."""


@dataclass(frozen=True)
class Creature:
    """A procedural creature."""

    name: str
    """Words that describe it, such as 'small fox'."""
    plan: CreatureBodyPlan
    """Its body plan, with the eyes in their final places."""
    scene: Scene
    """Its nodes, skin and mesh as they are written to a file."""

    def character(self) -> Character:
        """Return the creature as a character: in metres, facing +x."""
        return make_character(self.name, self.scene, scale=1.0, facing=FILE_FACING)

    def anatomy(self, character: Character) -> Anatomy:
        """Return the exact anatomy of a character that was made from this creature or loaded from its file."""
        return anatomy_from_plan(self.plan, character)


def build_creature(name: str, plan: CreatureBodyPlan, *, vertices: int = DEFAULT_VERTICES) -> Creature:
    """Build a creature from its plan: one closed skin of about `vertices` vertices, and a closed ball for each eye."""
    for first in range(len(MIN_RADII_IN_CELLS)):  # thicker flesh where thin bones got no vertices
        skin, field = extract_surface(plan, vertices=vertices, radii=MIN_RADII_IN_CELLS[first:])
        weights = weights_from_flesh(plan, field, skin)
        lost = [plan.names[bone] for bone in np.flatnonzero(weights.mass() < MIN_BONE_WEIGHT)]
        if not lost and not _has_lost_soles(plan, skin, weights):
            break
    plan = replace(plan, eyes=tuple(_seat(eye, field) for eye in plan.eyes))
    if lost:
        raise ConfigError(f"{name}: {vertices} vertices are too few to show {', '.join(lost)}; ask for more.")
    colours = skin_colours(plan, field, skin, weights)
    points, triangles, paint, bones = _with_eyes(plan, skin, colours, weights)
    nodes = _nodes(name, plan)
    joints = np.arange(len(plan.joints))
    bind = Skin("skeleton", joints, rigid_inverse(nodes.T_world_node[joints]))
    rgba = np.concatenate([paint, np.ones((len(paint), 1))], 1).astype(np.float32)
    part = Part(
        len(nodes) - 1,
        0,
        points.astype(np.float32),
        triangles,
        0,
        colours=np.clip(rgba, 0.0, 1.0),
        joints=bones.bones,
        weights=bones.weights,
    )
    material = Material("coat", (1.0, 1.0, 1.0, 1.0), double_sided=False)
    return Creature(name, plan, Scene(nodes, (bind,), (part,), (material,)))


def anatomy_from_plan(plan: CreatureBodyPlan, character: Character) -> Anatomy:
    """Convert a plan's parts, sides and limbs to the order of a character's bones; only joint limits are guessed."""
    skeleton = character.require_skeleton()
    missing = set(plan.names) ^ set(skeleton.names)
    if missing:
        names = ", ".join(sorted(missing))
        raise ConfigError(f"{character.name} does not have the skeleton of '{plan.name}'; these bones differ: {names}.")
    bone = {name: i for i, name in enumerate(skeleton.names)}
    joints = [plan.joints[plan.index[name]] for name in skeleton.names]
    limbs = tuple(
        Limb(x.part, x.side, x.pair, tuple(bone[b] for b in x.bones), None if x.contact is None else bone[x.contact])
        for x in plan.limbs
    )
    parts, sides = tuple(j.part for j in joints), tuple(j.side for j in joints)
    orders = _orders(skeleton.parents, [(j.part, j.side) for j in joints])
    return Anatomy(parts, sides, orders, limbs, guess_limits(measure_rest(character), parts, limbs))


def _has_lost_soles(plan: CreatureBodyPlan, skin: IsoSurface, weights: SkinWeights) -> bool:
    """Return whether the end of a leg was lost between the grid's cells, so that it ends above the ground."""
    owners, size = weights.dominant(), float(np.ptp(skin.vertices, axis=0).max())
    legs = [[plan.index[bone] for bone in limb.bones] for limb in plan.limbs if limb.contact is not None]
    lows = [float(skin.vertices[np.isin(owners, leg), 1].min(initial=np.inf)) for leg in legs]
    return max(lows, default=0.0) > MAX_SOLE_HEIGHT * size


def _orders(parents: Int[ndarray, "bones"], kinds: list[tuple[BodyPart, Side]]) -> Int[ndarray, "bones"]:
    """Return how many bones of the same part and side lie above each bone."""
    orders = np.zeros(len(parents), int)
    for bone, parent in enumerate(parents):
        if parent >= 0 and kinds[parent] == kinds[bone]:
            orders[bone] = orders[parent] + 1
    return orders


def _nodes(name: str, plan: CreatureBodyPlan) -> NodeTree:
    """Return the joints, an end node behind every leaf (so that other programs know its length), and the mesh node."""
    names, parents, positions = list(plan.names), plan.parents.tolist(), [np.array(j.position) for j in plan.joints]
    for i, joint in enumerate(plan.joints):
        if joint.end is not None and i not in plan.parents:
            names.append(f"{joint.name}_end")
            parents.append(i)
            positions.append(np.array(joint.end))
    names.append(name)
    parents.append(-1)
    positions.append(np.zeros(3))
    above = np.array([positions[p] if p >= 0 else np.zeros(3) for p in parents])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(names), 1))
    return NodeTree(tuple(names), np.array(parents), np.array(positions) - above, still, np.ones((len(names), 3)), {})


def _with_eyes(
    plan: CreatureBodyPlan, skin: IsoSurface, colours: Float[ndarray, "vertices 3"], weights: SkinWeights
) -> tuple[ndarray, ndarray, ndarray, SkinWeights]:
    """Join skin and eyeballs to one set of vertices, triangles, colours and weights."""
    points, triangles, paint = [skin.vertices], [skin.triangles], [colours]
    bones, shares, first = [weights.bones], [weights.weights], len(skin.vertices)
    for eye in plan.eyes:
        places, faces, painted = eyeball_mesh(eye)
        points.append(places)
        triangles.append(faces + first)
        paint.append(painted)
        rows = np.zeros((len(places), weights.bones.shape[1]))
        bones.append(np.where(np.arange(rows.shape[1]) == 0, plan.index[eye.bone], rows).astype(weights.bones.dtype))
        shares.append((rows + (np.arange(rows.shape[1]) == 0)).astype(weights.weights.dtype))
        first += len(places)
    together = SkinWeights(np.concatenate(bones), np.concatenate(shares), len(plan.joints))
    return np.concatenate(points), np.concatenate(triangles), np.concatenate(paint), together


def _seat(eye: Eye, field: FleshField) -> Eye:
    """Move an eye along the skin's normal until it is sunk as deep as planned."""
    side = np.array([np.sign(eye.centre[0]) or 1.0, 1.0, 1.0])
    centre = np.array(eye.centre) * side  # both eyes like the left one
    for _ in range(4):
        distances, normals = evaluate_field(field, centre[None])
        centre = centre - (distances[0] + eye.sink_depth * eye.radius) * normals[0]
    return replace(eye, centre=vector(centre * side))


def eyeball_mesh(
    eye: Eye,
) -> tuple[Float[ndarray, "points 3"], Int[ndarray, "triangles 3"], Float[ndarray, "points 3"]]:
    """Return vertices, triangles and colours of a closed ball around the gaze, with rings along pupil and iris."""
    edges = [angle for angle in (eye.pupil_angle, eye.iris_angle) if 0.1 < angle < 3.0]
    rings = np.unique(np.concatenate([np.linspace(0.0, np.pi, 8)[1:-1], *([e - 0.03, e + 0.03] for e in edges)]))
    gaze = np.array(eye.gaze)
    right = np.cross(gaze, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    around = 2.0 * np.pi * np.arange(EYE_SECTORS) / EYE_SECTORS
    circle = np.cos(around)[:, None] * right + np.sin(around)[:, None] * np.cross(right, gaze)
    directions = np.cos(rings)[:, None, None] * gaze + np.sin(rings)[:, None, None] * circle
    directions = np.concatenate([gaze[None], directions.reshape(-1, 3), -gaze[None]])
    angle = np.concatenate([[0.0], np.repeat(rings, EYE_SECTORS), [np.pi]])[:, None]
    outside = np.where(angle < eye.iris_angle, np.array(eye.iris), np.array(eye.white))
    colours = np.where(angle < eye.pupil_angle, 0.004, outside)
    return np.array(eye.centre) + eye.radius * directions, _ball_triangles(len(rings)), colours


def _ball_triangles(rings: int) -> Int[ndarray, "triangles 3"]:
    """Return the triangles of a pole, `rings` rings of `EYE_SECTORS` vertices, and the other pole, facing outwards."""
    here = np.arange(EYE_SECTORS)
    there = (here + 1) % EYE_SECTORS
    last = 1 + rings * EYE_SECTORS
    triangles = [np.stack([np.zeros(EYE_SECTORS, int), 1 + there, 1 + here], 1)]
    for ring in range(rings - 1):
        a, b = 1 + ring * EYE_SECTORS, 1 + (ring + 1) * EYE_SECTORS
        triangles += [np.stack([a + here, a + there, b + here], 1), np.stack([a + there, b + there, b + here], 1)]
    a = last - EYE_SECTORS
    triangles.append(np.stack([a + here, a + there, np.full(EYE_SECTORS, last)], 1))
    return np.concatenate(triangles)
