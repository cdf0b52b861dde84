import json
from pathlib import Path
from urllib.request import Request, urlopen

report = Path("open.trf").read_bytes()
request = Request("https://portal.example/api/v1/reports/check", report, {"Content-Type": "text/plain"})
with urlopen(request) as answer:
    checked = json.load(answer)
for one in checked["findings"]:
    print(one["severity"], one["line"], one["message"])
