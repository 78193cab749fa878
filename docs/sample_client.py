"""Creates a list over the API, adds two units, checks it and prints its share link.

usage: sample_client.py ADDRESS TOKEN        e.g. sample_client.py http://127.0.0.1:8000 ab_…
A token is made under /accounts/tokens/ (scope: read and write). Needs the package `requests`.
"""

import sys

import requests

site, token = sys.argv[1].rstrip("/"), sys.argv[2]
session = requests.Session()
session.headers["Authorization"] = f"Bearer {token}"


def call(method, address, **options):
    """The JSON answer to one request; a refusal ends the program with its reason."""
    response = session.request(method, site + address, **options)
    if not response.ok:
        problem = response.json()
        sys.exit(f"{problem['title']}: {problem['error']['message']} ({problem['error']['at']})")
    return response.json(), response.headers


faction, _ = call("GET", "/api/v1/systems/horus-heresy/factions/sons-of-horus/")
new = {"system": "horus-heresy", "name": "Speartip", "catalogue_id": faction["catalogue_id"]}
army, headers = call("POST", "/api/v1/lists/", json=new | {"points_limit": 2000, "allegiance": "traitor"})
detachment = army["document"]["roster"]["forces"][0]["id"]
for role in ("hq", "troops"):
    units, _ = call("GET", "/api/v1/systems/horus-heresy/units/", params={"faction": "sons-of-horus", "role": role})
    edit = {"edit": "add_unit", "force_id": detachment, "entry_id": units["results"][0]["entry_id"]}
    result, headers = call("POST", army["address"] + "edits/", json=edit, headers={"If-Match": headers["ETag"]})
report, _ = call("POST", army["address"] + "check/")
print(f"{report['verdict']}: {report['points']['total']} of {report['points']['limit']} points")
for finding in report["findings"]:
    print(f"  {finding['rule']} {finding['message']['en']}")
link, _ = call("POST", army["address"] + "share-links/", json={})
print(link["url"])
