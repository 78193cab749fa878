// Creates a list over the API, adds a unit, checks it and prints its share link. Needs Node 18 and no package.
// usage: node sample_client.mjs ADDRESS TOKEN        e.g. node sample_client.mjs http://127.0.0.1:8000 ab_…
import { randomUUID } from "node:crypto";

const [site, token] = process.argv.slice(2);

/** The JSON answer to one request; a refusal is thrown with its reason. */
async function call(method, path, body, headers = {}, tries = 5) {
  const response = await fetch(`${site.replace(/\/$/, "")}/api/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body: body && JSON.stringify(body),
  });
  if ((response.status === 429 || response.status === 503) && tries > 1) {
    const seconds = Number(response.headers.get("Retry-After") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return call(method, path, body, headers, tries - 1);
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.title}: ${answer.detail}`);
  return answer;
}

async function main() {
  const faction = await call("GET", "systems/horus-heresy/factions/sons-of-horus/");
  const list = { system: "horus-heresy", name: "Speartip", catalogue_id: faction.catalogue_id };
  const wanted = { ...list, points_limit: 2000, allegiance: "traitor" };
  const army = await call("POST", "lists/", wanted, { "Idempotency-Key": randomUUID() });
  const units = await call("GET", "systems/horus-heresy/units/?faction=sons-of-horus&role=hq&page_size=1");
  const [detachment] = army.document.roster.forces;
  const edit = { edit: "add_unit", force_id: detachment.id, entry_id: units.results[0].entry_id };
  await call("POST", `lists/${army.id}/edits/`, edit, { "If-Match": `"${army.revision}"` });
  const report = await call("POST", `lists/${army.id}/check/`);
  console.log(`${report.verdict}: ${report.points.total} of ${report.points.limit} points`);
  console.log((await call("POST", `lists/${army.id}/share-links/`, {})).url);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
