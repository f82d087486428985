"""Bodies and short optimisations in front of a tiny prior, for several test files."""

from dataclasses import replace

from creature_body import creature_body
from tiny_embedded_prior import tiny_prior

from gambol.app.animate_plan import resolve
from gambol.app.animate_request import AnimateRequest
from gambol.distill.optimised_body import make_body, make_subject
from gambol.distill.problem import clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.render.observer import ObserverConfig


def subject_of(noun="fox", seed=3, vertices=500):
    character, anatomy = creature_body(noun, seed, vertices=vertices)
    return make_subject(character, anatomy)


def body_of(subject, splats=None):
    """The body as the embedded prior's observer shows it."""
    observer = tiny_prior().observer(subject, ObserverConfig(splats=splats))
    return make_body(subject, observer.actor)


def problem_of(prior, subject, request: AnimateRequest, **options):
    """The problem of a request, and its methods; without a length it has that of the prior's window."""
    plan = resolve(request, prior)
    problem = make_problem(
        prior,
        subject,
        request.prompt,
        losses=plan.losses,
        config=replace(plan.motion, natural_length=False),
        observer=plan.observer,
        seed=request.seed,
        open_phase=plan.open_phase,
        **options,
    )
    return problem, plan.methods


def optimised(prior, subject, request: AnimateRequest):
    """The optimised clip, before post-processing, and the last state."""
    problem, methods = problem_of(prior, subject, request)
    state = run_methods(problem, methods)
    return clip_of(problem, state.coefficients, "clip"), state
