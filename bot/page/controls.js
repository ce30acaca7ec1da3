"use strict";
// The player's controls: buttons, the slider, keys, a finger on the board, and what the reader can jump to.
(() => {
  const byId = (id) => document.getElementById(id);
  const player = window.harbormaster;
  const { words, jumps, go, goTurn } = player;
  const slider = byId("slider");
  let timer = 0;

  function play(on) {
    clearInterval(timer);
    const next = () => (player.at < player.last ? go(player.at + 1) : play(false));
    if (on !== Boolean(timer)) {
      byId("play").textContent = on ? "❚❚" : "▶";
      byId("play").ariaLabel = on ? words.pause : words.play;
    }
    timer = on ? setInterval(next, Number(byId("speed").value)) : 0;
  }

  function toggle() {
    if (!timer && player.at === player.last) go(0);
    play(!timer);
  }

  const moves = {
    first: () => go(0),
    last: () => go(player.last),
    back: () => go(player.at - 1),
    on: () => go(player.at + 1),
    "turn-back": () => goTurn(-1),
    "turn-on": () => goTurn(1),
  };

  function byHand(move) {
    play(false);
    move();
  }

  for (const [id, move] of Object.entries(moves)) byId(id).addEventListener("click", () => byHand(move));
  byId("play").addEventListener("click", toggle);
  byId("speed").addEventListener("change", () => timer && play(true));
  slider.addEventListener("input", () => byHand(() => go(slider.valueAsNumber)));
  byId("story").addEventListener("click", ({ target }) => {
    const line = target.closest("button");
    if (line) byHand(() => go(Number(line.dataset.moment)));
  });

  const groups = [];

  /** Add to what the reader can jump to: for each of the lists, more of what it has. */
  function addJumps(more) {
    more.forEach((found, n) => {
      if (!found.length) return;
      groups[n] ??= document.createElement("optgroup");
      groups[n].label = jumps[n].to;
      for (const [number, told] of found) groups[n].append(new Option(told, number));
    });
    byId("jump").append(...groups.filter(Boolean));
  }

  addJumps(jumps.map(({ at }) => at));
  const jump = byId("jump");
  let jumping = false;
  jump.addEventListener("change", () => {
    if (!jump.value) return;
    jumping = true;
    byHand(() => go(Number(jump.value)));
    jumping = false;
  });
  // Arrow keys go on from what was chosen. Once the reader is elsewhere, the same can be chosen again.
  const forget = () => {
    if (!jumping && jump.value) jump.value = "";
  };
  jump.addEventListener("blur", forget);
  document.addEventListener("moved", forget);

  const keys = {
    ArrowLeft: "back", ArrowRight: "on", PageUp: "turn-back", PageDown: "turn-on", Home: "first", End: "last",
  };
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Elsewhere on the page these keys scroll, choose and press, as everywhere.
    if (target !== document.body && (!target.closest("#player, #story") || target.tagName === "SELECT")) return;
    if (key === " " && (target === document.body || target === slider)) toggle();
    else if (key in keys) byHand(moves[keys[key]]);
    else return;
    event.preventDefault();
  });

  let touch = null;
  const board = byId("board");
  const zoomed = () => (window.visualViewport?.scale ?? 1) > 1.01;
  // Then a finger moves what is seen.
  window.visualViewport?.addEventListener("resize", () => board.classList.toggle("zoomed", zoomed()));
  board.addEventListener("pointerdown", ({ clientX, clientY }) => (touch = zoomed() ? null : [clientX, clientY]));
  board.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!touch) return;
    const [x, y] = [clientX - touch[0], clientY - touch[1]];
    touch = null;
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) byHand(x < 0 ? moves.on : moves.back);
  });

  byId("palette").addEventListener("change", ({ target }) => {
    document.documentElement.dataset.palette = target.checked ? "colorblind" : "standard";
  });
  byId("named").addEventListener("change", ({ target }) => {
    board.dataset.names = target.checked ? "nodes edges hexes" : "";
  });

  /** Add what has happened meanwhile. A reader who looks at an earlier position, or lets it play, stays there. */
  player.follow = (more, newJumps) => {
    addJumps(newJumps);
    player.grow(more, Boolean(timer));
  };
})();
