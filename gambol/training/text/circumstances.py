"""Words that phrases of every motion share, because they do not decide it: manner, place, time, things and looks."""

from __future__ import annotations

MANNERS = (
    "slowly", "fast", "quickly", "happily", "sadly", "angrily", "lightly", "calmly", "carefully", "nervously",
    "lazily", "gracefully", "clumsily", "stiffly", "elegantly", "timidly", "aggressively", "sleepily", "cheerfully",
    "anxiously", "excitedly", "gently", "violently", "smoothly", "softly", "energetically", "playfully", "gloomily",
    "very slowly", "very fast", "a bit slowly", "rather quickly", "extremely slowly", "slightly nervously", "with joy",
    "with great care", "with little energy", "in a bad mood", "in a good mood", "full of energy",
    "in a relaxed way", "in panic", "at a natural speed", "like a robot", "rapidly", "wildly", "eagerly",
    "bravely", "shyly", "boldly", "awkwardly", "joyfully", "tiredly", "in slow motion", "hesitantly", "steadily",
)  # fmt: skip
"""Manners of doing something; none of them is a motion of its own."""
WALK_MANNERS = ("proudly", "heavily", "majestically", "with pride", "with great weight", "confidently", "drunkenly")
"""Manners that are motions of their own when they go with walking, and manners like others with anything else."""
PLACES = (
    "in the forest", "through the garden", "in the rain", "on the beach", "in the snow", "by the river", "in town",
    "down the road", "along the path", "on the grass", "in a field", "in the desert", "at night", "in the morning",
    "in front of the castle", "near the lake", "in the living room", "on a stage", "on the street", "in the park",
    "under a tree", "in the moonlight", "behind the house", "at the market", "on a hill", "in the dark", "in the sun",
    "on the ground", "on flat ground", "at the zoo", "in the kitchen", "beside the road", "on the bridge", "at school",
    "in the temple", "in an empty room", "in the village", "on a farm", "across the yard", "over the meadow",
)  # fmt: skip
"""Adverbials of place and time."""
SURROUNDINGS = (
    "after a long day", "for the camera", "on a sunny day", "with its friends", "all day long", "because it is hungry",
    "while the sun sets", "for a while", "once", "twice", "again and again", "for ten seconds", "in place", "for fun",
    "during the storm", "as the crowd watches", "from side view", "before the guests arrive", "every morning", "alone",
    "with the others", "in a video game", "like in a film", "in the background", "to everyone's surprise", "again",
    "with the whole family", "just now", "three times", "as usual", "in time", "in a loop", "all the time",
)  # fmt: skip
"""Other adverbials."""
THINGS = (
    "sword", "shield", "hat", "stick", "bag", "gun", "cape", "long tail", "drum", "book", "lantern", "club", "bow",
    "guitar", "phone", "umbrella", "helmet", "backpack", "red coat", "big nose", "spear", "axe", "crown", "long beard",
    "ball", "mask", "flag", "bucket", "ring", "torch", "blue dress", "pair of glasses", "golden armour", "wooden leg",
)  # fmt: skip
"""Things that someone has."""
LOOKS = (
    "red", "big", "young", "little", "brave", "furry", "black", "white", "huge", "small", "beautiful", "fat", "tall",
    "brown", "cute", "scary", "friendly", "wild", "golden", "strange", "grey", "lonely", "hungry", "evil", "wise",
)  # fmt: skip
"""Adjectives of who moves that say nothing about how."""
MOODS = (
    "sad", "happy", "tired", "angry", "nervous", "lazy", "sleepy", "cheerful", "frightened", "excited", "clumsy",
    "elegant", "calm", "shy", "aggressive", "playful", "gloomy", "energetic", "relaxed", "exhausted", "scared",
)  # fmt: skip
"""Adjectives of who moves that say how."""
STYLES = (
    "slow", "fast", "quick", "happy", "sad", "angry", "tired", "light", "natural", "calm", "nervous", "careful", "lazy",
    "elegant", "normal", "cool", "funny", "short", "long", "small", "big", "simple", "relaxed", "clumsy", "aggressive",
)  # fmt: skip
"""Adjectives in the names of clips."""
CLIP_ENDINGS = ("01", "A", "loop", "2", "anim", "start", "end", "inplace", "root", "F", "1", "cycle", "new", "B", "003")
"""Endings of clip names."""
CLIP_STARTS = ("CharacterArmature", "Armature", "AnimalArmature", "rig", "mixamo.com", "Take 001", "Root", "metarig")
"""What precedes the bar in clip names."""
