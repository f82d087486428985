"""Words whose manner of moving is given by hand, from which the style head learns all others."""

from __future__ import annotations

from collections.abc import Mapping

from gambol.priors.embedded.text.style_words import WORD_AXES

_GROUPS = (
    (
        "tempo -0.8 stride -0.2 exaggeration -0.1",
        "slowly slow unhurriedly leisurely gradually ploddingly",
    ),
    (
        "tempo -1 stride -0.3 bounce -0.3 exaggeration -0.2",
        "sluggishly sluggish lethargically lethargic",
    ),
    (
        "tempo 0.8 stride 0.3",
        "quickly quick fast rapidly rapid swiftly swift speedily speedy briskly brisk",
    ),
    (
        "tempo 1 stride 0.3 wander 0.2",
        "hastily hasty hurriedly hurried frantically frantic hectically rushed haste hurry",
    ),
    (
        "tempo -0.5 stride -0.4 bounce -0.6 exaggeration -0.5 lift -0.4 crouch 0.3 head -0.9",
        "sadly sad sorrowfully sorrowful mournfully mournful gloomily gloomy miserably miserable dejectedly "
        "dejected unhappily unhappy depressed depressedly sadness sorrow grief melancholy heartbroken "
        "despairingly woefully downcast",
    ),
    (
        "tempo -0.6 stride -0.5 bounce -0.5 exaggeration -0.5 lift -0.7 crouch 0.4 head -0.7",
        "tired tiredly wearily weary exhausted exhaustedly fatigued sleepily sleepy drowsily drowsy exhaustion "
        "fatigue weakly weak feebly feeble worn",
    ),
    (
        "tempo 0.4 stride 0.2 bounce 0.7 exaggeration 0.7 lift 0.4 head 0.4",
        "happily happy joyfully joyful cheerfully cheerful gladly glad merrily merry joyously joyous joy "
        "happiness delight gleefully gleeful jolly blissfully",
    ),
    (
        "tempo 0.5 bounce 0.9 exaggeration 0.8 lift 0.5 wander 0.3",
        "excitedly excited enthusiastically enthusiastic eagerly eager exuberantly exuberant playfully playful "
        "excitement enthusiasm giddily giddy",
    ),
    (
        "bounce 1 lift 0.6 exaggeration 0.4 tempo 0.1",
        "bouncily bouncy springily springy jauntily jaunty perkily perky peppy",
    ),
    (
        "tempo 0.5 stride 0.3 bounce 0.5 exaggeration 0.6 lift 0.4",
        "energetically energetic vigorously vigorous lively spiritedly spirited dynamically dynamic energy vigour "
        "vitality",
    ),
    (
        "tempo -0.2 stride 0.2 exaggeration 0.4 lift 0.2 crouch -0.3 head 0.8",
        "proudly proud haughtily haughty arrogantly arrogant smugly smug pompously pompous pride vainly "
        "boastfully triumphantly",
    ),
    (
        "tempo -0.4 stride 0.4 bounce -0.2 exaggeration 0.2 lift 0.3 head 0.7",
        "majestically majestic regally regal nobly noble royally stately grandly imposingly dignified solemnly "
        "ceremoniously",
    ),
    (
        "stride 0.3 exaggeration 0.3 head 0.5 width 0.2",
        "confidently confident boldly bold bravely brave courageously courageous fearlessly fearless heroically "
        "confidence courage",
    ),
    (
        "tempo 0.3 stride 0.2 exaggeration 0.6 lift 0.3 crouch 0.2 width 0.3 head -0.2",
        "angrily angry furiously furious irately irate wrathfully rage anger fury ragingly enraged mad madly "
        "grumpily grumpy",
    ),
    (
        "tempo 0.5 stride 0.4 exaggeration 0.8 crouch 0.4 width 0.4",
        "aggressively aggressive fiercely fierce violently violent savagely savage viciously vicious brutally "
        "brutal ferociously ferocious menacingly menacing threateningly",
    ),
    (
        "tempo 0.2 stride -0.5 bounce -0.2 exaggeration 0.1 crouch 0.3 wander 0.9 head -0.1",
        "nervously nervous anxiously anxious worriedly worried restlessly restless uneasily uneasy jittery "
        "fidgety agitated agitatedly tensely tense paranoid",
    ),
    (
        "tempo -0.3 stride -0.6 exaggeration -0.5 lift -0.2 crouch 0.4 head -0.5 width -0.2 wander 0.4",
        "timidly timid shyly shy meekly meek bashfully bashful hesitantly hesitant submissively humbly humble "
        "hesitation",
    ),
    (
        "tempo 0.3 stride -0.4 crouch 0.6 wander 0.8 head -0.2 exaggeration 0.2",
        "fearfully fearful frightened scared terrified afraid fear panic panicky terror scaredly cowardly",
    ),
    (
        "tempo -0.3 stride 0.1 bounce -0.8 exaggeration 0.4 lift 0.4 width 0.6 head -0.2",
        "heavily heavy ponderously ponderous massively weightily cumbersome bulky",
    ),
    (
        "tempo 0.2 bounce 0.3 lift 0.3 exaggeration -0.1 width -0.3",
        "lightly light nimbly nimble airily airy featherlight agilely agile lightfooted",
    ),
    (
        "tempo -0.3 stride -0.2 bounce -0.2 exaggeration 0.5 width 0.7 wander 0.8 asymmetry 0.7 head -0.3",
        "drunkenly drunk tipsily tipsy intoxicated unsteadily unsteady dizzily dizzy woozily staggering groggily "
        "groggy wobbly",
    ),
    (
        "tempo -0.7 stride -0.7 bounce -0.5 exaggeration -0.5 lift -0.7 crouch 0.7 head -0.5 wander 0.1",
        "old elderly aged frail frailly senile ancient geriatric decrepit hunched",
    ),
    (
        "tempo -0.5 stride -0.3 bounce -0.6 exaggeration -0.3 crouch 0.9 lift 0.2 head -0.2 wander 0.3",
        "sneaky sneakily stealthily stealthy furtively furtive secretly covertly secretively slyly sly silently "
        "quietly quiet",
    ),
    (
        "tempo -0.5 stride -0.4 bounce -0.3 exaggeration -0.3 lift 0.3 crouch 0.2 wander 0.3",
        "carefully careful cautiously cautious warily wary gingerly tentatively caution care suspiciously",
    ),
    (
        "stride -0.1 bounce 0.3 exaggeration 0.6 lift 0.4 width 0.6 wander 0.5 asymmetry 0.5",
        "clumsily clumsy awkwardly awkward gawky ungainly uncoordinated goofily goofy gracelessly bumbling",
    ),
    (
        "tempo -0.1 stride 0.1 bounce -0.2 exaggeration 0.2 lift 0.1 width -0.6 head 0.4",
        "elegantly elegant gracefully graceful grace elegance daintily dainty poised femininely",
    ),
    (
        "tempo -0.5 stride -0.3 bounce -0.4 exaggeration -0.5 lift -0.6 head -0.3",
        "lazily lazy idly languidly languid lackadaisically indolently apathetically apathetic unmotivated bored "
        "boredly boredom listlessly",
    ),
    (
        "bounce -0.8 exaggeration -0.9 lift -0.1 wander -0.8 stride -0.2",
        "stiffly stiff rigidly rigid woodenly mechanically mechanical robotically robotic frozen",
    ),
    (
        "asymmetry 1 tempo -0.3 stride -0.4 lift -0.2",
        "limping lopsidedly lopsided injured injuredly crippled unevenly uneven wounded painfully lame lamely",
    ),
    (
        "tempo -0.2 bounce -0.2 exaggeration -0.3 wander -0.5",
        "calmly calm peacefully peaceful serenely serene tranquilly tranquil quiescently composedly composed",
    ),
    (
        "tempo -0.2 bounce 0.1 exaggeration 0.2 wander 0.2 width 0.1",
        "relaxed relaxedly casually casual nonchalantly nonchalant laidback carefree coolly cool",
    ),
    (
        "exaggeration 1 lift 0.4 stride 0.3",
        "dramatically dramatic exaggeratedly exaggerated theatrically theatrical expressively expressive "
        "flamboyantly flamboyant extravagantly",
    ),
    (
        "exaggeration -0.8 bounce -0.4 lift -0.3",
        "subtly subtle restrainedly restrained modestly minimal reserved discreetly",
    ),
    (
        "stride -0.3 tempo -0.3 exaggeration -0.4 bounce -0.3",
        "gently gentle softly soft tenderly tender delicately delicate",
    ),
    (
        "tempo 0.4 exaggeration 0.9 bounce 0.6 wander 0.8 width 0.3",
        "wildly wild crazily crazy chaotically chaotic insanely hysterically erratically erratic manically",
    ),
    (
        "tempo 0.1 stride 0.2 exaggeration 0.4 width 0.3",
        "strongly strong powerfully powerful forcefully forceful mightily mighty",
    ),
    (
        "lift 1 bounce 0.2",
        "high-stepping prancing prancingly",
    ),
    (
        "crouch 1 head -0.3",
        "crouched crouching low ducked stooped",
    ),
    (
        "width 0.9",
        "wide-legged straddling bowlegged",
    ),
    (
        "head 1",
        "upright erect erectly",
    ),
    (
        "wander 1 tempo -0.1",
        "distractedly distracted absentmindedly curiously curious inquisitively dreamily aimlessly confusedly "
        "confused searchingly",
    ),
    (
        "wander -0.7 tempo 0.2 exaggeration -0.1",
        "focused determinedly determined purposefully purposeful resolutely concentrated steadily steady determination",
    ),
    (
        "tempo 0.1 stride 0.3 exaggeration 0.6 bounce 0.5 wander 0.2",
        "swaggering cockily cocky funkily groovy sassily",
    ),
    (
        "exaggeration 0.5 bounce 0.4 width 0.2 wander 0.3",
        "comically comical funny funnily sillily silly ridiculously",
    ),
)
"""Deviations in half ranges, and the words that stand for them."""
NO_STYLE = (
    "red", "blue", "green", "brown", "black", "white", "grey", "golden", "furry", "hairy", "spotted",
    "striped", "wooden", "metal", "plastic", "stone", "medieval", "modern", "french", "german", "american",
    "chinese", "african", "royal", "local", "national", "digital", "chemical", "electric", "political",
    "married", "single", "rich", "poor", "beautiful", "pretty", "ugly", "handsome", "cute", "wise", "clever",
    "stupid", "tall", "fat", "thin", "round", "square", "hungry", "thirsty", "evil", "strange", "lonely",
    "friendly", "famous", "tiny", "second", "first", "last", "next", "recently", "yesterday", "today",
    "tomorrow", "soon", "already", "always", "often", "sometimes", "never", "usually", "finally", "probably",
    "maybe", "perhaps", "certainly", "really", "actually", "nearby", "outside", "inside", "upstairs",
    "forward", "forwards", "backwards", "ahead", "away", "together", "alone", "here", "there", "somewhere",
    "everywhere", "twice", "once", "again", "suddenly", "immediately", "eventually", "only", "also", "even",
    "too", "home", "north", "south", "east", "west", "left", "right", "early", "late", "daily", "weekly",
    "family", "belly", "ally", "supply", "italy", "butterfly", "fly", "jelly", "bully", "holy", "lily",
    "rally", "directly", "straight", "along", "around", "still", "barely", "nearly", "walking", "runs",
    "walks", "run", "jump", "jumps", "dance", "kick", "punch", "wave", "eat", "bite", "standing", "sitting",
    "turns", "turn", "march", "sword", "ball", "tree", "house", "forest", "river", "street", "castle", "room",
    "king", "queen", "soldier", "knight", "robot", "fox", "dog", "horse", "dragon", "rain", "snow", "sun",
    "moon", "night", "morning", "day", "winter", "garden", "field", "hill", "mountain", "sea", "water",
    "fire", "ground", "floor", "grass", "camera", "film", "video", "stage", "music", "hands", "legs", "arms",
    "head", "tail", "wings", "feet", "male", "female", "adult", "loop", "cycle", "anim", "root", "motion",
    "idle", "pose", "full", "long", "short", "normal", "natural", "neutral", "default", "regular", "ordinary",
    "usual", "plain", "simple", "standard", "big", "small", "little", "young", "new", "good", "bad", "nice",
    "great",
    "down", "up", "away", "off", "over", "high", "steps", "all", "out", "back", "sideways",
)  # fmt: skip
"""Words that say nothing about the manner of moving."""


def style_examples() -> Mapping[str, tuple[float, ...]]:
    """Numbers along `WORD_AXES` of every word of the groups."""
    found: dict[str, tuple[float, ...]] = {}
    for numbers, words in _GROUPS:
        fields = numbers.split()
        given = dict(zip(fields[::2], map(float, fields[1::2]), strict=True))
        found |= dict.fromkeys(
            (word.replace("-", " ") for word in words.split()), tuple(given.get(axis, 0.0) for axis in WORD_AXES)
        )
    return found
