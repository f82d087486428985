"""Does the confidence of a skeleton mean something? Real characters without their rigs, by template and confidence.

Run: python benchmarks/rig_confidence.py
Needs GAMBOL_DATA. A wrong template without a warning is a miss.
"""

from measure import Scoreboard
from rigging import data_root

from gambol.character.rigging.rig import find_rig
from gambol.character.rigging.rigged_scene import strip_rig
from gambol.errors import AssetError
from gambol.files.asset import load

FOLDERS = ("kaykit", "khronos", "mesh2motion", "quaternius", "quaternius-more")
BIPEDS = (
    *("Knight", "Rogue", "RiggedFigure", "human", "male", "zombie", "Character", "Enemy_2Legs", "KnightCharacter"),
    *("Mech", "Male_Casual", "Robot", "Female_Casual", "Skeleton", "RobotExpressive", "Zombie"),
)
TEMPLATES = {
    **dict.fromkeys(BIPEDS, "biped"),
    **dict.fromkeys(("bird", "eagle", "Eagle"), "bird"),
    **dict.fromkeys(("Trex", "Velociraptor", "kaiju"), "theropod"),
    "dragon": "dragon",
    "Wasp": "none",
}
"""Template by a word of the file's name; all others are quadrupeds."""


def expected(stem: str) -> str:
    """The right template for a file, by the last word of its name that has one."""
    words = stem.replace("__", "-").strip("_").split("-")
    return next((TEMPLATES[word] for word in words[::-1] if word in TEMPLATES), "quadruped")


def main() -> None:
    """Rig every character and count right, warned and refused ones."""
    board, counts = Scoreboard(), {"right": 0, "right, warned": 0, "wrong, warned": 0, "refused": 0, "wrong": 0}
    for folder in FOLDERS:
        for path in sorted((data_root() / folder).glob("*.glb")):
            if path.stem.endswith(("-rig", "-animated")) or path.stem == "RecursiveSkeletons":
                continue
            try:
                rig = find_rig(strip_rig(load(path).character))
            except AssetError as error:
                counts["refused"] += 1
                print(f"{path.stem:44} refused: {error}", flush=True)
                continue
            assert rig.confidence is not None
            outcome = "right" if rig.kind == expected(path.stem) else "wrong"
            counts[f"{outcome}, warned" if rig.confidence.warnings else outcome] += 1
            said = " ".join(rig.confidence.warnings)
            print(f"{path.stem:44} {rig.kind:10} {outcome} {rig.confidence.overall:.2f} {said}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    total = sum(counts.values())
    board.at_least("rigging.confidence.right", (counts["right"] + counts["right, warned"]) / total, 0.8, "")
    board.at_most("rigging.confidence.wrong_without_warning", counts["wrong"], 0, "")
    board.finish()


if __name__ == "__main__":
    main()
