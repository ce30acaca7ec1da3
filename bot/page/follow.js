"use strict";
// Follows a running game, where its page is served: asks for what happened meanwhile, and hands it to the player.
(() => {
  const GONE = 120000;  // milliseconds for which a page that isn't there may come back
  const byId = (id) => document.getElementById(id);
  const { number, mark: begun, words } = JSON.parse(byId("follow").textContent);
  const player = window.harbormaster;
  let mark = begun;  // of what the page shows
  let news = 0;  // actions that the reader hasn't seen
  let lost = false;
  let missing = null;  // since when there is no such page
  let wait = 5000;  // milliseconds until what was refused is tried again
  let source = null;  // the connection
  let retry = 0;

  function say() {
    const text = lost ? words.lost : news ? words.news.replace("{n}", news) : words.live;
    if (byId("state").textContent !== text) byId("state").textContent = text;
    const latest = player.at === player.last;
    if (byId("latest").hidden !== latest) byId("latest").hidden = latest;
  }

  function tryAgain(what) {
    lost = true;
    say();
    clearTimeout(retry);
    retry = setTimeout(what, wait * (1 + Math.random()));
    wait = Math.min(2 * wait, 60000);
  }

  function more({ data, lastEventId }) {
    const { moments, jumps, now } = JSON.parse(data);
    const before = player.last;
    player.follow(moments, jumps);
    mark = lastEventId;
    news = player.at === player.last ? 0 : news + player.last - before;
    byId("result").textContent = now.result;
    byId("detail").textContent = now.detail;
    document.title = document.title.replace(/:.*/s, `: ${now.result}`);
    say();
  }

  /** Load the page again: something was undone, or the game is over. The reader stays where they are. */
  function load() {
    location.replace(`#${player.at === player.last ? "end" : player.at}`);
    location.reload();
  }

  /** Ask whether the page is still there before something is done: whatever else came would take its place. Once it is
   * gone for good, that is what the reader is to see. A server that has just started says so, too, until Discord has
   * answered who can see the game. */
  async function ifThere(act) {
    const asked = fetch(number, { method: "HEAD", cache: "no-store" });
    const status = await asked.then((answer) => answer.status, () => 0);
    missing = status === 404 ? missing ?? performance.now() : null;
    if (missing !== null && performance.now() - missing >= GONE) load();
    else if (status === 200) act();
    else tryAgain(() => ifThere(act));
  }

  function connect() {
    source = new EventSource(`${number}/events?from=${mark}`);
    source.addEventListener("open", () => {
      wait = 5000;
      lost = false;
      say();
    });
    source.addEventListener("more", more);
    source.addEventListener("reset", () => {
      source.close();
      document.removeEventListener("visibilitychange", seen);
      setTimeout(() => ifThere(load), 200 + 1000 * Math.random());  // not all readers at once
    });
    source.addEventListener("error", () => {
      lost = true;
      say();
      if (source.readyState === EventSource.CLOSED) tryAgain(() => ifThere(seen));  // else the browser does by itself
    });
  }

  /** Connect only while the page is seen: a browser that has six connections to a host may open no other page of it. */
  function seen() {
    clearTimeout(retry);
    source?.close();
    if (!document.hidden) connect();
  }

  document.addEventListener("moved", () => {
    if (player.at === player.last) news = 0;
    say();
  });
  byId("latest").addEventListener("click", () => {
    player.go(player.last);
    byId("slider").focus();
  });
  if (location.protocol === "file:") byId("live").hidden = true;  // someone has kept the page
  else {
    document.addEventListener("visibilitychange", seen);
    say();
    seen();
  }
})();
