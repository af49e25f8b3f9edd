"""What is dropped in the journeys: files that the engine without models reads as papers."""

from tests.peers.slack.world import World

COMETS = "%PDF A slow comet over Lowmere\nThe comet Velorum was seen on eleven nights. Its tail measured 42 degrees."
BREAD = "%PDF Sourdough at high altitude\nThe loaves were baked at an altitude of 3100 metres. The dough rose fast."
QUESTION = "how long was its tail in degrees?"


async def dropped(world: World, channel: str = "papers", paper: str = COMETS) -> str:
    """Alice drops a paper and it is confirmed; returns the message that carries it."""
    await world.drops("alice", channel, {"paper.pdf": paper})
    found = [item for item in await world.messages(channel) if item.get("files")][-1]
    await world.answer(channel, found["ts"], paper.split("\n")[0].removeprefix("%PDF "))
    return str(found["ts"])
