"""Words of the motions of animals: with the mouth, on wings, in the water and without legs."""

from __future__ import annotations

from gambol.training.text.wording import Wording, wording

ANIMAL_WORDINGS: dict[str, Wording] = {
    "eat": wording(
        "eat; eat; eat food; eat from the ground; eat grass; eat something; eat a meal; eat up",
        "have a meal; feed on grass; have dinner; eat lunch; eat an apple; have breakfast; eat from a bowl; "
        "eat its food; eat meat; eat leaves; feed; eat a carrot; have a snack; eat bread; eat its prey; "
        "chew its food; eat out of the trough; eat fish; swallow a mouse; take food from the ground; "
        "eat its breakfast; eat its dinner; eat berries",
        "eat; eating; eat loop; eat cycle; eating grass; idle eating; eat food; feed; feeding; eat ground; "
        "sitting eating; eat start; eating loop; idle headlow; eat grass",
        "an apple is eaten by {the}; the grass is eaten by {the}",
    ),
    "bite": wording(
        "bite; bite; attack; attack with a bite; bite the enemy; bite at something; bite someone",
        "attack with its mouth; bite into the leg; bite hard; bite the intruder; attack the hunter; bite down; "
        "attack viciously; bite the postman; bite its tail; go for the throat; attack with its head; "
        "attack an enemy; bite a hand",
        "bite; attack; biting; bite attack; attack bite; attack A; bite front; attack head; attack loop; "
        "attack 1; attack 2; bite normal; basic attack; headbutt; attack front; mouth attack; bite loop; "
        "dog bite; melee bite; claw attack",
        "the hunter is bitten by {the}; someone is bitten by {the}; the enemy is attacked by {the}",
    ),
    "fly": wording(
        "fly; fly; fly up; fly forward; fly through the air; fly away; fly around; fly in the sky",
        "be in flight; fly high; fly across the sea; fly above the clouds; fly south; fly with beating wings; "
        "beat its wings in the air; be on the wing; fly in circles; fly home; fly from tree to tree; "
        "travel through the air; fly over the town; cross the sky; fly to its nest; circle in the sky; "
        "fly overhead; fly off",
        "fly; flying; flying idle; fly cycle; fly loop; flight; fly forward; fast flying; fly idle; "
        "flying forward; fly up; flapping flight; fly fast; in flight; air idle; fly straight; fly inplace",
    ),
    "slither": wording(
        "slither; slither; slither on its belly; slither along; slither forward; slither across the ground; "
        "slither away",
        "glide along on its belly; move like a snake; wind its way through the grass; "
        "slide along the ground in curves; go in snake lines; snake through the grass; snake along; "
        "move in waves along the ground; travel on its belly; move in a serpentine way; slither up the tree; "
        "crawl like a snake; meander along the ground; sidewind",
        "slither; slithering; slither cycle; slither loop; snake move; snake crawl; slither forward; snake walk; "
        "serpentine; snake slither; snake locomotion; sidewinding",
        "a snake crawls; the snake is crawling through the grass; a snake moves forward; the snake crawls away; "
        "a snake is moving; the serpent goes ahead",
    ),
    "swim": wording(
        "swim; swim; swim through the water; swim around; swim forward; swim along; swim under water; swim away",
        "move upstream; move through the sea; travel under water; swim in the sea; swim in a lake; "
        "move through the water; glide through the water; swim upstream; swim in circles; swim in the tank; "
        "cruise through the ocean; paddle through the water; dive; dive into the deep; go for a swim; "
        "do the crawl in the pool; swim laps; float in the water; roam the ocean; swim with the current; "
        "travel through the sea; swim with its fins; tread water; do breaststroke; undulate through the water; "
        "swim to the surface; swim in the river",
        "swim; swimming; swim cycle; swim loop; swim fast; swim idle; swimming idle; swim forward; fish swim; "
        "swim slow; treading water; underwater swim; swimming normal; swimming fast; breaststroke; paddle; dive; "
        "fish armature swimming fast; swimming impulse",
    ),
    "glide": wording(
        "glide; glide; glide through the air; soar; glide with its wings spread; sail through the air; "
        "glide in the wind; soar high",
        "soar in the sky; fly without flapping its wings; soar above the clouds; drift on the wind; glide down; "
        "soar on spread wings; hang in the air with open wings; ride the thermals; float on the wind; "
        "coast through the air; glide over the valley; plane through the air; soar over the mountains; "
        "fly with still wings; sail on the wind; spread its wings and glide; glide on rising air; hang glide; "
        "circle on still wings; sail above the sea",
        "glide; gliding; soar; glide loop; soaring; fly glide; glide cycle; flying glide; gliding flight; "
        "wing glide; soar loop; sail",
    ),
    "take off": wording(
        "take off; take off; take flight; take to the air; take off from the ground; lift off; "
        "fly up from the ground",
        "start to fly; rise into the air; leave the ground with beating wings; launch itself into the air; "
        "take wing; begin to fly; get into the air; become airborne; start its flight; fly off from a branch; "
        "lift off from the roof; rise from the ground and fly away; start flying; launch into flight; "
        "take off from the lake; leave its perch; spring into the air and fly; flap its wings and rise up; "
        "leave the nest in flight; go up into the sky; ascend into the air",
        "take off; takeoff; taking off; fly start; lift off; take flight; fly take off; start flying; liftoff; "
        "launch; fly begin; flight start; fly up start",
    ),
    "land": wording(
        "land; land; land on the ground; come in to land; land on a branch; land on its feet; make a landing",
        "touch down; come down from the sky; alight on a branch; descend to the ground; settle on the roof; "
        "finish its flight; perch on a twig; come down to the ground; land after a flight; "
        "fly down to the ground; land on the water; alight; end its flight on the ground; descend and land; "
        "come to land on a rock; swoop down and land; set down on the meadow; return to the ground; land softly; "
        "land in a tree; glide down and land; settle on a branch; make a soft landing",
        "land; landing; fly land; fly end; land loop; fly landing; touch down; land ground; bird landing; "
        "landing on ground; flight end; perch; land soft",
    ),
    "peck": wording(
        "peck; peck; peck at the ground; peck at the grain; peck corn; peck for seeds; peck the ground; "
        "peck seeds",
        "pick at grains; hammer on the trunk with its beak; pick at crumbs; pick grain with its beak; "
        "pick at the ground with its beak; peck at breadcrumbs; eat grain with its beak; tap with its beak; "
        "peck for worms; hammer its beak on the tree; strike the ground with its beak; "
        "feed on seeds with its beak; pick up seeds with its beak; jab its beak into the ground; "
        "dig for worms with its beak; peck at a tree; peck again and again; nibble grain with its beak",
        "peck; pecking; peck ground; peck loop; chicken peck; bird eat; eat peck; peck eat; idle peck; "
        "pecking ground; beak attack",
        "seeds are pecked by {the}; the beak of {the} hits the ground again and again",
    ),
    "flap": wording(
        "flap its wings; flap; beat its wings; flap its wings on the ground; flap its wings in place; "
        "flap its wings while standing; flap hard",
        "wave its flippers about; exercise its wings; move its flippers up and down; stand and flap its wings; "
        "spread and beat its wings; shake its wings; flutter its wings; flutter in place; dry its wings; "
        "move its wings up and down; stretch and flap its wings; beat its wings on the spot; "
        "flap its wings to impress; wave its wings; stand on the ground with beating wings; fan its wings; "
        "raise and lower its wings; ruffle its wings",
        "flap; flapping; flap wings; wing flap; flap loop; idle flap; wings flap; flapping wings; standing flap; "
        "flap idle; wing beat; wings flapping; flap in place",
        "the wings of {the} beat up and down; {the} on the ground with flapping wings",
    ),
    "breach": wording(
        "breach; breach; leap out of the water; jump out of the water; breach the surface; make a breach; "
        "jump above the waves",
        "jump over the falls; jump up the waterfall; burst from the waves; leap from the sea; "
        "spring out of the water; burst out of the waves; jump high above the sea; "
        "break the surface and fall back; throw itself out of the water; shoot out of the ocean; "
        "leap over the waves; hurl itself out of the sea; splash back into the water; "
        "jump through a hoop over the pool; soar out of the water; jump up a waterfall; leap clear of the water; "
        "rise out of the water and splash; come out of the water with a leap; somersault over the water; porpoise",
        "breach; breaching; jump out of water; leap water; whale breach; dolphin jump; breach loop; water jump; "
        "fish jump; leap out of water; surface jump; breach surface",
        "a fish jumps; the fish leaps; the dolphin jumps; a dolphin jumps out of the sea; a whale jumps; "
        "the salmon leaps; a whale leaps",
    ),
    "coil": wording(
        "coil up; coil; wind itself into a coil; coil itself up; roll itself into a coil; coil around; "
        "lie in a coil",
        "curl up into a coil; curl up; roll itself up; wind up its body; twist into a spiral; form a spiral; "
        "lie coiled up; curl into a ring; make rings of its body; wrap itself up in loops; "
        "twist its body into loops; wind itself up; gather itself into coils; curl into a ball; "
        "wrap around a branch; coil up to rest; turn itself into a spiral; fold its body into rings; "
        "wind around a branch; curl up in a spiral",
        "coil; coil up; coiled; coiling; coil idle; snake coil; curl up; coil loop; coiled idle; spiral; curl; "
        "snake coil up",
        "the body of {the} winds into a coil; {the} in a coil",
    ),
    "strike": wording(
        "strike; strike; strike like a snake; strike at its prey; strike forward; strike like a cobra; "
        "make a strike",
        "dart its head forward; strike with its fangs; lash out like a viper; lunge at its prey; "
        "lunge forward with its fangs; shoot forward; lunge; strike with raised head; snap forward like a snake; "
        "dart at the mouse; strike from its coil; thrust its head at the prey; attack like a cobra; "
        "strike with venom; spring at its prey from a coil; lunge out of its coil; dart out and back",
        "strike; striking; snake strike; strike attack; snake attack; cobra strike; lunge; viper strike; "
        "strike loop; lunge attack; quick strike; fang strike; attack strike",
        "a snake attacks; the cobra attacks; a snake bites; the viper bites its prey; the snake is attacking; "
        "the cobra lunges; a rattlesnake attacks; the serpent attacks a mouse",
    ),
}  # fmt: skip
"""Words of each motion, by its name."""
