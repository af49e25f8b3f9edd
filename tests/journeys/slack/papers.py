"""What is dropped in the journeys: files that the engine without models reads as papers."""

COMETS = "%PDF A slow comet over Lowmere\nThe comet Velorum was seen on eleven nights. Its tail measured 42 degrees."
BREAD = "%PDF Sourdough at high altitude\nThe loaves were baked at an altitude of 3100 metres. The dough rose fast."
