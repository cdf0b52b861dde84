import json
from urllib.request import urlopen

with urlopen("https://portal.example/api/v1/players/1001") as answer:
    player = json.load(answer)
for one in player["ratings"]:
    print(player["name"], one["kind"], one["rating"])
