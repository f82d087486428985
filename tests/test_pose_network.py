"""The pose network, its data and its training: order and padding do not matter, inversion is exact, runs resume."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from pose_bodies import clip_of_creature, random_poses, rig_of, small_network

from gambol.character.skeleton import Skeleton
from gambol.character.weights import SkinWeights
from gambol.errors import AssetError
from gambol.poses.coarse_skin import CoarseSkin
from gambol.poses.network import BONE_FEATURES, PoseNetwork, PoseNetworkShape, batch_skeletons
from gambol.poses.pose_diffusion import blend_noise, denoise_poses, fresh_noise_share, invert_poses
from gambol.poses.pose_parameters import parameters_from_clip
from gambol.poses.skeleton_features import MAX_HOPS, describe_skeleton, mirror_partners, tree_distances
from gambol.poses.weights_file import load_pose_network, pose_network_metadata, save_pose_network
from gambol.training.poses.recipe import PoseRecipe, make_pose_weights
from gambol.training.poses.shards import PoseShard, only_sound, read_folder, read_poses, write_poses
from gambol.training.poses.train import PoseTraining, ShardPool, held_out_loss, train_poses


def reordered(rig, order):
    """The same body with its bones in another order (parents first)."""
    order, place = np.array(order), np.argsort(order)
    old = rig.skeleton
    parents = np.array([-1 if old.parents[b] < 0 else place[old.parents[b]] for b in order])
    names = tuple(f"bone {i}" for i in range(len(order)))
    skeleton = Skeleton(names, parents, old.T_world_rest[order], old.tails[order])
    skin = rig.coarse_skin.weights
    coarse = CoarseSkin(
        rig.coarse_skin.points, SkinWeights(place[skin.bones], skin.weights, len(order)), rig.coarse_skin.triangles
    )
    arrays = ("parts", "sides", "orders", "pairs", "contacts", "limits", "centres", "halves", "radii", "masses")
    return replace(rig, skeleton=skeleton, coarse_skin=coarse, **{name: getattr(rig, name)[order] for name in arrays})


def topological_shuffle(parents, seed):
    generator, order, ready = np.random.default_rng(seed), [], [0]
    while ready:
        bone = ready.pop(int(generator.integers(len(ready))))
        order.append(bone)
        ready += [int(child) for child in np.flatnonzero(parents == bone)]
    return order


def test_order_and_names_of_the_bones_do_not_matter():
    rig, network = rig_of(), small_network()
    order = topological_shuffle(rig.skeleton.parents, 5)
    assert order != sorted(order)
    noise = random_poses(len(rig), 4)
    plain = denoise_poses(network, describe_skeleton(rig), noise, steps=4)
    shuffled = denoise_poses(network, describe_skeleton(reordered(rig, order)), noise[:, order], steps=4)
    assert torch.allclose(shuffled, plain[:, order], atol=1e-4)


def test_padding_does_not_matter():
    rigs = [rig_of("fox"), rig_of("human")]
    features, network = [describe_skeleton(rig) for rig in rigs], small_network()
    x = torch.zeros(2, max(len(rig) for rig in rigs), 3)
    for i, rig in enumerate(rigs):
        x[i, : len(rig)] = random_poses(len(rig), 1, seed=i)[0]
    together = network(x, torch.tensor([0.3, 0.6]), batch_skeletons(features))
    for i, (rig, t) in enumerate(zip(rigs, (0.3, 0.6), strict=True)):
        alone = network(x[i : i + 1, : len(rig)], torch.tensor([t]), batch_skeletons([features[i]]))
        assert torch.allclose(together[i, : len(rig)], alone[0], atol=1e-5)
        assert (together[i, len(rig) :] == 0).all()


def test_features_follow_the_tree():
    rig = rig_of("human")
    features, parents = describe_skeleton(rig), rig.skeleton.parents
    assert features.bones.shape == (len(rig), BONE_FEATURES)
    hops = tree_distances(rig.skeleton)
    assert (hops == hops.T).all()
    assert (hops[np.arange(1, len(rig)), parents[1:]] == 1).all()
    assert int(features.hops.max()) <= MAX_HOPS
    partners = mirror_partners(rig.skeleton, hops[0])
    paired = np.flatnonzero(partners >= 0)
    assert len(paired) >= 12
    for bone in paired:
        names = {rig.skeleton.names[bone][-1], rig.skeleton.names[partners[bone]][-1]}
        assert names == {"L", "R"}


def test_denoising_an_inverted_pose_gives_it_back():
    rig, network = rig_of(), small_network()
    features = describe_skeleton(rig)
    x = random_poses(len(rig), 3, size=0.5)
    for top in (0.995, 0.6):
        again = denoise_poses(network, features, invert_poses(network, features, x, start_level=top), start_level=top)
        assert torch.allclose(again, x, atol=2e-3)


def test_new_noise_is_that_of_the_posterior():
    for t, following in ((0.995, 0.93), (0.5, 0.45), (0.1, 0.02), (0.02, 0.0)):
        (a, a1), (s, s1) = (f(0.5 * np.pi * np.array([t, following])) for f in (np.cos, np.sin))
        # q(x_t' | x_t, x_0) of the Markov chain x_t = (a / a') x_t' + sqrt(s^2 - (a / a')^2 s'^2) e, by Bayes
        step = s**2 - (a / a1) ** 2 * s1**2
        variance = s1**2 * step / s**2
        weight = (a / a1) * s1**2 / s**2
        c = fresh_noise_share(t, following)
        assert c**2 == pytest.approx(variance, abs=1e-12)
        assert np.sqrt(s1**2 - c**2) / s == pytest.approx(weight, abs=1e-9)


def test_fresh_noise_draws_other_poses_and_repeats_with_its_seed():
    rig, network = rig_of(), small_network()
    noise = random_poses(len(rig), 3)

    def made(seed):
        generator = torch.Generator().manual_seed(seed)
        fresh_noise = None if seed < 0 else lambda: torch.randn(noise.shape, generator=generator)
        return denoise_poses(network, describe_skeleton(rig), noise, steps=6, fresh_noise=fresh_noise)

    assert torch.equal(made(1), made(1))
    assert (made(1) - made(2)).abs().max() > 0.01
    assert (made(1) - made(-1)).abs().max() > 0.01


def test_blended_noises_keep_their_variance_and_their_ends():
    a, b = random_poses(30, 2)
    blend = blend_noise(a, b, torch.linspace(0, 1, 9))
    assert torch.allclose(blend[0], a, atol=1e-6)
    assert torch.allclose(blend[-1], b, atol=1e-6)
    sizes = blend.square().mean((1, 2)).sqrt()
    assert float(sizes.min()) > 0.9 * min(float(sizes[0]), float(sizes[-1]))


def shard_of(noun):
    rig = rig_of(noun)
    x = torch.cat([parameters_from_clip(rig, clip_of_creature(noun, motion)) for motion in ("walk", "jump")])
    facts = {"route": "films", "kind": noun, "prior": "none", "prompts": "[]"}
    return PoseShard(rig, x, torch.zeros(len(x), dtype=torch.int64), facts)


def test_a_shard_comes_back_from_its_file(tmp_path):
    shard = only_sound(shard_of("fox"))
    write_poses(tmp_path / "fox.safetensors", shard)
    read = read_poses(tmp_path / "fox.safetensors")
    assert torch.equal(read.x, shard.x)
    assert read.rig.skeleton.names == shard.rig.skeleton.names
    assert torch.allclose(describe_skeleton(read.rig).bones, describe_skeleton(shard.rig).bones, atol=1e-5)
    assert read.metadata["kept"] == str(len(shard))
    assert torch.equal(read.mirror.mirror.x, read.x)
    with pytest.raises(AssetError, match="gambol pose collect"):
        read_folder([tmp_path], leave_out=("fox",))


def test_a_stopped_training_resumes_to_the_same_weights(tmp_path):
    pool = ShardPool((shard_of("fox"), shard_of("human")))
    settings = PoseTraining(steps=6, bodies_per_batch=2, poses_per_body=2, checkpoint_every=3)
    shape = PoseNetworkShape(width=16, depth=1, heads=2)

    def run(folder, settings):
        torch.manual_seed(1)
        return train_poses(PoseNetwork(shape), pool, (shard_of("fox"),), settings, folder)

    whole = run(tmp_path / "whole", settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gambol.training.poses.train.draw_batch", stopping_after(4))
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path / "stopped", settings)
    resumed = run(tmp_path / "stopped", settings)
    for a, b in zip(whole.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(a, b)
    logs = [(tmp_path / name / "log.jsonl").read_text() for name in ("whole", "stopped")]
    assert logs[0] == logs[1]


def stopping_after(calls):
    from gambol.training.poses.train import draw_batch

    left = [calls]

    def draw(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return draw_batch(*arguments)

    return draw


def test_training_learns_and_its_weights_are_read_back(tmp_path):
    for noun in ("fox", "human"):
        write_poses(tmp_path / "poses" / f"{noun}.safetensors", shard_of(noun))
    settings = PoseTraining(
        steps=40, bodies_per_batch=2, poses_per_body=8, checkpoint_every=20, learning_rate=3e-3, warmup_steps=5
    )
    recipe = PoseRecipe((tmp_path / "poses",), shape=PoseNetworkShape(width=32, depth=1, heads=2), training=settings)
    path = make_pose_weights(recipe, tmp_path / "run")
    shards = (shard_of("fox"), shard_of("human"))
    fresh = held_out_loss(PoseNetwork(recipe.shape), shards)
    assert held_out_loss(load_pose_network(path), shards) < 0.9 * fresh
    facts = pose_network_metadata(path)
    assert json.loads(facts["poses"]) == {"films": sum(len(shard_of(noun)) for noun in ("fox", "human"))}
    assert load_pose_network(path).shape.width == 32


def test_weights_that_are_none_are_refused(tmp_path):
    with pytest.raises(AssetError, match="gambol pose train"):
        load_pose_network(tmp_path / "nothing.safetensors")
    save_pose_network(tmp_path / "other.safetensors", small_network(), {})
    (tmp_path / "broken.safetensors").write_bytes((tmp_path / "other.safetensors").read_bytes()[:400])
    with pytest.raises(AssetError):
        load_pose_network(tmp_path / "broken.safetensors")
