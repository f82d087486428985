"""Words of the motions of all bodies with legs."""

from __future__ import annotations

from gambol.training.text.wording import Wording, wording


def _turning(side: str) -> Wording:
    """Return the words of a turn to one side."""
    return wording(
        f"turn {side}; turn to the {side}; turn to its {side} side; turn {side}; turn around to the {side}; "
        f"walk while turning {side}; rotate to the {side}; make a turn to the {side}; make a {side} turn",
        f"swing round to the {side}; walk in a circle to the {side}; take a {side} at the corner; "
        f"turn its body {side}; run around the corner to the {side}; walk and turn {side}; circle to the {side}; "
        f"walk around to the {side}; go {side}; turn the corner {side}; revolve to the {side}",
        f"turn {side}; {side} turn; turn {side} 90; turn to the {side}; {side} turn in place; run turn {side}; "
        f"walk turn {side}; turn 45 {side}; turn {side[0]}; rotate {side}; walk arc {side}; idle turn {side}",
    )


def _sidestep(side: str) -> Wording:
    """Return the words of steps to one side."""
    return wording(
        f"sidestep {side}; sidestep to the {side}; step sideways to the {side}; step to the {side}; strafe {side}; "
        f"walk sideways to the {side}; strafe to the {side}",
        f"side step {side}; take a step to the {side}; shuffle sideways to the {side}; "
        f"move sideways to the {side}; step aside to the {side}; shuffle {side}; crab walk to the {side}; "
        f"scuttle sideways to the {side}; dodge to the {side}; dodge {side}; step {side}; "
        f"take side steps to the {side}; walk sideways {side}; slide to the {side}; run sideways to the {side}; "
        f"evade to the {side}; go sideways to the {side}; move laterally to the {side}; "
        f"make a lateral step to the {side}; walk to the {side} while facing forward; shift to the {side}; "
        f"hop sideways to the {side}; move crabwise to the {side}",
        f"sidestep {side}; side step {side}; strafe {side}; {side} strafe; walk strafe {side}; step {side}; "
        f"{side} sidestep; shuffle {side}; dodge {side}; run strafe {side}; {side} side step; sidewalk {side}; "
        f"strafe {side} walk; walk {side} strafe; sideways {side}",
    )


LEGGED_WORDINGS: dict[str, Wording] = {
    "idle": wording(
        "idle; stand; stand still; stand idle; breathe; stand while breathing; be idle; stand around",
        "stand in place; stand quietly; hold still; stand at ease; be standing still; stand there; "
        "shift its weight; keep standing; just stand; stand on the spot; stand upright; be standing; be still",
        "idle; idle pose; stand; standing idle; stand still; breathing idle; idle loop; idle 2; standing; idle A; "
        "combat idle; idle breathe; idle neutral; unarmed idle; 2H melee idle; idle gun; idle sword; idle hold",
        "{the} in a neutral standing pose",
    ),
    "walk": wording(
        "walk; walk; walk; go for a walk; go at a walk; take steps; step forward; walk forward; walk along; "
        "walk around",
        "go on foot; take a walk; make its way; head home; go on its way; walk ahead; walk away; walk off; "
        "walk past; approach on foot; take a few steps; walk up to the house; put one foot before the other; "
        "walk on its four legs; walk towards the camera; walk over; walk straight; come walking; walk to work; "
        "walk about",
        "walk; walk cycle; walking; walk forward; walk loop; walk in place; walking A; walk normal; walk relaxed; "
        "stride; walk F; casual walk; female walk; male walk; catwalk walk; basic walk; walk inplace; "
        "walk up stairs; walk gun",
    ),
    "trot": wording(
        "trot; trot; go at a trot; move at a trot; trot along; trot forward",
        "break into a trot; keep up a trot; ride at a trot; settle into a trot; piaffe",
        "trot; trot cycle; trotting; trot loop; horse trot; trot forward; dog trot; working trot; extended trot",
        "a piaffe by {the}",
    ),
    "run": wording(
        "run; run; run; gallop; jog; go at a gallop; go for a run; go for a jog; run away; run forward; run fast",
        "run for its life; run as fast as it can; go at full gallop; run off; run along; run home; "
        "run after the ball; break into a run; come running; run around; run from danger; go jogging; run across; "
        "gallop away; pursue the enemy; run for cover",
        "run; run cycle; gallop; running; gallop cycle; run forward; jog; jogging; run loop; fast run; slow run; "
        "run in place; run F; jog forward; run gun; run shoot; female run; run normal; jog loop; gallop loop; "
        "run A",
    ),
    "jump": wording(
        "jump; jump; jump up; make a jump; jump forward; jump high",
        "jump over an obstacle; do a jump; jump off the ground; jump down from the wall; jump across the gap; "
        "jump for joy; jump onto the box; take a running jump; jump with both legs; push off the ground; "
        "jump straight up; do a long jump; do a high jump; jump to reach the shelf; jump over a ditch; "
        "jump to the side",
        "jump; jump up; jumping; jump loop; jump start; jump land; jump end; jump idle; jump full short; "
        "jump full long; running jump; long jump; high jump; jump forward; jump in place; jump toidle; run jump; "
        "standing jump",
    ),
    "turn left": _turning("left"),
    "turn right": _turning("right"),
    "sneak": wording(
        "sneak; sneak; sneak up; walk like a sneaking thief; sneak along; sneak forward; sneak past the guard; "
        "sneak around",
        "walk crouched low; stay low and move quietly; move without being seen; approach unnoticed; "
        "walk in secret; stay in the shadows; crouch walk; walk with bent knees and low body; "
        "come up from behind in secret; keep low while walking; walk hunched like a thief",
        "sneak; sneak walk; sneaking; sneak cycle; crouch walk; sneak forward; crouched walking; crouch forward; "
        "walk crouch; sneak loop; crouch walk fwd; walk crouched",
    ),
    "march": wording(
        "march; march; march like a soldier; go on a march; march forward; march along; march in place; "
        "march with high knees",
        "walk in step like a soldier; lift its knees high while walking; walk with high knees; goose step; "
        "march in line; march in time to the drum; march off to war; raise its knees at each step; "
        "take high steps; walk in lockstep; march up and down; march past; be on the march",
        "march; march cycle; marching; soldier march; march loop; high knees; march in place",
    ),
    "limp": wording(
        "limp; limp; walk with a limp; walk with a hurt leg; walk on three legs; limp along; limp away",
        "walk as if its leg is hurt; favour one leg; favor its leg; walk on a hurt foot; walk with one stiff leg; "
        "walk with pain in one leg; hold up one leg; spare one leg while walking",
        "limp; limp walk; limping; hurt walk; limp cycle; walk limp; limp loop; hurt leg walk; walk hurt leg",
    ),
    "dance": wording(
        "dance; dance; dance to music; do a dance; dance in place; do a little dance; dance around; dance along",
        "do a happy dance; move to the music; dance to the beat; breakdance; dance hip hop; dance salsa; "
        "do the twist; dance with its hips; dance at a party; do a victory dance; dance the samba; "
        "perform a dance routine; dance the macarena; move its hips to the music; dance in a club; "
        "dance on the table; do the moonwalk",
        "dance; dancing; dance loop; happy dance; hip hop dance; salsa dance; dance A; house dance; silly dance; "
        "break dance; dance moves; twist dance; samba; robot dance; dance cycle; victory dance; chicken dance; "
        "charleston",
    ),
    "kick": wording(
        "kick; kick; kick with one leg; give a kick; kick high; kick its leg",
        "kick the door; kick out with its hind legs; swing its leg at the enemy; do a high kick; do a front kick; "
        "do a side kick; kick forward; kick someone; kick backwards; kick its opponent; buck; "
        "do a roundhouse kick; kick out; kick hard; kick into the air",
        "kick; kicking; front kick; high kick; kick attack; kick A; roundhouse kick; side kick; "
        "unarmed melee attack kick; soccer kick; kick L; low kick; back kick; hind kick; buck; attack kick",
        "the door is kicked in by {the}",
    ),
    "get hit": wording(
        "get hit; be hit; take a hit; react to a hit; get hit by an arrow; flinch; be hurt",
        "take an arrow to the shoulder; take a blow to the head; be struck by lightning; suffer a hit; "
        "be thrown back by a blast; be hit in the chest; be hit by a stone; get shot; be shot; receive a blow; "
        "recoil; flinch from a blow; take damage; react to a hit; be hit in the face; get punched; "
        "be struck by a ball; get hurt; wince; get slapped; be knocked back; take a punch; "
        "get kicked in the stomach; be wounded; get smacked; jerk back from a blow; be stunned; get stabbed; "
        "be hit by a bullet; react in pain; suffer a blow; get struck; be attacked and flinch; get bumped; "
        "reel back from a hit",
        "get hit; hit react; hit reaction; hit; hit A; hit B; damage; take damage; recieve hit; receive hit; "
        "hurt; impact; hit recieve; hit front; hit left; hit react left; hit react right; flinch; damaged; "
        "got hit; hit to body; head hit; big hit; getting hit; hit from behind; stun",
        "an arrow hits {the}; something hits {the} hard; the blow hits {the}; {the} is hit by the enemy; "
        "the enemy hits {the}; a stone strikes {the}; the bullet hits {the}; ouch",
    ),
    "fall down": wording(
        "fall down; fall; fall over; fall to the ground; die; collapse; fall dead; drop dead",
        "slip on a banana peel; slip on the ice; lose its footing; go to the ground; drop lifeless; tip over; "
        "topple over; keel over; faint; pass out; be killed; trip and fall; lose its balance and fall; "
        "fall on its back; fall on its face; fall flat; crumple to the ground; slip and fall; get knocked down; "
        "be knocked out; collapse on the floor; stumble and fall; drop to the floor; fall backwards; "
        "fall forward; fall unconscious; perish; be slain; sink to the ground dead; die in battle; "
        "crash to the floor; fall over dead; take its last breath; tumble down; go down hard; be shot dead",
        "fall down; death; die; fall; falling; death A; dying; death back; death forward; dead; fall over; "
        "knock down; knockdown; death pose; falling down; fall back; die backwards; trip; defeat; defeated; "
        "death fall; faint; collapse; knocked out",
        "{the} is killed; the death of {the}; {the} falls dead",
    ),
    "hop": wording(
        "hop; hop; hop along; hop forward; hop up and down; hop in place; hop like a bunny; hop on two legs",
        "leap about in tiny jumps; bounce across the lawn; go in tiny leaps; play hopscotch; make little jumps; "
        "jump again and again; keep jumping; bounce up and down; bounce on the spot; skip rope; skip; "
        "jump up and down; hop around; make small hops; go in hops; bounce along; hop on one leg; jump rope; "
        "jump like a frog; jump repeatedly; hop across the meadow; hop over; move in little jumps; bunny hop; "
        "jump like a kangaroo; hop away",
        "hop; hop cycle; hopping; bunny hop; hop loop; jump rope; bounce; bouncing; skip; skipping; rabbit hop; "
        "small hop; hop in place; jump up and down",
    ),
    "look around": wording(
        "look around; look around; look left and right; look about; look to both sides; look around slowly; "
        "look around in all directions",
        "swivel its head; scan the room; turn its gaze to both sides; spy around; "
        "turn its head from side to side; scan the horizon; search the area with its eyes; "
        "look over its shoulder; survey the room; look for something; keep watch; look out for danger; "
        "check its surroundings; glance around; watch out; look from side to side; observe the surroundings; "
        "turn its head left and right; peer around; gaze about; scan the area; look to the left and to the right; "
        "inspect the surroundings; stand guard and look around; turn its head; search around; look behind; "
        "be on the lookout; move its head from left to right; look everywhere; take a look around",
        "look around; looking around; idle look around; look; look left right; look about; looking; scan; "
        "idle search; search; look behind; head turn; look over shoulder; searching; idle looking; guard look; "
        "lookout; alert",
    ),
    "walk backwards": wording(
        "walk backwards; walk backward; back up; back away; step back; go backwards; walk backwards",
        "reverse out; leave backwards; walk in reverse while facing ahead; step away backwards; step backwards; "
        "retreat; move backwards; back off; walk in reverse; go in reverse; take a few steps back; "
        "pace backwards; back away from the fire; take steps backward; back up slowly; shuffle backwards; "
        "reverse; withdraw backwards; back out of the room; run backwards; walk away backwards; move back; "
        "tread backwards",
        "walk backwards; walk back; walk backward; backwards walk; backward walk; walking backwards; step back; "
        "walk B; back up; run backwards; run backward; walk bwd; walk backwards loop; walking backward; retreat; "
        "strafe back; reverse walk",
        "{the} walks with its back first",
    ),
    "sidestep left": _sidestep("left"),
    "sidestep right": _sidestep("right"),
    "turn around": wording(
        "turn around; turn around; turn back; turn round; turn right round; make a half turn; turn 180 degrees",
        "face the other way; make a u turn; do an about face; reverse direction; do a 180; turn to face behind; "
        "spin around; turn its back; turn on its heels; turn to look behind; change direction completely; "
        "turn the other way; turn about; rotate half a turn; turn to the opposite direction; "
        "turn around on the spot; turn around and face the other way; pivot around; swing around; "
        "turn by 180 degrees; make a full turn; spin in a circle; walk back the way it came",
        "turn around; turn 180; turnaround; about face; half turn; turn back; u turn; spin; spin around; "
        "turn round; 180 turn; run turn 180; turn 180 left; pivot turn; quick turn around; turning around; "
        "turn behind",
    ),
    "crawl": wording(
        "crawl; crawl; crawl on hands and knees; crawl forward; crawl along; crawl on all fours; "
        "crawl on the floor",
        "inch forward on its belly; drag itself forward with its arms; creep under a wire; go on its knees; "
        "creep on all fours; go on hands and knees; move on all fours; crawl under the fence; "
        "drag itself along the ground; crawl through a tunnel; crawl on its belly; army crawl; crawl like a baby; "
        "crawl under the table; go on all fours; pull itself along the floor; crawl through the mud; "
        "move close to the ground; crawl to safety; crawl low; move on hands and knees; walk on all fours; "
        "creep along the floor on its stomach; crawl into a cave",
        "crawl; crawling; crawl cycle; crawl loop; crawl forward; baby crawl; army crawl; prone crawl; all fours; "
        "crawl walk; prone forward; low crawl; crawl on belly",
    ),
    "sit down": wording(
        "sit down; sit; sit down on a chair; take a seat; sit on the ground; sit down slowly; be seated; "
        "sit on a chair",
        "slump onto the couch; drop into a chair; plop onto its bottom; sit on the floor; sit on its haunches; "
        "have a seat; sit on a bench; settle into a chair; squat on its haunches; sink into the armchair; "
        "seat itself; plop down on the sofa; sit up and beg; lower itself onto the chair; sit cross legged; "
        "sit on a stone; sit and rest; sit back; be sitting; sit at the table; sit on its hind legs; "
        "sit upon the throne; lower its rear to the ground; sit by the fire; sit like a dog; slump into a seat",
        "sit down; sit; sitting; sitting idle; sit idle; sit chair; sit floor; sit chair down; sit floor down; "
        "stand to sit; sit loop; sitting down; seated; sit A; seated idle; sit start; sit enter; sitting talking; "
        "sit on chair; dog sit",
    ),
    "stand up": wording(
        "stand up; stand up; stand up from a chair; rise from its seat; get up from the chair; "
        "stand up from sitting; stand up straight",
        "leave its chair; get out of its seat; rise from the table; leave its seat; get out of the chair; "
        "rise from the bench; rise from the sofa; stand after sitting; rise to its feet from the chair; "
        "get up from the table; rise out of its seat; stand up from the bench; get up from its seat; "
        "rise from the throne; push itself up from the chair; stand up again; get to its feet from the sofa; "
        "go from sitting to standing; stand up from the stool; end sitting and stand up; "
        "straighten up from the seat; come out of a squat and stand",
        "stand up; sit to stand; standing up; sit chair stand up; sit floor stand up; stand up from chair; rise; "
        "sit end; sit exit; stand up loop; sit stand up; chair stand up; stand from sit",
    ),
    "lie down": wording(
        "lie down; lie down; lie on the ground; lie down to sleep; sleep; lie on its back; go to sleep; "
        "lie down on the floor",
        "sprawl on the bed; lie sprawled on the ground; drop onto the bed; sleep in its bed; lay down; go to bed; "
        "fall asleep; take a nap; lie on its side; curl up to sleep; rest on the ground; "
        "stretch out on the floor; lie flat; lie in the grass; lie down to rest; lie on its belly; "
        "drop to a prone position; lay itself down; doze on the floor; nap; lie on the bed; lie in bed; "
        "be asleep; slumber; settle down on the ground; hit the hay; recline; go prone; lie low on the ground; "
        "have a lie down; lie still; lie stretched out; bed down; snooze",
        "lie down; lying; lying down; lie; sleep; sleeping; lie idle; lay down; lie pose; sleep loop; lie belly; "
        "laying; nap; prone; lie sleep; resting; going to sleep; lie on back; lay; rest lying; sleeping idle; bed",
    ),
    "get up": wording(
        "get up; get up from the ground; rise from the ground; get up off the floor; get back up; "
        "get to its feet; get up again",
        "struggle to its feet; manage to stand again after a fall; come to and rise; leave the bed; "
        "rise to its feet; rise from the floor; pick itself up; get up after a fall; stand up from the floor; "
        "wake up and rise; get back on its feet; recover from a fall; get out of bed; scramble to its feet; "
        "stand up from lying; rise up again; lift itself off the ground; wake up and get up; "
        "stand up after lying down; return to its feet; come back to its feet; push itself up from the floor; "
        "stagger to its feet; jump to its feet; climb to its feet; stand up from the grass; resurrect; "
        "rise from the dead; be revived; stand back up",
        "get up; getting up; lie stand up; lie to stand; stand up from ground; get up front; get up back; "
        "wake up; revive; getup; lie get up; rise from ground; recover; stand up from floor; spawn ground; "
        "resurrect; skeletons awaken floor",
    ),
    "stretch": wording(
        "stretch; stretch; stretch its body; stretch its limbs; have a stretch; stretch its legs; stretch out",
        "loosen up; limber up its legs; reach out and yawn; get the stiffness out of its limbs; stretch its arms; "
        "stretch after sleeping; yawn and stretch; arch its back; stretch its back; extend its limbs; yawn; "
        "do stretching exercises; loosen its muscles; warm up before training; stretch like a cat; "
        "stretch its muscles; stretch sideways; reach up and stretch; do yoga; limber up; stretch in the morning; "
        "bend to touch its toes; flex its body; stretch its arms above its head; stretch its neck; "
        "do warm up exercises",
        "stretch; stretching; stretch loop; arm stretching; yawn; idle stretch; warm up; cat stretch; "
        "stretch arms; leg stretch; warming up; neck stretching; yoga; morning stretch",
    ),
    "shake": wording(
        "shake; shake itself; shake its body; shake its head; shake water off its fur; shiver; shake itself dry",
        "say no with its head; dry itself with a shake; wag its whole body; tremble; shake off the water; quiver; "
        "shudder; shake like a wet dog; shake from head to tail; shiver with cold; toss its mane; "
        "shake its fur dry; shake its whole body; twitch; tremble with fear; shake off the dust; wag its body; "
        "vibrate; wobble; shake dry; shake its mane; convulse; shake out its feathers; shake in the cold; "
        "wiggle its body",
        "shake; shaking; shake loop; shake head; shake body; shiver; shivering; tremble; head shake; "
        "wet dog shake; shake off; trembling; shake dry; shake water; idle shake",
    ),
    "rear up": wording(
        "rear up; rear up; rear up on its hind legs; rear; rise on its hind legs; stand on its hind legs",
        "stand upright on its hind legs; lift its front hooves high; stand tall on its back legs; "
        "rear on its hind legs; lift its front legs; raise its forelegs into the air; rear up like a horse; "
        "go up on its hind legs; rear up in fright; rise up on its back legs; stand up on two legs; "
        "raise its front legs off the ground; do a levade; lift its forelegs off the ground; rear back; "
        "rear up tall; balance on its hind legs; paw the air with its front hooves; stand on its back legs; "
        "raise up on its back feet; raise itself on its hind legs",
        "rear up; rear; rearing; rearing up; rear up loop; horse rear; stand on hind legs; rear attack; "
        "hind legs stand; levade",
    ),
    "roar": wording(
        "roar; roar; howl; roar loudly; let out a roar; howl at the moon; bark; growl; scream",
        "give a roar; bellow; snarl; yell; shout; bark at the stranger; cry out loud; hiss; screech; shriek; "
        "wail at the sky; crow; moo; neigh; whinny; meow; bleat; open its mouth and roar; utter a roar; "
        "roar at the enemy; trumpet; caw; squawk; grunt loudly; give a battle cry; let out a scream; "
        "roar in anger; howl like a wolf; bay at the moon; call out; quack; let out a howl",
        "roar; howl; roaring; bark; growl; scream; roar attack; shout; howling; taunt roar; battle cry; yell; "
        "barking; neigh; mutant roar; zombie scream; roar loop; bellow; call; monster roar",
    ),
    "sniff": wording(
        "sniff; sniff; sniff the ground; sniff around; smell the ground; sniff at the grass; smell something",
        "smell the flowers; follow a scent; track a scent; snuffle; sniff the air; smell the air; "
        "put its nose to the ground; follow a trail with its nose; pick up a scent; smell its food; "
        "sniff at a tree; take a sniff; inhale the scent; nose about; smell at the flower; "
        "search the ground with its nose; scent the trail; get a whiff; sniff out the treasure; nuzzle the ground",
        "sniff; sniffing; sniff ground; smell; smelling; sniff around; sniff loop; idle sniff; smell ground; "
        "sniff the air; scent",
    ),
    "drink": wording(
        "drink; drink; drink water; have a drink; drink from the river; take a drink; drink a cup of tea; "
        "drink from a bottle",
        "sip; lap water; lap up milk; quench its thirst; drink out of a glass; gulp down water; "
        "take a sip of coffee; swallow water; drink beer; sip from a cup; slurp water; guzzle; "
        "drink from the pond; empty a glass; drink a potion; drink at the lake; take a sip; drink from a mug; "
        "swig from the flask; have a cup of coffee; raise the cup to its mouth; drink wine",
        "drink; drinking; drink loop; drink water; sip; drink potion; idle drink; drink idle; drinking coffee; "
        "use item drink; drink cup; drink beer; lapping; drinking water",
        "water is drunk by {the}; a glass of water is emptied by {the}; {the} is thirsty and has some water",
    ),
    "stomp": wording(
        "stomp; stomp; stomp its foot; stamp its foot; stomp on the ground; stamp on the ground; stamp its feet",
        "stamp; paw the ground; bring its foot down hard; stamp its hoof; slam its foot on the ground; "
        "crush a bug with its foot; stomp with one foot; tap its foot; pound the ground with its foot; "
        "stamp on the floor; trample; stomp on a bug; squash it underfoot; tread down hard in place; "
        "thump its foot; pound its hoof; stamp in anger; put its foot down hard; step on a bug; scrape its hoof",
        "stomp; stomping; stomp attack; stamp; foot stomp; ground stomp; stomp foot; stamping; hoof stomp; "
        "stomp loop; stamp foot; attack stomp; tantrum; paw ground",
    ),
    "charge": wording(
        "charge; charge; charge at the enemy; charge forward; charge ahead; charge with its head low; "
        "charge like a bull",
        "go for the enemy; storm at the enemy; attack at full speed; rush head down at someone; ram the gate; "
        "ram into the wall; attack at a run; storm the castle; run with its head down; "
        "run at the enemy head first; make a charge; lower its horns and charge; rush at the enemy; stampede; "
        "storm ahead; rush into battle; charge into battle; run headlong at the foe; attack with lowered horns; "
        "charge the matador; throw itself at the enemy; rush the goal; charge full speed",
        "charge; charging; charge attack; attack charge; bull charge; charge loop; ram attack; ram; "
        "headbutt charge; charge run; rush attack; stampede; horn charge",
    ),
}  # fmt: skip
"""Words of each motion, by its name."""
