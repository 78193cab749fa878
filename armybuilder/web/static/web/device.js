/* What this device keeps: starts the worker that keeps copies (`worker.js`), says of a copy when it was made, and shows on the
   page "On this device" what is kept here and what elsewhere. */
/* global caches, BroadcastChannel, DOMParser */
(function () {
  "use strict";
  var root = document.documentElement, workers = navigator.serviceWorker, isWatched = Boolean(workers && workers.controller);

  function all(selector) { return Array.from(document.querySelectorAll(selector)); }

  /* A moment as a player says it: the time, and the day unless it is today's. */
  function moment(at) {
    var when = new Date(Number(at)), isToday = when.toDateString() === new Date().toDateString();
    var words = { hour: "2-digit", minute: "2-digit" };
    var language = root.lang === "en" ? "en-GB" : root.lang; /* as the site writes times */
    return when.toLocaleString(language, isToday ? words : Object.assign({ day: "numeric", month: "short" }, words));
  }

  /* The worker comes once the page is there; the page it has not seen come is kept on request. */
  window.addEventListener("load", function () {
    if (!workers || root.dataset.copyOf) { return; }
    workers.register("/worker.js", { updateViaCache: "none" }).catch(function () {});
    if (isWatched) { return; }
    workers.ready.then(function (registration) { registration.active.postMessage({ keep: location.pathname }); });
  });

  /* A copy asks for panes of its own state only; what is not kept says that it needs a line. */
  document.addEventListener("htmx:configRequest", function (event) {
    var shown = document.getElementById("revision");
    if (shown && event.detail.verb === "get") { event.detail.headers["Shown-Revision"] = shown.value; }
  });

  function sayCopy() {
    if (!root.dataset.copyOf) { return; }
    root.classList.add("is-copy");
    all("[data-copy-words]").forEach(function (told) {
      told.textContent = told.dataset.copyWords.replace("{time}", moment(root.dataset.copyOf));
      told.hidden = false;
    });
    if (document.querySelector(".builder") && location.search) { window.places.ask(location.pathname + location.search); }
    window.addEventListener("online", function () { if (window.kept.isEmpty()) { location.reload(); } });
  }

  /* The page "On this device" */
  function text(html) { return new DOMParser().parseFromString(html, "text/html").body.textContent; }
  function line(kept, address) {
    var row = document.createElement("li"), link = document.createElement("a"), when = document.createElement("span");
    link.href = address;
    link.textContent = text(decodeURIComponent(kept.headers.get("Kept-Title") || "")) || address;
    when.className = "small muted";
    when.textContent = " " + moment(kept.headers.get("Kept-At"));
    row.append(link, when);
    return row;
  }
  async function copies() {
    var names = (await caches.keys()).filter(function (name) { return name.startsWith("pages "); }), rows = [];
    for (var name of names) {
      var cache = await caches.open(name);
      for (var request of await cache.keys()) {
        var path = new URL(request.url).pathname, kept = await cache.match(request, { ignoreVary: true });
        if (kept && kept.headers.has("Kept-Title") && path !== "/device/") { rows.unshift(line(kept, path)); }
      }
    }
    return rows;
  }
  async function show() {
    var place = document.getElementById("device-copies");
    if (!place) { return; }
    var rows = window.caches ? await copies() : [];
    place.replaceChildren.apply(place, rows);
    all("[data-no-copies]").forEach(function (told) { told.hidden = rows.length > 0; });
    all("[data-empty-copies]").forEach(function (button) { button.disabled = !rows.length; });
    all("[data-only-instead]").forEach(function (told) { told.hidden = !root.hasAttribute("data-instead"); });
  }
  document.addEventListener("click", function (event) {
    if (event.target.closest("[data-empty-copies]") && workers && workers.controller) { workers.controller.postMessage({ empty: true }); }
  });
  if (window.BroadcastChannel) {
    new BroadcastChannel("device").addEventListener("message", function (event) {
      if (event.data.kept === location.pathname) { root.dataset.kept = ""; }
      if (event.data.kept || event.data.emptied) { show(); }
    });
  }
  document.addEventListener("DOMContentLoaded", function () {
    sayCopy();
    show();
  });

  window.device = { moment: moment };
})();
