"""Words of the motions of people."""

from __future__ import annotations

from gambol.training.text.wording import Wording, wording

PEOPLE_WORDINGS: dict[str, Wording] = {
    "punch": wording(
        "punch; punch; throw a punch; punch with one hand; punch forward; punch the enemy; punch hard",
        "give a punch; punch someone in the face; punch straight ahead; punch the air; punch the wall; "
        "throw a left hook; throw a right hook; give a knuckle sandwich",
        "punch; punching; punch left; punch right; straight punch; punch attack; hook punch; cross punch; "
        "punch A; unarmed melee attack punch A; melee punch; hook; punch enter",
        "a punch is thrown by {the}",
    ),
    "wave": wording(
        "wave; wave; wave with one arm; wave one hand; wave its hand",
        "wave to the audience; wave its arm; wave to someone; wave its hand in the air; "
        "move its hand from side to side; wave for help; wave at the camera; wave back; "
        "swing its raised hand from side to side; wave a handkerchief; wave its paw; bid farewell with its hand; "
        "wave down a taxi; hail a taxi; wave a flag; raise its hand and wave",
        "wave; waving; wave hand; hand wave; wave loop; bye; waving idle; emote wave; wave left; wave right; hi",
    ),
    "point": wording(
        "point; point; point at something; point forward; point its finger; point ahead; point with one arm; "
        "point to the sky",
        "show which way to go; indicate the way; show the direction with its arm; show the way with its arm; "
        "point to the door; point out the way; stretch out its arm and point; point at the enemy; "
        "indicate the direction; aim its finger; point with its finger; gesture towards the horizon; "
        "point to a star; point at the map; indicate something with its hand; aim a gun; aim at the target; "
        "point a gun; direct attention to something; point to the left; point to the right; "
        "accuse someone with its finger; extend its arm towards the goal; aim with a pistol",
        "point; pointing; point forward; pointing gesture; point finger; point at; pointing forward; point loop; "
        "aim; aiming; aim pistol; pistol aim neutral; idle gun pointing; point right; point left; emote point; "
        "ranged aiming",
    ),
    "clap": wording(
        "clap; clap; clap its hands; clap its hands together; clap along; clap loudly",
        "applaud; give applause; clap to the beat; applaud the show; clap for the singer; "
        "give a round of applause; strike its palms together; slap its hands together; clap after the concert; "
        "applaud the speaker; put its hands together; clap in time with the music; hit its palms together; "
        "clap with joy; applaud the performance; bring its palms together repeatedly",
        "clap; clapping; clap hands; applause; applaud; clap loop; hand clap; standing clap; sitting clap; "
        "clapping hands; emote clap",
        "{the} in the audience applauds",
    ),
    "raise hands": wording(
        "raise both hands; raise its hands; put its hands up; raise its arms; lift both arms; "
        "raise both arms above its head; hold its hands up",
        "cheer; surrender; celebrate; put up its hands; throw its arms up; throw its hands in the air; "
        "lift its hands over its head; hold both arms in the air; celebrate a victory; rejoice with raised arms; "
        "stretch both arms to the sky; give up with hands in the air; lift both hands to the sky; "
        "cheer for the team; reach for the sky; reach up with both hands; raise its arms in triumph; "
        "hold its arms high; do a victory pose; hold up both hands; cheer with both arms; "
        "put its arms up in the air; raise its arms overhead",
        "raise hands; hands up; arms up; raise arms; cheer; cheering; victory; surrender; celebrate; "
        "both hands up; hands raised; hands in the air; victory pose; raise both arms; arms raised; win; "
        "celebration; arms overhead; jump cheer; triumph",
    ),
    "bow": wording(
        "bow; bow; take a bow; bow down; bow deeply; bow to the audience; make a bow; bow its head",
        "bend forward in respect; curtsy; make a curtsy; bow before the king; bend at the waist; "
        "bow to the queen; bow politely; greet with a bow; bow in thanks; bow at the end of the show; bow low; "
        "bend forward; lean forward and straighten up; pay its respects with a bow; bow like a butler; bend over; "
        "make a deep bow; bow to its opponent; bow in the japanese way; stoop",
        "bow; bowing; take a bow; formal bow; quick bow; bow loop; curtsy; bow down; japanese bow; respect bow; "
        "emote bow; bend forward; deep bow; informal bow",
    ),
    "nod": wording(
        "nod; nod; nod its head; nod yes; nod in agreement; give a nod; nod several times",
        "agree silently with its head; signal yes with its head; say yes with its head; agree with a nod; "
        "nod its approval; move its head up and down; nod to a friend; nod politely; bob its head up and down; "
        "nod along; nod to say yes; confirm with a nod; nod gently; nod in understanding; tip its head; "
        "shake its head yes; nod at the question; approve with a nod; bob its head to the music; nod off; "
        "give its consent with its head",
        "nod; nodding; nod yes; head nod; head nod yes; yes; nod head; nod loop; agree; agreeing; nod agreement; "
        "head bob; hard head nod; thoughtful head nod; emote yes; acknowledging",
    ),
    "box": wording(
        "box; box; shadow box; fight with its fists; throw punches; punch again and again; box like a boxer",
        "spar; train boxing; box with a sparring partner; throw a combination of punches; "
        "throw a flurry of punches; fight in the ring; punch left and right; practice boxing; "
        "hit the punching bag; do shadow boxing; exchange blows in the ring; brawl; "
        "punch with both hands in turn; work the heavy bag; rain punches on its opponent; trade punches; "
        "fight bare knuckle; have a fist fight; box in the ring; fight an opponent with its fists; "
        "punch a sandbag again and again; punch with alternating hands; box a few rounds",
        "box; boxing; shadow boxing; boxing combo; fist fight; boxing idle; box loop; punch combo; punching bag; "
        "sparring; boxing cycle; punches; fight; combo punch; fighting; boxing stance; double punch",
    ),
    "throw": wording(
        "throw; throw a ball; throw a stone; throw something; throw a spear; throw overhand; throw the ball far; "
        "throw a grenade",
        "toss a ball; hurl a rock; pitch a baseball; fling a stone; cast a net; lob a grenade; sling a stone; "
        "toss something away; throw a snowball; throw a javelin; pitch; hurl a spear; throw a frisbee; "
        "chuck a stone; toss a coin; throw a dart; throw a knife; throw a rope; throw the bottle away; "
        "cast a fishing line; heave a boulder; pass the ball with one hand; throw a stick for the dog; "
        "throw a bomb; throw a pass; shoot a basketball; bowl a ball; launch a paper plane; throw an axe",
        "throw; throwing; throw ball; toss; throw attack; throw object; throw grenade; pitch; baseball pitch; "
        "throw loop; overhand throw; throw spear; toss grenade; goalie throw; throw rock; javelin throw; "
        "football throw; use item throw; hurl",
        "a ball is thrown by {the}; a stone is hurled by {the}; a spear is thrown by {the}",
    ),
    "catch": wording(
        "catch; catch a ball; catch the ball; catch something; catch with both hands; catch a ball in the air; "
        "make a catch",
        "receive a ball; catch a falling apple; catch a frisbee; grab the ball out of the air; catch a pass; "
        "receive a pass; snatch a ball from the air; catch the egg; field a ball; intercept a pass; "
        "catch what is thrown to it; stop the ball with its hands; catch a baseball; catch a bouquet; "
        "take the ball with both hands; catch the keys; save a shot with its hands; grab a flying disc",
        "catch; catching; catch ball; ball catch; catch object; receiver catch; goalkeeper catch; catch loop; "
        "baseball catch; catch high; two hand catch; football catch; receive pass",
        "a ball is caught by {the}; someone throws a ball and {the} catches it; "
        "the falling vase is caught by {the}",
    ),
    "push": wording(
        "push; push; push a box; push something; push against the wall; push forward; push with both hands; "
        "push the door",
        "wheel a stretcher ahead; wheel a cart forward; roll a barrel ahead; push a cart; push a car; shove; "
        "shove the crate; push a heavy box; push the table away; press against the door; push a boulder uphill; "
        "push a wheelbarrow; push a pram; shove someone away; push the sofa; move a crate by pushing; "
        "push the door open; lean against the wall and push; push its opponent away; thrust the crate forward; "
        "shove a wardrobe; push a stroller; push hard; push the button with both hands; heave against the gate; "
        "push a shopping trolley; nudge the crate forward",
        "push; pushing; push loop; push box; push door; shove; push object; push start; push idle; push cart; "
        "pushing cart; push forward; heavy push; push wall",
        "a heavy box is pushed by {the}; a cart is pushed by {the}; the door is pushed open by {the}",
    ),
    "pull": wording(
        "pull; pull; pull a rope; pull something; pull with both hands; pull back; pull hard; pull a box",
        "pull a cart; tug on a rope; drag a box; haul a net; draw the rope in; tug; drag a sack; pull a lever; "
        "pull the door open; tow a boat; drag something heavy; play tug of war; heave a rope; "
        "haul in the fishing net; yank the cord; pull a sled; tug at the rope; pull a heavy box; draw a cart; "
        "drag the chair over; pull the drawer; drag the body away; pull weeds; row a boat; reel in the rope; "
        "pull the curtain; pull the handle",
        "pull; pulling; pull rope; pull loop; pull lever; drag; pull object; pull heavy object; tug; dragging; "
        "pull door; pull back; pull start; pull cart; tug of war",
        "a rope is pulled by {the}; a heavy sack is dragged by {the}; the door is pulled open by {the}",
    ),
    "pick up": wording(
        "pick up; pick something up; pick up a stone; pick up a box; pick up an object from the ground; "
        "pick it up; pick a coin up",
        "lift a box from the ground; bend down and take something; grab something off the floor; "
        "collect a coin from the ground; pick flowers; gather mushrooms; lift something from the floor; "
        "pick up a coin; pick up the keys from the floor; pick up trash; bend down to grab a stone; "
        "take an object from the ground; gather wood; pick up the sword; retrieve an arrow from the ground; "
        "scoop up the puppy; harvest potatoes; reach down for a coin; lift a heavy box; "
        "collect shells from the beach; loot; pick up the ball; take something off the floor; pick berries; "
        "pick up the baby; reach down and grab something; stoop to pick up a letter",
        "pick up; picking up; pickup; pick up object; pick up item; pick up ground; pick fruit; gather; "
        "gathering; lift box; pick up table; loot; collect; picking up object; lifting; grab; take item; pick; "
        "harvest; interact pick up",
        "a coin is picked up by {the}; the box is lifted from the ground by {the}; "
        "{the} bends and picks up the hat",
    ),
    "carry": wording(
        "carry a box; carry something; carry a heavy load; walk with a box in its hands; carry; carry a tray; "
        "carry a crate",
        "walk while carrying a box; transport a crate in its arms; bring a tray of food; "
        "carry a child in its arms; lug a suitcase; walk holding something; bear a load; carry a bucket; "
        "carry boxes; hold a box and walk; haul a crate in its arms; carry a barrel; carry a sack; "
        "carry firewood; carry luggage; carry a vase; walk with its hands full; deliver a parcel; "
        "carry the shopping home; serve drinks on a tray; tote a basket; carry a stack of books; "
        "walk with something heavy in its arms; walk with a tray; carry water",
        "carry; carrying; carry box; carry walk; walk carry; carry loop; walking with box; hold walk; box carry; "
        "carry object; walk with object; carry heavy; box walk arms; carry idle; carrying walk",
        "a box is carried by {the}; a heavy sack is carried home by {the}; a tray is carried by {the}",
    ),
    "climb": wording(
        "climb; climb; climb up; climb a ladder; climb a wall; climb a tree; climb up a rope; climb a mountain",
        "climb over the fence; scale a wall; go up a ladder; ascend a ladder; clamber up the rocks; "
        "scale the cliff; climb a rope; climb up the tree; climb the rock face; go rock climbing; "
        "pull itself up the wall; shin up a pole; clamber over the wall; climb higher and higher; "
        "climb the tower; mount a ladder; climb onto the roof; scramble up the cliff; climb up a drainpipe; "
        "go up the rungs; ascend the cliff; work its way up the wall; climb out of a hole; climb a steep rock; "
        "climb hand over hand",
        "climb; climbing; climb ladder; climb up; climb wall; ladder climb; climb rope; climb loop; "
        "climbing up wall; climbing ladder; climb up 1m; climb idle; free climb; braced hang climb; wall climb; "
        "climb start; ladder up",
        "a ladder is climbed by {the}; the mountain is climbed by {the}",
    ),
    "cartwheel": wording(
        "do a cartwheel; cartwheel; turn a cartwheel; perform a cartwheel; do cartwheels; turn cartwheels",
        "do a handspring; flip sideways over its hands; roll sideways over its hands; do an aerial; "
        "wheel over its hands; do a side flip; go heels over head sideways; cartwheel across the lawn; "
        "do a gymnastic cartwheel; turn sideways over its hands",
        "cartwheel; cartwheels; cart wheel; cartwheeling; gymnastics cartwheel; side flip; cartwheel loop; aerial",
    ),
    "roll": wording(
        "roll; roll forward; do a forward roll; roll over; do a somersault; do a roll; dodge roll; "
        "roll on the ground",
        "somersault; turn a somersault; tumble forward; roll head over heels; roll over its back; "
        "make a forward roll; roll out of the way; go head over heels; roll ahead; do a shoulder roll; "
        "roll across the floor; dive and roll; roll into cover; do a gymnastic roll; tumble over; tuck and roll; "
        "roll like a ball; roll over and over; roll to dodge; do a judo roll; flip forward; do a front flip",
        "roll; rolling; roll forward; dodge roll; forward roll; somersault; combat roll; roll loop; front flip; "
        "flip; dodge; evade roll; run to roll; dive roll; sprinting forward roll; tumble; dodge forward; "
        "roll over; backflip",
    ),
    "squat": wording(
        "squat; squat; do squats; squat down; do a squat; squat deeply; do knee bends",
        "bend its knees deeply; crouch down and stand up again; do some squats at the gym; do a knee bend; "
        "crouch; crouch down; exercise its legs with squats; lower its hips and rise again; "
        "lift weights with a squat; go into a deep squat; kneel down; kneel; do air squats; hunker down; "
        "bend its knees and straighten them; duck; duck down; go down on one knee; do twenty squats; "
        "squat with a barbell; crouch behind the wall; dip down with its knees; sink into its knees and rise",
        "squat; squats; squatting; air squat; squat loop; crouch; crouching; crouch idle; knee bends; deep squat; "
        "duck; kneel; kneeling; crouch down; overhead squat; squat exercise; crouched; kneel down; back squat",
    ),
    "jumping jacks": wording(
        "do jumping jacks; do a jumping jack; do star jumps; perform jumping jacks; exercise with jumping jacks",
        "do side straddle hops; jump with arms and legs apart; jump while spreading arms and legs; "
        "do some star jumps; do ten jumping jacks; spread its arms and legs while jumping; "
        "open and close its arms and legs while hopping; do the jumping jack exercise; do a star jump; "
        "clap its hands overhead while jumping with legs apart; do morning exercise with jumping jacks; "
        "warm up with jumping jacks",
        "jumping jacks; jumping jack; star jumps; star jump; jumping jacks loop; jumping jack exercise; jacks; "
        "side straddle hop; jumping jacks workout",
    ),
    "swing sword": wording(
        "swing a sword; swing its sword; slash with a sword; strike with a sword; attack with a sword; "
        "swing an axe; fight with a sword",
        "slash; hack with an axe; cut with a blade; chop with an axe; chop wood; swing a club; "
        "cut down the enemy; slice with a katana; strike down its foe; cleave with its axe; swing its blade; "
        "wield a sword; hit the anvil with a hammer; swing a hammer; fence; brandish a sword; "
        "attack with its weapon; stab with a dagger; split wood; smash with a mace; parry and slash; "
        "thrust its sword; swing a big sword with both hands; deal a sword blow; swing its weapon; "
        "hew at the tree; swing a pickaxe; slash its enemy; swing a stick at someone; deliver a downward cut; "
        "hack at the dragon with a sword; cut the air with its saber; duel with swords",
        "swing sword; sword slash; sword swing; sword attack; slash; slashing; 1H melee attack chop; "
        "1H melee attack slice diagonal; 2H melee attack chop; 1H attack stab; melee attack; axe swing; "
        "sword attack A; downward slash; great sword slash; outward slash; attack sword; chop; stab; "
        "2H melee attack spin; weapon attack; dual wield attack slice; hammer; axe attack; dagger attack; "
        "stable sword outward slash; melee attack downward; club swing; wood chop; tool swing; weapon swing",
        "a sword is swung by {the}; the sword of {the} cuts through the air; an axe is swung by {the}",
    ),
    "swing golf club": wording(
        "swing a golf club; play golf; hit a golf ball; make a golf swing; tee off; golf; drive a golf ball",
        "take a golf shot; take a shot on the golf course; do a golf swing; practice its golf swing; "
        "swing a golf club on the green; hit the ball down the fairway; putt; drive off the tee; "
        "play a round of golf; hit a golf shot; strike a golf ball with an iron; make a golf putt; "
        "chip a golf ball onto the green; go golfing; swing its driver; play eighteen holes; "
        "knock a golf ball into the hole; take a swing with a golf club; hit a drive",
        "swing golf club; golf swing; golf; golf drive; golf putt; golfing; golf chip; golf tee shot; "
        "golf club swing; golf shot; golf loop; golf pre putt; tee off; golf bad shot",
        "a golf ball is hit by {the}; {the} on the golf course swings",
    ),
    "dribble": wording(
        "dribble; dribble a ball; dribble a basketball; dribble the basketball; bounce a ball; dribble forward",
        "bounce a basketball; bounce a ball on the floor; bounce the ball with one hand; dribble down the court; "
        "pat a ball on the ground; play with a basketball; dribble past the defender; keep the ball bouncing; "
        "handle the ball on the court; dribble a ball with its hand; bounce the ball again and again; "
        "practice dribbling; tap the ball to the floor; dribble up the court; dribble between its legs; "
        "bounce a rubber ball on the pavement; run with a bouncing ball",
        "dribble; dribbling; basketball dribble; dribble ball; ball bounce; dribble loop; bounce ball; "
        "basketball; dribble idle; dribble run; dribbling basketball; dribble left hand; ball dribble",
        "a ball is bounced by {the}; the basketball is dribbled by {the}",
    ),
    "laugh": wording(
        "laugh; laugh; laugh out loud; laugh heartily; burst out laughing; laugh at a joke; have a laugh",
        "giggle; chuckle; crack up; roar with laughter; laugh its head off; shake with laughter; "
        "break into laughter; cackle; snicker; laugh till it cries; howl with laughter; double up laughing; "
        "titter; guffaw; find something funny; hold its belly laughing; laugh until its sides hurt; be amused; "
        "burst into laughter; snigger; laugh at the clown; chortle; fall about laughing; crow with laughter",
        "laugh; laughing; laugh loop; giggle; evil laugh; sitting laughing; standing laugh; chuckle; emote laugh; "
        "laugh hard; laughter",
    ),
    "salute": wording(
        "salute; salute; give a salute; salute the flag; salute the general; make a salute; salute like a soldier",
        "give a military salute; raise its hand to its forehead; greet the officer with a salute; touch its cap; "
        "touch its forehead with its hand; put its hand to its brow; stand at attention and salute; "
        "hold its hand to its temple; salute its commander; salute its superior; raise its hand to its cap; "
        "report to the captain with a salute; lift its hand to its helmet; pay military honours; tip its hat",
        "salute; saluting; military salute; salute loop; soldier salute; salute officer; salute idle; "
        "emote salute; hand to forehead",
    ),
    "talk": wording(
        "talk; talk; talk with its hands; speak; talk to someone; have a conversation; tell a story; "
        "talk on the phone",
        "chat; explain something; gesticulate; give a speech; argue; discuss something; converse; "
        "speak to the crowd; lecture; preach; talk and gesture; gesture while speaking; chatter; hold a speech; "
        "describe something with its hands; talk with a friend; have a chat; tell a joke; debate; negotiate; "
        "deliver a speech; address the audience; make conversation; recount its adventures; gossip; "
        "speak with its hands; explain a plan; answer a question; shrug; teach a class; present its ideas",
        "talk; talking; talk loop; talk idle; conversation; idle talking; speech; explain; arguing; speaking; "
        "gesture; talking A; talk gesture; chat; standing talking; standing arguing; emote talk; "
        "idle talking loop; telling a secret; phone talking",
    ),
    "zombie walk": wording(
        "walk like a zombie; walk like an undead; do a zombie walk; "
        "walk with its arms stretched out like a zombie; walk like a mummy",
        "sleepwalk through the hall; stagger on with outstretched arms; shamble like a zombie; "
        "stagger like the undead; move like a zombie; walk with both arms out in front; "
        "stumble along like a zombie; sleepwalk; walk like frankenstein; walk like a living dead; "
        "shuffle like a zombie; drag itself along like a zombie; walk in a trance with its arms out; "
        "sleepwalk with outstretched arms; walk stiffly with its arms stretched ahead; shamble with arms out; "
        "lurch like a zombie; walk like a dead man; walk with outstretched arms; walk like the walking dead; "
        "shuffle undead",
        "zombie walk; zombie; zombie walking; walk zombie; zombie shamble; undead walk; zombie walk loop; "
        "zombie walk fwd loop; mummy walk; zombie stumbling; walking dead; sleepwalk; zombie forward; "
        "monster walk; skeletons walking; frankenstein walk",
        "a zombie walks; the zombie is walking; the undead walks; a zombie approaches slowly; "
        "the mummy walks with arms ahead",
    ),
    "old walk": wording(
        "walk like an old man; walk like an old woman; do an old walk; walk like an old person; "
        "walk with a bent back; walk hunched over",
        "hobble along bent over; walk bent by age; walk as if it were very old; shuffle along with a bent back; "
        "walk like a grandfather; walk like a grandmother; walk with a cane; hobble along like an old man; "
        "shuffle like an old man; walk with a stoop; walk bent over with a walking stick; walk frailly; "
        "walk with short old steps; totter along with age; walk like someone ninety years old; dodder along; "
        "shuffle with old bones; walk with a hunched back; walk stooped with age; lean on a cane while walking; "
        "walk like a granny; walk feebly with age",
        "old walk; old man walk; elderly walk; walk old; old lady walk; grandpa walk; granny walk; walking old; "
        "old person walk; hunched walk; walk hunched; elderly walking; walk cane; senior walk",
        "an old man walks; an old woman is walking; an elderly man walks slowly; grandma walks; "
        "a grandfather is walking; an elderly lady is walking; a hunched old man walks; "
        "an aged man walks with a stick; the old man is walking; an elderly person walks; "
        "an old wizard walks with a staff",
    ),
    "drunk walk": wording(
        "walk drunkenly; walk like a drunk; walk drunk; do a drunk walk; stagger drunkenly; "
        "walk like a drunk man; be drunk and walk",
        "stagger home from the pub; sway and stagger; walk while intoxicated; stagger from side to side; "
        "reel like a drunkard; walk tipsily; stumble along drunk; walk unsteadily from side to side; "
        "sway from side to side while walking; walk after too many beers; lurch along drunk; zigzag home drunk; "
        "walk dizzily; totter drunkenly; wobble from side to side while walking; stumble out of the bar; "
        "weave along the street drunk; walk home wasted; walk as if it had too much wine; stagger with dizziness; "
        "walk hammered",
        "drunk walk; walk drunk; drunk; drunk walking; drunken walk; drunk walk forward; stagger; drunk stagger; "
        "drunk loop; tipsy walk; staggering; stumble walk; drunk run forward; walk dizzy; drunk idle walk",
        "a drunk man walks; the drunkard is walking home; a drunken sailor walks; a drunk walks home; "
        "an intoxicated man walks",
    ),
    "proud walk": wording(
        "walk proudly; strut; do a proud walk; walk with its chest out; walk with pride; walk like a king; "
        "walk with its head held high",
        "stride with its chest puffed out; walk with its chest puffed out; strut along; swagger; "
        "walk with a swagger; walk with its nose in the air; parade its pride; walk haughtily; walk confidently; "
        "swagger along; strut like a peacock; walk like a boss; walk with great confidence; walk arrogantly; "
        "walk self assuredly; stride proudly with swinging arms; walk like a model on the catwalk; "
        "puff up its chest while walking; walk regally; walk like a champion; walk pompously; walk cockily; "
        "walk triumphantly; walk majestically; walk boastfully; walk like a winner",
        "proud walk; strut; strut walking; swagger; walk proud; strut walk; swagger walk; confident walk; "
        "walking proud; cocky walk; macho walk; boss walk; catwalk; king walk; swaggering; arrogant walk; "
        "walk confident",
        "a proud king walks with his chest out",
    ),
    "heavy walk": wording(
        "walk heavily; stomp along; do a heavy walk; walk with heavy steps; walk like a giant; trudge heavily; "
        "walk with stomping feet",
        "lumber along; tramp along with heavy feet; walk with great weight; plod along heavily; walk ponderously; "
        "walk like an elephant; walk with thundering steps; thunder along on heavy feet; trudge; stump along; "
        "walk like an ogre; walk as if it weighed a ton; shake the ground with each step; walk with leaden feet; "
        "walk in heavy armour; clomp along; walk cumbersomely; thud along; walk with stamping steps; "
        "walk like a golem; plod like an ox; walk like a sumo wrestler; tread heavily",
        "heavy walk; walk heavy; giant walk; stomp walk; heavy walking; lumbering walk; walking heavy; ogre walk; "
        "heavy steps walk; golem walk; troll walk; big walk; walk stomp; tank walk; brute walk; trudge",
        "each step of {the} is heavy; {the} shakes the earth with its steps",
    ),
}  # fmt: skip
"""Words of each motion, by its name."""
