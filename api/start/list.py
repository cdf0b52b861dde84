import json
from urllib.request import urlopen

address = "https://portal.example/api/v1/lists/rapid/latest/entries?limit=1000"
while address:
    with urlopen(address) as answer:
        page = json.load(answer)
    for row in page["results"]:
        print(row["fide_id"], row["name"], row["rating"])
    address = page["next"]
