"use strict";
// Follows a running game, where its page is served: asks for what happened meanwhile, and hands it to the player.
(() => {
  const byId = (id) => document.getElementById(id);
  const { number, mark: begun, words } = JSON.parse(byId("follow").textContent);
  const player = window.harbormaster;
  let mark = begun;  // of what the page shows
  let news = 0;  // actions that the reader hasn't seen
  let wait = 5000;  // milliseconds until a connection that was refused is tried again

  function say(lost) {
    byId("state").textContent = lost ? words.lost : news ? words.news.replace("{n}", news) : words.live;
    byId("latest").hidden = !news;
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
    say(false);
  }

  /** Load the page again: something was undone, or the game is over. The reader stays where they are. */
  function again() {
    const place = player.at === player.last ? "end" : player.at;
    // Not all readers at once.
    setTimeout(() => {
      location.replace(`#${place}`);
      location.reload();
    }, 200 + 1000 * Math.random());
  }

  function connect() {
    const source = new EventSource(`${number}/events?from=${mark}`);
    source.addEventListener("open", () => {
      wait = 5000;
      say(false);
    });
    source.addEventListener("more", more);
    source.addEventListener("reset", () => {
      source.close();
      again();
    });
    source.addEventListener("error", () => {
      say(true);
      if (source.readyState !== EventSource.CLOSED) return;  // else the browser tries again by itself
      setTimeout(connect, wait * (1 + Math.random()));
      wait = Math.min(2 * wait, 60000);
    });
  }

  document.addEventListener("moved", () => {
    if (!news || player.at !== player.last) return;
    news = 0;
    say(false);
  });
  byId("latest").addEventListener("click", () => {
    player.go(player.last);
    byId("slider").focus();
  });
  if (location.protocol === "file:") byId("live").hidden = true;  // someone has kept the page
  else connect();
})();
