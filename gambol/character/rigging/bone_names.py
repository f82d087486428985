"""Bone names of other programs: a template's bones as Mixamo, Unreal, Unity or VRM name them."""

from __future__ import annotations

from typing import Literal, get_args

from gambol.errors import ConfigError

BoneNaming = Literal["gambol", "mixamo", "unreal", "unity", "vrm"]
"""Naming conventions of bones."""
NAMINGS: tuple[str, ...] = get_args(BoneNaming)
"""Naming conventions of bones, as a tuple."""

BIPED_NAMES = {
    "Hips": ("mixamorig:Hips", "pelvis", "Hips", "hips"),
    "Spine1": ("mixamorig:Spine", "spine_01", "Spine", "spine"),
    "Spine2": ("mixamorig:Spine1", "spine_02", "Chest", "chest"),
    "Chest": ("mixamorig:Spine2", "spine_03", "UpperChest", "upperChest"),
    "Neck1": ("mixamorig:Neck", "neck_01", "Neck", "neck"),
    "Head": ("mixamorig:Head", "head", "Head", "head"),
    "Clavicle": ("mixamorig:{Side}Shoulder", "clavicle_{s}", "{Side}Shoulder", "{side}Shoulder"),
    "UpperArm": ("mixamorig:{Side}Arm", "upperarm_{s}", "{Side}UpperArm", "{side}UpperArm"),
    "Forearm": ("mixamorig:{Side}ForeArm", "lowerarm_{s}", "{Side}LowerArm", "{side}LowerArm"),
    "Hand": ("mixamorig:{Side}Hand", "hand_{s}", "{Side}Hand", "{side}Hand"),
    "Thigh": ("mixamorig:{Side}UpLeg", "thigh_{s}", "{Side}UpperLeg", "{side}UpperLeg"),
    "Shin": ("mixamorig:{Side}Leg", "calf_{s}", "{Side}LowerLeg", "{side}LowerLeg"),
    "Foot": ("mixamorig:{Side}Foot", "foot_{s}", "{Side}Foot", "{side}Foot"),
    "Toes": ("mixamorig:{Side}ToeBase", "ball_{s}", "{Side}Toes", "{side}Toes"),
}
"""Names of the biped's bones in Mixamo, Unreal's mannequin, Unity's humanoid and VRM."""


def rename_bones(names: tuple[str, ...], naming: str) -> tuple[str, ...]:
    """Names of a template's bones in a naming convention; bones that it does not know keep theirs, in its style."""
    if naming not in NAMINGS:
        raise ConfigError(f"There is no naming '{naming}'; there are {', '.join(NAMINGS)}.")
    if naming == "gambol":
        return names
    column = NAMINGS.index(naming) - 1
    result = []
    for name in names:
        bone, left, right = name.removesuffix(".L").removesuffix(".R"), name.endswith(".L"), name.endswith(".R")
        pattern = BIPED_NAMES[bone][column] if bone in BIPED_NAMES else _in_style(bone, naming, left or right)
        side = "Left" if left else "Right"
        result.append(pattern.format(Side=side, side=side.lower(), s=side[0].lower()))
    return tuple(result)


def _in_style(bone: str, naming: str, sided: bool) -> str:
    """Name pattern of a bone that only animals have, in the style of a naming convention."""
    if naming == "mixamo":
        return f"mixamorig:{{Side}}{bone}" if sided else f"mixamorig:{bone}"
    if naming == "unreal":
        return f"{bone.lower()}_{{s}}" if sided else bone.lower()
    first = bone if naming == "unity" else bone[0].lower() + bone[1:]
    return (f"{{Side}}{bone}" if naming == "unity" else f"{{side}}{bone}") if sided else first
