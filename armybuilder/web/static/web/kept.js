/* Edits that are made while the server cannot be reached: counts, options, names and notes, what is stated of the army and
   its units, and units that are added, duplicated, moved and removed. They are kept on this device in their order, shown as
   kept, and sent together once the server answers, with the revision they were made on. A list that has changed meanwhile
   shows what changed and asks; nothing is overwritten. One tab sends for all. */
/* global indexedDB, localStorage, BroadcastChannel, crypto, CustomEvent */
(function () {
  "use strict";
  var root = document.documentElement, db = null, kept = [], here = "", isSending = false, changes = 0;
  var KEPT_EDITS = ("set_option_amount set_amount select deselect rename set_notes set_name set_points_limit add_unit " +
    "set_facts set_unit_facts duplicate move remove").split(" ");
  var MOST = 100, AGAIN = 20000;
  var others = window.BroadcastChannel ? new BroadcastChannel("kept edits") : { postMessage: function () {} };

  function byId(id) { return id ? document.getElementById(id) : null; }
  function all(selector) { return Array.from(document.querySelectorAll(selector)); }
  function whose() { return root.dataset.whose; }
  function isMine(edit) { return edit.whose === whose() || (/^guest-/.test(edit.whose) && /^user-/.test(whose())); }
  function ofList(list) { return kept.filter(function (edit) { return edit.list === list; }); }
  function form() { return byId("kept-edits"); }

  /* The store: what is kept in memory is what it holds, the newest last. */
  function open() {
    return new Promise(function (done, failed) {
      var asked = indexedDB.open("army-builder", 1);
      asked.onupgradeneeded = function () { asked.result.createObjectStore("edits", { keyPath: "id" }); };
      asked.onsuccess = function () { done(asked.result); };
      asked.onerror = function () { failed(asked.error); };
    });
  }
  function change(work) {
    changes += 1;
    return new Promise(function (done, failed) {
      var step = db.transaction("edits", "readwrite");
      work(step.objectStore("edits"));
      step.oncomplete = done;
      step.onabort = failed;
    });
  }
  function write(edits) { return change(function (store) { edits.forEach(function (edit) { store.put(edit); }); }).then(tell); }
  function forget(edits) {
    kept = kept.filter(function (edit) { return edits.indexOf(edit) < 0; });
    return change(function (store) { edits.forEach(function (edit) { store.delete(edit.id); }); }).then(tell);
  }
  function tell() { others.postMessage({ changed: true }); }
  function read() {
    var before = changes;
    return new Promise(function (done, failed) {
      var asked = db.transaction("edits").objectStore("edits").getAll();
      asked.onsuccess = function () {
        if (before !== changes) { done(read()); return; } /* an edit was taken meanwhile */
        kept = asked.result.filter(isMine);
        done(asked.result);
      };
      asked.onerror = failed;
    });
  }

  /* Taking an edit */
  function said(edit) {
    var field = byId(edit.count), fields = new URLSearchParams();
    if (!field && edit.control.name === "do") { return new URLSearchParams(edit.control.value); }
    new FormData(field ? field.form : edit.form).forEach(function (value, name) {
      if (["csrfmiddlewaretoken", "revision", "focus", "have"].indexOf(name) < 0) { fields.append(name, value); }
    });
    if (field) { fields.set(field.name, window.edits.numberOf(edit)); }
    return fields;
  }
  /* A number that no unit can have would be refused, and with it all that is sent beside. */
  function canKeep(edit) {
    var fields = said(edit), isField = edit.control.matches(".pick, input, textarea, select");
    var count = byId(edit.count), isShown = count || edit.control.closest(".offer") || isField || rowOf(fields);
    return Boolean(db && form() && isShown && edit.form.id !== "kept-edits" && KEPT_EDITS.indexOf(fields.get("edit")) >= 0 &&
      !isOfGone(edit, fields) && ofList(here).length < MOST && !(count && !count.validity.valid));
  }
  /* The row of the unit that an edit takes whole: removes, moves or duplicates. */
  function rowOf(fields) {
    return ["remove", "move", "duplicate"].indexOf(fields.get("edit")) >= 0 ? byId("unit-" + fields.get("node_id")) : null;
  }
  /* Of a unit that is to be removed nothing else is kept: the server would refuse it, and with it all that is sent beside. */
  function isOfGone(edit, fields) {
    var gone = ofList(here).filter(function (one) { return one.shown.isGone; }).map(function (one) { return one.shown.part.slice(5); });
    var named = [fields.get("node_id"), fields.get("before")];
    if (edit.control.closest("#detail")) { named.push(new URLSearchParams(location.search).get("unit")); }
    return named.some(function (id) { return gone.indexOf(id) >= 0; });
  }
  function isAway() { return navigator.onLine === false; }
  function isHeld(list) { return ofList(list).some(function (edit) { return edit.held; }); }

  /* Whether an edit is kept here instead of being sent: without a line, or behind others that wait to be sent. */
  function takes(edit) {
    var before = ofList(here).filter(function (one) { return !one.batch; });
    if (isAway() && before.length && said(edit).get("edit") === "undo") { forget([before[before.length - 1]]).then(show); return true; }
    if (!(isAway() || (ofList(here).length && !isHeld(here))) || !canKeep(edit)) { return false; }
    take(edit);
    return true;
  }
  function asKept(fields, shown, least) {
    return {
      id: Math.max(Date.now() * 1000, least), list: here, name: document.querySelector(".army-bar h1").textContent,
      url: form().action, whose: whose(), base: byId("revision").value, fields: fields.toString(), shown: shown,
    };
  }
  /* A page was left, or its tab closed, with edits on their way, the first of which may have been made, or be cut off with its
     page. Only the list's page, as it is when it is opened next, tells: at the same revision none was made yet, and they are kept; at a
     later one the first was, as where the server says so when they are sent. What cannot be kept is said to be lost. */
  function remember(edits) {
    localStorage["left " + here] = JSON.stringify({
      whose: whose(), base: byId("revision").value,
      edits: edits.map(function (edit, at) { return canKeep(edit) ? asKept(said(edit), look(edit), Date.now() * 1000 + at) : null; }),
    });
  }
  function takeUp() {
    var left = JSON.parse(localStorage["left " + here] || null), revision = byId("revision");
    if (!left || !revision || !isMine(left)) { return []; }
    delete localStorage["left " + here];
    if (revision.value !== left.base) { return rebased(left.edits.slice(1)); }
    if (left.edits[0]) { left.edits[0].mayBeMade = true; }
    return left.edits;
  }
  /* The same behind an edit that was made. */
  function rebased(edits) {
    edits.filter(Boolean).forEach(function (edit) { edit.base = String(Number(edit.base) + 1); });
    return edits;
  }
  function take(edit) {
    var fields = said(edit), shown = look(edit), before = ofList(here), last = before[before.length - 1];
    var gone = before.filter(function (one) { return !one.batch && shown.part && one.shown.part === shown.part && (shown.isOption || one === last); });
    kept = kept.filter(function (one) { return gone.indexOf(one) < 0; });
    var fresh = asKept(fields, shown, (last ? last.id : 0) + 1);
    if (gone.length) { fresh.base = gone[0].base; }
    var isNothing = Boolean(shown.part) && shown.value === shown.was;
    if (!isNothing) { kept.push(fresh); }
    change(function (store) {
      gone.forEach(function (one) { store.delete(one.id); });
      if (!isNothing) { store.put(fresh); }
    }).then(tell);
    show();
    all("#army .menu[open]").forEach(function (menu) { menu.open = false; });
    if (!isAway()) { setTimeout(function () { send(false); }, 1000); }
  }

  /* What an edit looks like on the page: a number or a text in a field, an option of a group, a unit that comes. */
  function look(edit) {
    var control = edit.control, box = byId(edit.count), group = control.closest("[role='radiogroup']");
    var field = box || (control.matches("input, textarea, select") ? control : null), value = field && (box ? String(window.edits.numberOf(edit)) : field.value);
    var unit = document.querySelector("#detail h2"), of = unit && !control.closest(".offer") ? unit.textContent.trim() + " · " : "";
    var row = field ? null : rowOf(said(edit));
    if (row) { return lookOfUnit(row, said(edit)); }
    if (field) {
      var was = field.dataset.was === undefined ? original(field) : field.dataset.was;
      var price = Number((field.closest(".count") || field).dataset.price || NaN);
      var label = (field.getAttribute("aria-label") || (field.labels[0] || field).textContent).split(":")[0].trim();
      var shown = field.matches("select") ? field.selectedOptions[0].textContent.trim() : value;
      return { part: field.id, value: value, was: was, price: box ? price * (Number(value) - Number(was)) : 0, words: of + label + ": " + shown };
    }
    if (control.matches(".pick")) {
      var isOne = control.getAttribute("role") === "radio", isOn = isOne || control.getAttribute("aria-checked") !== "true";
      var first = isOne && group ? group.querySelector("[data-was='true']") || group.querySelector("[aria-checked='true']") : null;
      var cost = Number(control.dataset.price || 0) - Number((first && first.dataset.price) || 0), name = control.querySelector("span") || control;
      return {
        part: isOne && group ? part(group) : control.id, chip: control.id, isOption: true, value: isOne ? control.id : String(isOn),
        was: isOne ? first && first.id : control.dataset.was || control.getAttribute("aria-checked"), price: isOn ? cost : -cost,
        words: of + name.textContent.trim() + (isOn ? " ✓" : " ✗"),
      };
    }
    var offer = control.closest(".offer");
    return { part: "", price: Number(offer.dataset.price || NaN), words: "+ " + offer.querySelector(".offer__name").textContent.trim() };
  }
  /* A unit as a whole: its row says that it goes, or that it is moved; where to is said in words. */
  function lookOfUnit(row, fields) {
    var points = Number(row.dataset.points || NaN), name = nameIn(row), before = byId("unit-" + fields.get("before"));
    if (fields.get("edit") === "remove") {
      return { part: row.id, isRow: true, isGone: true, isOption: true, value: "gone", was: "", price: -points, words: "− " + name };
    }
    if (fields.get("edit") === "duplicate") { return { part: "", price: points, words: "+ " + name }; }
    return { part: row.id, isRow: true, isOption: true, value: fields.toString(), was: "", price: 0, words: name + " ↕" + (before ? " " + nameIn(before) : "") };
  }
  function nameIn(row) { return row.querySelector(".unit__name").textContent.trim(); }
  function original(field) {
    var chosen = field.matches("select") && Array.from(field.options).find(function (one) { return one.defaultSelected; });
    return field.matches("select") ? (chosen || field.options[0]).value : field.defaultValue;
  }
  function part(group) { return Array.from(group.querySelectorAll(".pick")).map(function (pick) { return pick.id; }).join(" "); }

  /* Showing what is kept */
  function set(control, value) {
    var less = control.closest(".stepper") && control.form.querySelector("[data-step='-1']");
    if (control.matches(".pick")) { control.setAttribute("aria-checked", value); } else { control.value = control.defaultValue = value; }
    if (less) { less.disabled = Number(value) <= Number(control.form.dataset.lowest || 0); }
  }
  function dress(control, value) {
    if (!control) { return; }
    if (control.dataset.was === undefined) { control.dataset.was = control.matches(".pick") ? control.getAttribute("aria-checked") : original(control); }
    set(control, value);
    control.classList.add("is-kept");
  }
  function undress(control) {
    set(control, control.dataset.was);
    delete control.dataset.was;
    control.classList.remove("is-kept");
  }
  function show() {
    var mine = ofList(here), place = byId("kept");
    all("#detail [data-was]").forEach(undress);
    all("#army .unit.is-kept").forEach(function (row) { row.classList.remove("is-kept", "is-gone"); });
    mine.forEach(function (edit) {
      if (edit.shown.isRow) { mark(byId(edit.shown.part), edit.shown.isGone); return; }
      if (!edit.shown.chip) { dress(byId(edit.shown.part), edit.shown.value); return; }
      var pick = byId(edit.shown.chip), group = pick && pick.getAttribute("role") === "radio" && pick.closest("[role='radiogroup']");
      if (group) { group.querySelectorAll(".pick").forEach(function (one) { dress(one, String(one === pick)); }); } else { dress(pick, edit.shown.value); }
    });
    if (place) {
      place.hidden = !mine.length;
      root.classList.toggle("has-kept", mine.length > 0);
      var price = mine.reduce(function (sum, edit) { return sum + edit.shown.price; }, 0), told = place.querySelector("[data-kept-price]");
      writeIn(place.querySelector("[data-kept-count]"), mine.length);
      writeIn(told, (price > 0 ? "+" : "") + price.toLocaleString(root.lang));
      told.hidden = isNaN(price);
      place.querySelector("ol").replaceChildren.apply(place.querySelector("ol"), mine.map(function (edit) {
        var row = document.createElement("li");
        row.textContent = edit.shown.words;
        return row;
      }));
    }
    showOnDevice();
  }
  function mark(row, isGone) {
    if (!row) { return; }
    row.classList.add("is-kept");
    row.classList.toggle("is-gone", Boolean(isGone));
    if (row.querySelector(".menu[open]")) { row.querySelector(".menu").open = false; }
  }
  function writeIn(place, words) { place.textContent = place.dataset.words.replace("{n}", words); }
  function showOnDevice() {
    var place = byId("device-edits"), lists = new Map();
    if (!place) { return; }
    kept.forEach(function (edit) { lists.set(edit.list, edit); });
    place.replaceChildren.apply(place, Array.from(lists.values()).map(function (edit) {
      var row = document.createElement("li"), link = document.createElement("a");
      link.href = edit.list;
      link.textContent = edit.name;
      row.append(link, ": " + ofList(edit.list).length);
      return row;
    }));
    all("[data-no-edits]").forEach(function (told) { told.hidden = kept.length > 0; });
  }

  /* Sending */
  async function send(isAsked) {
    if (!db || isSending || isAway() || !kept.length) { return; }
    isSending = true;
    var isMore = false;
    function everything(lock) { return lock ? sendAll(isAsked) : false; }
    try { isMore = await (navigator.locks ? navigator.locks.request("kept edits", { ifAvailable: true }, everything) : sendAll(isAsked)); }
    finally { isSending = false; }
    show();
    if (isMore) { send(false); }
  }
  /* Whether more came meanwhile. What was refused or has met a conflict is sent again only where it can be told, and when asked. */
  async function sendAll(isAsked) {
    await read();
    var lists = Array.from(new Set(kept.map(function (edit) { return edit.list; })));
    for (var list of lists) {
      if (isHeld(list) && !(list === here && isAsked)) { continue; }
      if (!(await sendList(list))) { return false; }
    }
    return kept.some(function (edit) { return !isHeld(edit.list); });
  }
  /* The edits of one list, as one that can be repeated without being made twice; false when the server did not answer. */
  async function sendList(list) {
    var edits = ofList(list), key = edits[0].batch || Array.from(crypto.getRandomValues(new Uint32Array(4)), function (one) { return one.toString(16); }).join("");
    if (edits[0].batch) { edits = edits.filter(function (edit) { return edit.batch === key; }); } else {
      edits.forEach(function (edit) { edit.batch = key; });
      await write(edits);
    }
    var fields = {
      edit: "kept", once: key, revision: edits[0].base, focus: list === here ? location.search.slice(1) : "",
      kept: JSON.stringify(edits.map(function (edit) { return edit.fields; })),
    };
    var answer = await (list === here ? throughPage(fields) : quietly(edits[0].url, fields)), status = answer.status;
    if (status >= 200 && status < 300) {
      var later = ofList(list).filter(function (edit) { return edits.indexOf(edit) < 0; });
      later.forEach(function (edit) { if (edit.base === edits[0].base) { edit.base = answer.revision; } });
      await write(later);
      await made(list, edits, answer.revision);
      return true;
    }
    if (status === 409 && edits[0].mayBeMade) {
      await forget([edits[0]]);
      await write(rebased(ofList(list)));
      if (list === here) { location.reload(); }
      return false;
    }
    if (status < 400 || status === 403 || status === 429 || status >= 500) { return false; }
    edits.forEach(function (edit) { edit.held = status; });
    await write(edits);
    return true;
  }
  function throughPage(fields) {
    Object.keys(fields).forEach(function (name) { form().elements[name].value = fields[name]; });
    return new Promise(function (done) {
      form().addEventListener("answered", function (event) { done({ status: event.detail, revision: byId("revision").value }); }, { once: true });
      form().requestSubmit();
    });
  }
  async function quietly(url, fields) {
    var token = document.querySelector("input[name='csrfmiddlewaretoken']");
    try {
      var answer = await fetch(url, {
        method: "POST", body: new URLSearchParams(fields), redirect: "manual", headers: { "HX-Request": "true", "X-CSRFToken": token ? token.value : "" },
      });
      return { status: answer.status, revision: answer.headers.get("Shown-Revision") };
    } catch { return { status: 0 }; }
  }
  async function made(list, edits, revision) {
    await forget(edits);
    others.postMessage({ made: list, revision: revision });
    if (list !== here) { return; }
    all("#kept-refusal > *").forEach(function (told) { told.remove(); });
    if (root.dataset.copyOf) { location.reload(); }
  }

  /* A conflict is decided on the page: made on the present state, or left; either way it waits no more. */
  document.addEventListener("htmx:afterSwap", function (event) {
    var sent = event.detail.requestConfig && event.detail.requestConfig.elt;
    if (!sent || event.target.id !== "detail") { return; }
    var isRepeat = sent.matches("[data-repeat-kept]") && event.detail.xhr.status < 400;
    if (isRepeat) { made(here, ofList(here).filter(function (edit) { return edit.held; }), byId("revision").value).then(show); } else { show(); }
  });
  document.addEventListener("click", function (event) {
    var leave = event.target.closest("[data-leave-kept]"), drop = event.target.closest("[data-kept-drop]");
    if (event.target.closest("[data-kept-send]")) { send(true); }
    if (leave) {
      event.preventDefault();
      forget(ofList(here).filter(function (edit) { return edit.held; })).then(function () { location.assign(leave.href); });
    }
    if (drop && drop.dataset.asked) { forget(ofList(here)).then(function () { location.reload(); }); } else if (drop) {
      drop.dataset.asked = drop.textContent;
      drop.textContent = drop.dataset.sure;
    }
  });

  /* Without a line the search looks through the names and figures of what the add screen offers. */
  document.addEventListener("htmx:sendError", function (event) {
    var asked = event.target.matches(".add-form") ? event.target.elements.q : null;
    if (!asked) { return; }
    event.detail.isTold = true;
    var words = asked.value.toLowerCase().split(/\s+/);
    all("#offers .offer").forEach(function (offer) {
      var text = offer.textContent.toLowerCase();
      offer.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
    });
  }, true);

  /* Signing out throws away what was not sent: said once, done when it is pressed again. */
  document.addEventListener("submit", function (event) {
    var told = byId("kept-at-sign-out");
    if (!told || !/\/sign-out\/$/.test(event.target.action)) { return; }
    for (var key in localStorage) { if (key.startsWith("left ")) { delete localStorage[key]; } }
    if (!kept.length) { return; }
    event.preventDefault();
    if (told.hidden) { told.hidden = false; return; }
    forget(kept).then(function () { event.target.submit(); });
  });

  others.onmessage = function (event) {
    if (event.data.made === here && form() && event.data.revision !== byId("revision").value) { location.reload(); return; }
    read().then(show);
  };
  window.addEventListener("online", function () { send(true); });
  document.addEventListener("visibilitychange", function () { if (document.visibilityState === "visible") { send(false); } });
  setInterval(function () { send(false); }, AGAIN);

  document.addEventListener("DOMContentLoaded", async function () {
    if (!window.indexedDB) { return; }
    here = form() ? location.pathname : "";
    try { db = await open(); } catch { return; }
    var found = await read(), strange = found.filter(function (edit) { return !isMine(edit) && /^user-/.test(edit.whose) && /^user-/.test(whose()); });
    if (strange.length) { forget(strange); }
    var left = takeUp(), mine = left.filter(Boolean);
    kept = kept.concat(mine);
    if (mine.length) { await write(mine); }
    if (mine.length < left.length) { byId("toasts").append(byId("say-unreachable").content.cloneNode(true)); }
    show();
    send(true);
  });

  window.kept = { remember: remember, takes: takes, canKeep: canKeep, take: take, isEmpty: function () { return !kept.length; }, answered: answered };
  function answered(sent, status) { sent.dispatchEvent(new CustomEvent("answered", { detail: status })); }
})();
