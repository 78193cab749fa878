#!/bin/sh
# Creates a list over the API, adds a unit, checks it and prints its share link. Needs curl and jq.
# usage: sample_client.sh ADDRESS TOKEN        e.g. sample_client.sh http://127.0.0.1:8000 ab_…
set -eu
API="${1%/}/api/v1" TOKEN="$2"

answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# call METHOD ADDRESS [BODY [HEADER]]: the answer; a refusal ends the program with its reason.
call() {
  status=$(curl -s --retry 4 -X "$1" "$API/$2" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -H "${4:-Accept: application/json}" ${3:+--data "$3"} -o "$answer" -w '%{http_code}')
  case $status in
    2*) cat "$answer" ;;
    *) jq -r '"\(.title): \(.detail)"' "$answer" >&2; return 1 ;;
  esac
}

faction=$(call GET systems/horus-heresy/factions/sons-of-horus/)
catalogue=$(printf '%s' "$faction" | jq -r .catalogue_id)
new=$(jq -n --arg catalogue "$catalogue" \
  '{system: "horus-heresy", name: "Speartip", catalogue_id: $catalogue, points_limit: 2000, allegiance: "traitor"}')
army=$(call POST lists/ "$new" "Idempotency-Key: $(date +%s)-$$")
list=$(printf '%s' "$army" | jq -r .id)
detachment=$(printf '%s' "$army" | jq -r '.document.roster.forces[0].id')
units=$(call GET 'systems/horus-heresy/units/?faction=sons-of-horus&role=hq&page_size=1')
unit=$(printf '%s' "$units" | jq -r '.results[0].entry_id')
edit=$(jq -n --arg force "$detachment" --arg entry "$unit" '{edit: "add_unit", force_id: $force, entry_id: $entry}')
call POST "lists/$list/edits/" "$edit" 'If-Match: "1"' >/dev/null
report=$(call POST "lists/$list/check/")
printf '%s' "$report" | jq -r '"\(.verdict): \(.points.total) of \(.points.limit) points"'
link=$(call POST "lists/$list/share-links/" '{}')
printf '%s' "$link" | jq -r .url
