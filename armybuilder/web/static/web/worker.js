/* What stands between the site and a device without a line: scripts and looks of this version, the pages of lists that were
   opened last, and the panes of their units. Pages come from the server whenever it answers; without it the copy is shown,
   which says of itself when it was made. Copies belong to whoever was signed in, or to the guest: another one's first page
   empties them, and so does every sign-in and sign-out. The server writes `self.SITE` before the first line of this file. */
/* global self, caches, clients, Headers, Request, BroadcastChannel */
(function () {
  "use strict";
  const SITE = self.SITE, LOOKS = "looks " + SITE.version, PAGES = "pages ";
  const MOST = 20;  /* pages that are kept, the newest */
  const PATIENCE = 20000;
  const REST = 3000, CALM = 12000;  /* after the last edit; a copy that is there already may be a little older: it costs the server as much as some edits */
  const LIST = /^\/lists\/[0-9a-f-]{36}\/$/;
  const KEPT = /^\/(?:lists\/(?:[0-9a-f-]{36}\/(?:play\/)?)?|s\/[^/]+\/(?:play\/)?|device\/)?$/;
  const LEFT_ALONE = /^\/(?:accounts|admin|api|oauth|static)\/|\/(?:exports|files|embed)\//;
  const OTHERS = /^\/accounts\/(?:sign-in|sign-out|sign-up|delete|password|reset)\//;
  const looks = new Set(SITE.looks), asked = new Map(), told = new BroadcastChannel("device");
  let emptied = 0, turn = Promise.resolve();

  self.addEventListener("install", function (event) {
    self.skipWaiting();
    event.waitUntil(caches.open(LOOKS).then((cache) => cache.addAll(SITE.looks.map((path) => new Request(path, { cache: "no-cache" })))));
  });
  self.addEventListener("activate", function (event) {
    event.waitUntil(drop((name) => name.startsWith("looks ") && name !== LOOKS).then(() => clients.claim()));
  });
  async function drop(isOld) { await Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name))); }

  /* One change of what is kept after the other; what was asked for before it was emptied is not kept any more. */
  function inTurn(work) {
    turn = turn.then(work).catch(() => {});
    return turn;
  }
  function empty() {
    emptied += 1;
    return inTurn(() => drop((name) => name.startsWith(PAGES)));
  }
  async function pages(whose) {
    if (whose) { await drop((name) => name.startsWith(PAGES) && name !== PAGES + whose); }
    const name = whose ? PAGES + whose : (await caches.keys()).find((one) => one.startsWith(PAGES));
    return name ? caches.open(name) : null;
  }
  async function find(key) {
    const cache = await pages("");
    return cache ? cache.match(key, { ignoreVary: true }) : undefined;
  }
  function panesOf(path) { return path + "panes"; }

  async function put(whose, key, text, headers) {
    const cache = await pages(whose), all = new Headers(headers), title = /<title>([^<]*)/.exec(text);
    ["Content-Encoding", "Content-Length"].forEach((name) => all.delete(name));
    all.set("Kept-At", String(Date.now()));
    if (title) { all.set("Kept-Title", encodeURIComponent(title[1].split(" · ").slice(0, -1).join(" · ").trim())); }
    await cache.delete(key);
    await cache.put(key, new Response(text, { headers: all }));
    const kept = (await cache.keys()).map((one) => new URL(one.url).pathname).filter((path) => KEPT.test(path) && path !== "/device/");
    for (const path of kept.slice(0, Math.max(kept.length - MOST, 0))) { await remove(cache, path); }
  }
  async function remove(cache, path) {
    await cache.delete(path);
    await cache.delete(panesOf(path));
  }

  /* Keeps a page as the server has answered it; a page that is gone is forgotten. */
  async function keep(key, answer, began) {
    const whose = answer.headers.get("Kept-For");
    if (answer.status === 404) { await inTurn(async () => { const cache = await pages(""); if (cache) { await remove(cache, key); } }); }
    if (!answer.ok || !whose || answer.redirected || !/^text\/html/.test(answer.headers.get("Content-Type"))) { return; }
    const text = await answer.text();
    await inTurn(async () => { if (began === emptied) { await put(whose, key, text, answer.headers); } });
    if (LIST.test(key)) { await renew(key); }
    if (key !== "/device/" && !(await find("/device/"))) { await keep("/device/", await fetch("/device/"), emptied); }
  }

  /* A list with the panes of its units, once it has come to rest. */
  async function renew(path) {
    const mine = (asked.get(path) || 0) + 1;
    asked.set(path, mine);
    await wait((await find(panesOf(path))) ? CALM : REST);
    if (asked.get(path) !== mine || (self.navigator.connection && self.navigator.connection.saveData)) { return; }
    const began = emptied, before = await find(panesOf(path));
    const answer = await fetch(path + "device/?have=" + ((before && before.headers.get("Kept-As")) || ""));
    if (answer.status === 200) {
      const text = await answer.text(), whole = JSON.parse(text), whose = answer.headers.get("Kept-For");
      await inTurn(async () => {
        if (began !== emptied || asked.get(path) !== mine) { return; }
        const headers = new Headers(answer.headers);
        headers.set("Content-Type", "text/html; charset=utf-8");
        await put(whose, path, whole.page, headers);
        await put(whose, panesOf(path), JSON.stringify({ revision: whole.revision, panes: whole.panes }), answer.headers);
      });
    }
    if (answer.status === 200 || answer.status === 204) { told.postMessage({ kept: path }); }
  }
  function wait(time) { return new Promise((done) => setTimeout(done, time)); }

  self.addEventListener("message", function (event) {
    const key = event.data.keep && keyOf(new URL(event.data.keep, location.origin));
    const began = emptied;
    if (key) { event.waitUntil(fetch(key).then((answer) => keep(key, answer, began)).catch(() => {})); }
    if (event.data.empty) { event.waitUntil(empty().then(() => told.postMessage({ emptied: true }))); }
  });

  /* Under which address a page is kept: a list whatever is open in it. */
  function keyOf(url) { return KEPT.test(url.pathname) && (!url.search || LIST.test(url.pathname)) ? url.pathname : ""; }

  self.addEventListener("fetch", function (event) {
    const request = event.request, url = new URL(request.url);
    if (url.origin !== location.origin) { return; }
    if (request.method !== "GET") { sent(event, url.pathname); return; }
    if (looks.has(url.pathname)) { event.respondWith(look(request, url.pathname)); return; }
    if (LEFT_ALONE.test(url.pathname)) { return; }
    if (request.mode === "navigate" && request.destination === "document") { event.respondWith(page(event, url)); return; }
    if (request.headers.get("HX-Target") === "detail" && LIST.test(url.pathname)) { event.respondWith(pane(request, url)); }
  });

  /* What is sent goes its own way; what it makes of the copies is done here. */
  function sent(event, path) {
    const list = /^\/lists\/[0-9a-f-]{36}\//.exec(path);
    if (OTHERS.test(path)) { event.waitUntil(empty()); }
    if (list) { event.waitUntil(renew(list[0]).catch(() => {})); }
  }

  async function look(request, path) {
    const kept = () => caches.match(path, { ignoreVary: true, cacheName: LOOKS });
    if (SITE.isHashed) { return (await kept()) || fetch(request); }
    return fetch(request).catch(async () => (await kept()) || Response.error());
  }

  async function page(event, url) {
    const key = keyOf(url), began = emptied, answered = fetch(event.request);
    const settled = answered.then((answer) => {
      if (key && !url.search) { event.waitUntil(keep(key, answer.clone(), began).catch(() => {})); }
      if (key && url.search) { event.waitUntil(renew(key).catch(() => {})); }
      return answer;
    }, () => null);
    const first = await Promise.race([settled, wait(PATIENCE).then(() => "late")]);
    if (first && first !== "late") { return first; }
    const copy = key && (await find(key));
    if (copy) { return marked(copy, ""); }
    if (first === "late") { return answered; }
    const instead = await find("/device/");
    return instead ? marked(instead, " data-instead") : Response.error();
  }
  async function marked(copy, mark) {
    const text = await copy.text(), at = copy.headers.get("Kept-At");
    return new Response(text.replace("<html ", "<html data-copy-of=\"" + at + "\"" + mark + " "), { headers: copy.headers });
  }

  /* The pane of a unit, of the same state of the list as the page that asks; of what may be added, the whole of it. */
  async function pane(request, url) {
    try { return await fetch(request); } catch {
      const kept = await find(panesOf(url.pathname)), whole = kept && (await kept.json());
      const query = url.searchParams.has("add") ? "add=" + url.searchParams.get("add") : url.search.slice(1);
      const html = whole && String(whole.revision) === request.headers.get("Shown-Revision") && whole.panes[query];
      return html ? new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } }) : Response.error();
    }
  }
})();
