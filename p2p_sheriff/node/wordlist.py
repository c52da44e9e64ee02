"""256 words, one for each value of a byte: short, everyday, and told apart by their first three letters."""

from typing import Final

# fmt: off
WORDS: Final = (
    "acorn", "album", "alley", "amber", "anchor", "angle", "apple", "apron",
    "arch", "arrow", "atlas", "attic", "autumn", "badge", "bagel", "bamboo",
    "banjo", "barn", "basil", "beach", "bell", "berry", "bison", "bottle",
    "bread", "brick", "brush", "bucket", "butter", "cabin", "cactus", "camel",
    "candle", "carpet", "castle", "cedar", "cello", "cherry", "cider", "circle",
    "clover", "cobalt", "coffee", "comet", "copper", "coral", "cotton", "cradle",
    "crown", "daisy", "dance", "denim", "desert", "dinner", "donkey", "dragon",
    "drum", "duck", "dune", "eagle", "easel", "echo", "egg", "elbow",
    "elm", "engine", "fabric", "fairy", "falcon", "farmer", "fern", "fiddle",
    "finch", "flag", "flute", "fog", "forest", "frost", "fudge", "galaxy",
    "garden", "gecko", "ginger", "globe", "goblet", "gold", "goose", "grape",
    "guitar", "hammer", "harbor", "hazel", "hedge", "helmet", "heron", "hill",
    "honey", "horse", "hotel", "igloo", "indigo", "iris", "island", "ivory",
    "ivy", "jacket", "jaguar", "jelly", "jigsaw", "jockey", "jungle", "kayak",
    "kettle", "kiwi", "koala", "ladder", "lagoon", "lamp", "laurel", "lemon",
    "lily", "linen", "lion", "lizard", "locket", "lotus", "lumber", "lunch",
    "lynx", "magnet", "mango", "maple", "marble", "meadow", "melon", "mirror",
    "mitten", "mosaic", "muffin", "music", "napkin", "nectar", "needle", "nest",
    "nickel", "noodle", "north", "novel", "nutmeg", "oak", "oasis", "oboe",
    "ocean", "olive", "onion", "opal", "opera", "orchid", "otter", "oven",
    "owl", "oxygen", "oyster", "paddle", "palace", "panda", "paper", "parrot",
    "pasta", "pebble", "pencil", "pepper", "piano", "pigeon", "pillow", "pine",
    "pirate", "planet", "plum", "poem", "pony", "poppy", "potato", "prism",
    "purple", "puzzle", "quartz", "queen", "quilt", "rabbit", "radio", "raft",
    "raven", "ribbon", "river", "robin", "rope", "ruby", "salmon", "sandal",
    "satin", "scarf", "school", "seal", "shadow", "silver", "sketch", "sleigh",
    "snow", "sofa", "spoon", "spring", "star", "steam", "stone", "sugar",
    "summer", "sunset", "swan", "syrup", "table", "tailor", "teapot", "temple",
    "tennis", "ticket", "tiger", "timber", "toast", "tomato", "topaz", "tower",
    "tulip", "tunnel", "turtle", "vase", "velvet", "vessel", "violin", "voyage",
    "waffle", "wagon", "walnut", "water", "weaver", "whale", "wheat", "window",
    "wolf", "yacht", "yellow", "yogurt", "zebra", "zigzag", "zinc", "zodiac",
)
# fmt: on
