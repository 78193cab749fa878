/* A list at the table: turn, phase, score, wounds, what is spent and cast. The state is kept on this device, and can be
   handed on in the fragment of a link, which never reaches a server. */
/* global localStorage, btoa, atob, TextEncoder, TextDecoder */
(function () {
  "use strict";
  var page = null, key = "", state = null, isFromLink = false;

  function all(selector, inside) { return Array.from((inside || page).querySelectorAll(selector)); }
  function one(selector, inside) { return (inside || page).querySelector(selector); }
  function fresh() { return { turn: 1, isTheirs: false, phase: 0, me: 0, foe: 0, lost: {}, spent: {}, cast: {}, reacted: {}, notes: "" }; }

  /* Whatever was kept or came with a link is trusted in its shape only. */
  function read(text) {
    var known = fresh(), found;
    try { found = JSON.parse(text); } catch { return null; }
    if (!found || typeof found !== "object") { return null; }
    Object.keys(known).forEach(function (name) {
      if (typeof found[name] === typeof known[name] && found[name] !== null) { known[name] = found[name]; }
    });
    known.phase = Math.min(Math.max(known.phase | 0, 0), phases() - 1);
    known.turn = Math.min(Math.max(known.turn | 0, 1), 99);
    return known;
  }
  /* What is counted on a state that came with a link stays in the address until its reader decides where to keep it. */
  function keep() {
    if (isFromLink) { history.replaceState(null, "", location.pathname + "#state=" + packed()); }
    else { localStorage.setItem(key, JSON.stringify(state)); }
    show();
  }
  function phases() { return all(".play__now [data-phase]").length; }
  function isEach() { return page.dataset.each === "1"; }

  function packed() {
    var bytes = new TextEncoder().encode(JSON.stringify(state));
    return btoa(String.fromCharCode.apply(null, bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }
  function unpacked(text) {
    try {
      var raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
      return read(new TextDecoder().decode(Uint8Array.from(raw, function (sign) { return sign.charCodeAt(0); })));
    } catch { return null; }
  }

  /* Units */
  function kinds(unit) {
    return all("[data-models]", unit).map(function (row) {
      var number = Number(row.dataset.number), wounds = Number(row.dataset.wounds), id = unit.dataset.fighting + " " + row.dataset.models;
      var lost = Math.min(Math.max(Number(state.lost[id]) || 0, 0), number * wounds);
      var left = Math.ceil((number * wounds - lost) / wounds), isApart = "apart" in row.dataset;
      return { row: row, id: id, number: number, wounds: wounds, all: number * wounds, lost: lost, models: left, isApart: isApart };
    });
  }
  function sum(rows, name) { return rows.reduce(function (total, row) { return total + row[name]; }, 0); }
  /* How much of a unit is left: its models, or the wounds of a single one. What was bought for it, as a transport, may outlive it. */
  function strength(every) {
    var rows = every.filter(function (kind) { return !kind.isApart; }), isSingle = sum(rows, "number") === 1, start = sum(rows, isSingle ? "all" : "number");
    var left = isSingle ? start - sum(rows, "lost") : sum(rows, "models");
    return { isGone: every.length > 0 && sum(every, "models") <= 0, isHalf: left > 0 && left * 2 < start };
  }
  function written(value) { return Number(value).toLocaleString(document.documentElement.lang); }

  function showUnit(unit) {
    var rows = kinds(unit), said = strength(rows), tag = one("[data-state]", unit);
    rows.forEach(function (kind) {
      var left = kind.all - kind.lost;
      one("output", kind.row).textContent = String(left);
      var words = one("[data-left]", kind.row), of = words.dataset.of + " ", many = kind.models + " " + of + kind.number + ", ";
      words.textContent = kind.wounds > 1 ? (kind.number > 1 ? many : "") + words.dataset.ofWounds + "\u00a0" + left + "\u00a0/\u00a0" + kind.all : of + kind.all;
      one("[data-hurt='1']", kind.row).disabled = left <= 0;
      one("[data-hurt='-1']", kind.row).disabled = kind.lost <= 0;
    });
    tag.hidden = !(said.isGone || said.isHalf);
    tag.textContent = said.isGone ? tag.dataset.gone : said.isHalf ? tag.dataset.half : "";
    unit.classList.toggle("play-unit--gone", said.isGone);
    ["spend", "cast"].forEach(function (name) {
      all("[data-" + name + "]", unit).forEach(function (chip) {
        var kept = name === "spend" ? state.spent : state.cast;
        chip.setAttribute("aria-pressed", String(Boolean(kept[unit.dataset.fighting + " " + chip.dataset[name]])));
      });
    });
    return said;
  }
  function show() {
    var whole = 0, left = 0, standing = 0, half = 0, total = 0;
    all("[data-fighting]").forEach(function (unit) {
      var said = showUnit(unit), worth = Number(unit.dataset.points) || 0;
      whole += worth;
      total += 1;
      if (!said.isGone) { left += worth; standing += 1; }
      if (said.isHalf) { half += 1; }
    });
    one("#points-left").textContent = written(left);
    one("#points-all").textContent = written(whole);
    one("#units-left").textContent = standing + " / " + total;
    one("#units-half").textContent = String(half);
    one("#turn").textContent = String(state.turn);
    var whose = one("#whose"), isMine = !state.isTheirs || !isEach();
    whose.textContent = isEach() ? (state.isTheirs ? whose.dataset.theirs : whose.dataset.mine) : "";
    all("[data-phase]").forEach(function (part) { part.hidden = Number(part.dataset.phase) !== state.phase; });
    all("[data-for]").forEach(function (part) { part.hidden = isEach() && (part.dataset.for === "mine") !== isMine; });
    all("[data-reaction]").forEach(function (chip) { chip.setAttribute("aria-pressed", String(Boolean(state.reacted[chip.dataset.reaction]))); });
    all("[data-allotted]").forEach(function (told) {
      var used = Object.keys(state.reacted).length, most = page.dataset.allotment;
      told.textContent = used + (most ? " / " + most : "") + " " + told.dataset.words;
    });
    all("[data-count]").forEach(function (box) { one("output", box).textContent = String(state[box.dataset.count]); });
    one("#phase-back").disabled = state.turn === 1 && !state.isTheirs && state.phase === 0;
    if (one("#play-notes") !== document.activeElement) { one("#play-notes").value = state.notes; }
    one("#play-from-link").hidden = !isFromLink;
  }

  /* Turns */
  function step(way) {
    var sides = isEach() ? 2 : 1;
    var at = ((state.turn - 1) * sides + (state.isTheirs ? 1 : 0)) * phases() + state.phase + way;
    if (at < 0) { return; }
    state.phase = at % phases();
    var side = Math.floor(at / phases());
    var turn = Math.floor(side / sides) + 1, isTheirs = side % sides === 1;
    if (turn !== state.turn || isTheirs !== state.isTheirs) { state.cast = {}; }
    state.turn = turn;
    state.isTheirs = isTheirs;
    state.reacted = {};
    keep();
  }
  function toggle(kept, id) { if (kept[id]) { delete kept[id]; } else { kept[id] = 1; } }

  function press(event) {
    var button = event.target.closest("button"), unit = event.target.closest("[data-fighting]"), box;
    if (!button) { return; }
    if (button.id === "phase-next") { step(1); }
    if (button.id === "phase-back") { step(-1); }
    if (button.dataset.add) {
      box = button.closest("[data-count]").dataset.count;
      state[box] = Math.max(state[box] + Number(button.dataset.add), 0);
      keep();
    }
    if (button.dataset.hurt) {
      box = button.closest("[data-models]");
      var kind = kinds(unit).filter(function (row) { return row.row === box; })[0];
      state.lost[kind.id] = Math.min(Math.max(kind.lost + Number(button.dataset.hurt), 0), kind.all);
      keep();
    }
    if (button.dataset.spend) { toggle(state.spent, unit.dataset.fighting + " " + button.dataset.spend); keep(); }
    if (button.dataset.cast) { toggle(state.cast, unit.dataset.fighting + " " + button.dataset.cast); keep(); }
    if (button.dataset.reaction) { toggle(state.reacted, button.dataset.reaction); keep(); }
    if (button.id === "play-share") { handOn(button); }
    if (button.id === "play-keep") {
      isFromLink = false;
      history.replaceState(null, "", location.pathname);
      keep();
    }
    if (button.id === "play-mine") {
      isFromLink = false;
      history.replaceState(null, "", location.pathname);
      begin();
    }
    if (button.id === "play-anew") { anew(button); }
  }
  function handOn(button) {
    var link = page.dataset.shared + "#state=" + packed();
    if (navigator.share && matchMedia("(pointer: coarse)").matches) { navigator.share({ url: link }).catch(function () {}); return; }
    navigator.clipboard.writeText(link).then(function () { one("span", button).textContent = button.dataset.copied; });
  }
  function anew(button) {
    if (!button.dataset.asked) {
      button.dataset.asked = button.textContent;
      button.textContent = button.dataset.sure;
      setTimeout(function () { button.textContent = button.dataset.asked; delete button.dataset.asked; }, 5000);
      return;
    }
    state = fresh();
    keep();
  }

  function begin() {
    var sent = /[#&]state=([\w-]+)/.exec(location.hash), given = sent && unpacked(sent[1]);
    isFromLink = Boolean(given);
    state = given || read(localStorage.getItem(key) || "") || fresh();
    show();
  }
  document.addEventListener("DOMContentLoaded", function () {
    page = document.getElementById("play");
    if (!page) { return; }
    key = "play " + page.dataset.list;
    page.addEventListener("click", press);
    one("#play-notes").addEventListener("input", function (event) { state.notes = event.target.value; keep(); });
    begin();
  });
  window.addEventListener("hashchange", function () { if (page) { begin(); } });
  window.addEventListener("storage", function (event) { if (page && event.key === key && !isFromLink) { begin(); } });
})();
