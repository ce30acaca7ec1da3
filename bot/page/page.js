"use strict";
// Shows a game again. The page's data has every position, as the facts that each action changed, and every sentence.
// So this script knows no rule of the game: it keeps the facts of one position, and draws those that change.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const { players, moments, places, names, words } = data;
  let end = -1;

  // --- positions

  const facts = {};
  let at = -1;

  /** Change the facts; returns what undoes the change. A null is no fact. */
  function apply(changes) {
    const before = {};
    for (const [name, fact] of Object.entries(changes)) {
      before[name] = facts[name] ?? null;
      if (fact === null) delete facts[name];
      else facts[name] = fact;
    }
    return before;
  }

  const points = players.map(() => []);
  const turns = [];  // the moment with which each turn begins; setup is turn 0
  const back = [];  // what undoes each moment

  /** Go on to the next moment; the first time, note what it takes to come back. */
  function goOn() {
    const before = apply(moments[++at].set);
    if (at < back.length) return before;
    back.push(before);
    players.forEach((_, seat) => points[seat].push(facts[`points.${seat}`]));
    while (turns.length <= facts.turn) turns.push(at);
    end = at;
    return before;
  }

  /** Go to a moment; returns the names of the facts that changed on the way. */
  function travel(to) {
    const changed = new Set();
    const note = (changes) => Object.keys(changes).forEach((name) => changed.add(name));
    while (at < to) note(goOn());
    while (at > to) note(apply(back[at--]));
    return changed;
  }

  // --- words

  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const sum = (counts) => counts.reduce((a, b) => a + b, 0);
  const named = (seat) => say(facts[`left.${seat}`] ? "left" : "name", { name: players[seat].name });

  /** Development cards in words; only their number if no one can know which. */
  function hand(cards) {
    if (!Array.isArray(cards)) return String(cards);
    const held = cards.map((n, kind) => n && say("times", { n, what: data.developments[kind] })).filter(Boolean);
    return held.join(", ") || words.none;
  }

  function turnInWords() {
    const { turn, round, seat } = facts;
    if (!turn) return words.setup;
    return seat === undefined ? say("turn", { turn, round }) : say("whose", { turn, round, name: players[seat].name });
  }

  // --- the page's parts

  /** Show a text; nothing is laid out again if it is there already. */
  function show(element, text) {
    if (element.textContent !== String(text)) element.textContent = text;
  }

  /** A new element with a text, in another one. Names are only ever text. */
  function add(parent, tag, text = "", className = "") {
    const element = parent.appendChild(document.createElement(tag));
    element.textContent = text;
    element.className = className;
    return element;
  }

  /** A number in a table. It is laid out by itself, so the table isn't laid out again. */
  const addCell = (row, number = "") => add(add(row, "td"), "span", number, "number");

  function addDrawn(parent, tag, attributes) {
    const element = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", tag));
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  function chip(parent, seat) {
    const { color, mark } = players[seat];
    add(parent, "span", mark, `chip ${color}`).setAttribute("aria-hidden", "true");
  }

  /** Where a piece stands or stood, and the symbols of the piece and of the mark that it is new. */
  function placed(name, fact) {
    const [kind, id] = name.split(".");
    if (name === "robber") {
      const [x, y, middle] = places.hex[fact] ?? [];
      return { layer: "hexes", x, y, symbol: `robber-${middle}`, mark: `new-robber-${middle}`, owner: "" };
    }
    const [x, y, angle = ""] = places[kind][id];
    const [seat, piece] = fact;
    const mark = kind === "edge" ? `new-road${angle}` : "new-building";
    return { layer: `${kind}s`, x, y, symbol: `${piece}${angle}`, mark, owner: players[seat].color };
  }

  const isPiece = (name) => /^(node|edge)\.|^robber$/.test(name);
  const pieces = new Map();

  function drawBoard(changed) {
    for (const name of changed) {
      if (!isPiece(name)) continue;
      pieces.get(name)?.remove();
      pieces.delete(name);
      if (facts[name] === undefined || facts[name] < 0) continue;
      const { layer, x, y, symbol, owner } = placed(name, facts[name]);
      pieces.set(name, addDrawn(byId(layer), "use", { href: `#${symbol}`, x, y, class: owner }));
    }
    byId("marks").replaceChildren();
    const mark = (symbol, { x, y }) => addDrawn(byId("marks"), "use", { href: `#${symbol}`, x, y });
    for (const name of at ? Object.keys(moments[at].set) : []) {
      if (pieces.has(name)) {
        const place = placed(name, facts[name]);
        mark(place.mark, place);
      }
      if (name === "robber" && back[at].robber >= 0) {
        const left = placed(name, back[at].robber);
        mark(`old-${left.symbol}`, left);
      }
    }
    for (const [x, y, number] of moments[at].giving.map((hex) => places.hex[hex])) mark(`golden-${number}`, { x, y });
  }

  /** A place for resource cards; returns what shows a hand there. Only the numbers of a hand ever change. */
  function addHand(parent) {
    const list = add(parent, "p", "", "hand");
    const numbers = data.resources.map((name) => {
      const kind = add(list, "span");
      const number = add(kind, "b", "", "number");
      add(kind, "span", ` ${name}`);
      return number;
    });
    return (cards) => numbers.forEach((number, kind) => show(number, cards[kind]));
  }

  const seats = players.map((player, seat) => {
    const item = add(byId("players"), "li");
    const title = add(item, "h3");
    chip(title, seat);
    const name = add(title, "span");
    const points = add(title, "span", "", "points");
    add(title, "span", words.on_turn, "unseen");
    const line = (className) => add(item, "p", "", className);
    const count = data.over ? null : line();
    const showHand = data.over ? addHand(item) : (cards) => show(count, say("hand", { cards }));
    return { item, name, points, showHand, cards: line(), more: line("quiet") };
  });
  const bank = add(byId("players"), "li");
  add(bank, "h3", words.bank);
  const showBank = addHand(bank);
  const deck = add(bank, "p");

  const OWN = ["points", "hidden", "hand", "cards", "played", "length", "left"];
  const SHARED = ["turn", "seat", "road", "army"];

  function drawPlayers(changed) {
    const all = SHARED.some((name) => changed.has(name));
    seats.forEach((parts, seat) => {
      if (all || OWN.some((name) => changed.has(`${name}.${seat}`))) drawPlayer(parts, seat);
    });
    showBank(facts.bank);
    show(deck, say("deck", { n: facts.deck }));
  }

  function drawPlayer({ item, name, points, showHand, cards, more }, seat) {
    const fact = (kind) => facts[`${kind}.${seat}`];
    item.classList.toggle("on-turn", facts.seat === seat);
    show(name, named(seat));
    show(points, say("points", { n: fact("points") }));
    showHand(fact("hand"));
    show(cards, say("cards", { cards: hand(fact("cards")) }));
    show(more, [
      fact("hidden") && say("hidden", { n: fact("hidden") }),
      sum(fact("played")) && say("played", { cards: hand(fact("played")) }),
      say("length", { n: fact("length") }),
      facts.road === seat && `🏆 ${data.awards[0]}`,
      facts.army === seat && `🏆 ${data.awards[1]}`,
    ].filter(Boolean).join(" · "));
  }

  let shownTurn = -1;

  function drawStory() {
    const list = byId("story");
    if (facts.turn !== shownTurn) {
      shownTurn = facts.turn;
      const until = turns[shownTurn + 1] ?? moments.length;
      list.replaceChildren();
      for (let number = turns[shownTurn]; number < until; number++) {
        const button = add(add(list, "li"), "button", moments[number].told);
        button.dataset.moment = number;
      }
    }
    for (const button of list.querySelectorAll("button")) {
      if (Number(button.dataset.moment) !== at) button.removeAttribute("aria-current");
      else button.setAttribute("aria-current", "step");
    }
    list.scrollTop = list.querySelector("[aria-current]").offsetTop - list.clientHeight / 2;
  }

  const sums = Array.from({ length: 11 }, (_, k) => {
    const row = add(byId("dice").tBodies[0], "tr");
    add(row, "th", k + 2).scope = "row";
    const cells = [addCell(row), addCell(row)];
    const bar = add(add(row, "td"), "div", "", "bar");
    return { number: k + 2, cells, bar };
  });
  const ways = new Map();  // cells by the names of their facts
  for (const [way, title] of Object.entries(data.ways)) {
    const row = add(byId("ways").tBodies[0], "tr");
    add(row, "th", title).scope = "row";
    players.forEach((_, seat) => ways.set(`${way}.${seat}`, addCell(row, 0)));
  }
  players.forEach((player, seat) => {
    const head = add(byId("ways").tHead.rows[0], "th");
    head.scope = "col";
    chip(head, seat);
    add(head, "span", player.name);
  });

  function drawStats(changed) {
    const total = sum(facts.rolls);
    const most = Math.max(...facts.rolls, total / 6, 1);
    show(byId("rolls"), say("rolls", { n: total }));
    for (const { number, cells, bar } of changed.has("rolls") ? sums : []) {
      const expected = (total * (6 - Math.abs(7 - number))) / 36;
      show(cells[0], facts.rolls[number]);
      show(cells[1], expected.toFixed(1));
      bar.style.setProperty("--share", facts.rolls[number] / most);
      bar.style.setProperty("--expected", expected / most);
    }
    for (const name of changed) {
      if (ways.has(name)) show(ways.get(name), facts[name] ?? 0);
    }
  }

  const inWords = [...players, null].map(() => add(byId("words"), "li"));

  function drawWords() {
    if (!byId("words").parentElement.open) return;
    const standing = players.map(() => []);
    for (const name of Object.keys(facts)) {
      const [kind, id] = name.split(".");
      if (kind !== "node" && kind !== "edge") continue;
      const [seat, piece] = facts[name];
      standing[seat].push(say(piece, { place: names[kind][id] }));
    }
    standing.forEach((found, seat) => {
      show(inWords[seat], say("stands", { name: named(seat), places: found.sort().join(", ") || words.none }));
    });
    show(inWords.at(-1), facts.robber < 0 ? words.robber_off : say("robber", { place: names.hex[facts.robber] }));
  }

  /** The points of all players from beginning to end, in the order of the slider. */
  function drawCourse() {
    byId("course").replaceChildren();
    const most = Math.max(...points.flat(), 1);
    const x = (number) => (1000 * number) / Math.max(end, 1);
    points.forEach((course, seat) => {
      const corners = course.flatMap((n, number) =>
        number && n === course[number - 1] ? [] : [[x(number), course[number - 1] ?? n], [x(number), n]]);
      corners.push([1000, course[end]]);
      const line = corners.map(([left, n]) => `${left.toFixed(1)},${(97 - (94 * n) / most).toFixed(1)}`).join(" ");
      for (const look of ["outline", players[seat].color]) addDrawn(byId("course"), "polyline", { class: look, points: line });
    });
    here = addDrawn(byId("course"), "line", { id: "here", y1: 0, y2: 100 });
    slider.max = end;
  }

  let here = null;
  const slider = byId("slider");

  function draw(changed) {
    const text = say("moment", { turn: turnInWords(), told: moments[at].told });
    show(byId("told"), text);
    show(byId("newest"), moments[at].new);
    slider.value = at;
    slider.setAttribute("aria-valuetext", text);
    here.setAttribute("x1", (1000 * at) / Math.max(end, 1));
    here.setAttribute("x2", (1000 * at) / Math.max(end, 1));
    drawBoard(changed);
    if (parts.every((part) => !part.changed.size)) inAFrame(catchUp);
    for (const part of parts) changed.forEach((name) => part.changed.add(name));
    document.dispatchEvent(new Event("moved"));
  }

  /** What follows the board, one part in each frame, so that no frame takes long. */
  const parts = [drawPlayers, drawStory, drawStats, drawWords].map((draw) => ({ draw, changed: new Set() }));
  const inAFrame = (work) => requestAnimationFrame(() => requestAnimationFrame(work));

  function catchUp() {
    const { draw, changed } = parts.find((part) => part.changed.size) ?? {};
    if (!draw) return false;
    draw(changed);
    changed.clear();
    inAFrame(catchUp);
    return true;
  }

  const go = (to) => draw(travel(Math.max(0, Math.min(end, to))));

  /** Go to where the turn begins, or to where the one before or after it does. */
  function goTurn(by) {
    const { turn } = facts;
    if (by < 0) go(at > turns[turn] ? turns[turn] : turns[turn - 1] ?? 0);
    else go(turns[turn + 1] ?? end);
  }

  // --- what the reader does

  let timer = 0;

  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => (at < end ? go(at + 1) : play(false)), Number(byId("speed").value)) : 0;
    show(byId("play"), on ? "❚❚" : "▶");
    byId("play").ariaLabel = on ? words.pause : words.play;
  }

  function toggle() {
    if (!timer && at === end) go(0);
    play(!timer);
  }

  const moves = {
    first: () => go(0),
    last: () => go(end),
    back: () => go(at - 1),
    on: () => go(at + 1),
    "turn-back": () => goTurn(-1),
    "turn-on": () => goTurn(1),
  };
  const byHand = (move) => {
    play(false);
    moves[move]();
  };
  for (const move of Object.keys(moves)) byId(move).addEventListener("click", () => byHand(move));
  byId("play").addEventListener("click", toggle);
  byId("speed").addEventListener("change", () => timer && play(true));
  slider.addEventListener("input", () => {
    play(false);
    go(Number(slider.value));
  });
  byId("story").addEventListener("click", ({ target }) => {
    if (!target.dataset.moment) return;
    play(false);
    go(Number(target.dataset.moment));
  });

  const groups = [];

  /** Add to what the reader can jump to: for each of the lists, more of what it has. */
  function addJumps(more) {
    more.forEach((found, n) => {
      if (!found.length) return;
      groups[n] ??= document.createElement("optgroup");
      groups[n].label = data.jumps[n].to;
      for (const [number, told] of found) add(groups[n], "option", told).value = number;
    });
    byId("jump").append(...groups.filter(Boolean));
  }

  byId("jump").addEventListener("change", ({ target }) => {
    if (!target.value) return;
    play(false);
    go(Number(target.value));
  });

  const keys = {
    ArrowLeft: "back", ArrowRight: "on", PageUp: "turn-back", PageDown: "turn-on", Home: "first", End: "last",
  };
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Elsewhere on the page these keys scroll, choose and press, as everywhere.
    if (target !== document.body && (!target.closest("#player, #story") || target.tagName === "SELECT")) return;
    if (key === " " && (target === document.body || target === slider)) toggle();
    else if (key in keys) byHand(keys[key]);
    else return;
    event.preventDefault();
  });

  let touch = null;
  const board = byId("board");
  board.addEventListener("pointerdown", ({ clientX, clientY }) => (touch = [clientX, clientY]));
  board.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!touch) return;
    const [x, y] = [clientX - touch[0], clientY - touch[1]];
    touch = null;
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) byHand(x < 0 ? "on" : "back");
  });

  byId("palette").addEventListener("change", ({ target }) => {
    document.documentElement.dataset.palette = target.checked ? "colorblind" : "standard";
  });
  byId("named").addEventListener("change", ({ target }) => {
    board.dataset.names = target.checked ? "nodes edges hexes" : "";
  });
  byId("words").parentElement.addEventListener("toggle", drawWords);

  /** Add what has happened meanwhile. A reader who looks at the end stays there; others stay where they are. */
  function follow(more, jumps) {
    const seen = at, latest = at === end, playing = timer;
    const changed = travel(end);
    moments.push(...more);
    travel(moments.length - 1).forEach((name) => changed.add(name));
    drawCourse();
    addJumps(jumps);
    shownTurn = -1;
    if (!latest || playing) travel(seen);
    draw(changed);
  }

  // It opens where the address says, at the end of a game that runs, or at the beginning.
  travel(moments.length - 1);
  const everything = new Set(Object.keys(facts));
  drawCourse();
  addJumps(data.jumps.map(({ at: found }) => found));
  const asked = location.hash.slice(1);
  const begin = asked === "end" || (!asked && !data.over) ? end : Math.min(Number(asked) || 0, end);
  travel(begin).forEach((name) => everything.add(name));
  draw(everything);

  const position = () => {
    while (catchUp());
    return { ...facts };
  };
  window.harbormaster = { get at() { return at; }, get last() { return end; }, go, follow, position };
})();
