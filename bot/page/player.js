"use strict";
// Shows a game again. The page's data has every position, as the facts that each action changed, and every sentence.
// So this script knows no rule of the game: it keeps the facts of one position, and draws those that change.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const { players, moments, names, words } = data;
  const board = window.harbormasterBoard(data);
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
    board.prepare(moments[at], before);
    players.forEach((_, seat) => points[seat].push(facts[`points.${seat}`]));
    while (turns.length <= facts.turn) turns.push(at);
    noteLines(moments[at].set);
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

  const listed = (parts) => parts.length ? parts.reduce((before, next) => say("listed", { before, next })) : "";

  function decimal(value) {
    const [whole, tenths] = value.toFixed(1).split(".");
    return say("decimal", { whole, tenths });
  }

  /** Development cards in words; only their number if no one can know which. */
  function hand(cards) {
    if (!Array.isArray(cards)) return String(cards);
    const held = cards.map((n, kind) => n && say("times", { n, what: data.developments[kind] })).filter(Boolean);
    return listed(held) || words.none;
  }

  function turnInWords() {
    const { turn, round, seat } = facts;
    if (!turn) return words.setup;
    return seat === undefined ? say("turn", { turn, round }) : say("whose", { turn, round, name: players[seat].name });
  }

  // --- the page's parts

  const SIGNS = /((?:\p{Extended_Pictographic}[\p{Emoji_Modifier}\u200d\ufe0f\u{e0020}-\u{e007f}]*)+)/u;

  /** Change a text in place, if it isn't there already. Names are only ever text. */
  function write(parent, text) {
    const node = parent.firstChild ?? parent.appendChild(new Text());
    if (node.data !== String(text)) node.data = text;
  }

  const shown = new WeakMap();  // texts by their elements

  /** Show a text that may have signs in it, likewise: between its parts there are elements for the signs. */
  function show(element, text) {
    if (shown.get(element) === text) return;
    shown.set(element, text);
    const parts = text.split(SIGNS), { childNodes } = element;
    parts.forEach((part, n) => {
      // Fonts rarely have signs like 🎲. By itself, each is looked for only once; within a text, it is each time.
      if (n % 2) write(childNodes[n] ?? add(element, "span", "", "sign"), part);
      else if (childNodes[n]?.data !== part) (childNodes[n] ?? element.appendChild(new Text())).data = part;
    });
    while (childNodes.length > parts.length) element.lastChild.remove();
  }

  /** A new element with a text, in another one. */
  function add(parent, tag, text = "", className = "") {
    const element = parent.appendChild(document.createElement(tag));
    element.className = className;
    element.textContent = text;
    return element;
  }

  /** A number in a table. It is laid out by itself, so the table isn't laid out again. */
  const addCell = (row, number = "") => add(add(row, "td"), "span", number, "number");

  function chip(parent, seat) {
    const { color, mark } = players[seat];
    add(parent, "span", mark, `chip ${color}`).setAttribute("aria-hidden", "true");
  }

  const { factsOf, drawPlayer, markTurn, drawBank, noteLines, makeRoom, isRoomy } = window.harbormasterCards({
    data, facts, say, sum, hand, named, write, show, add, chip,
  });

  const LINES = 4;  // of the story in a frame
  let told = -1;  // the turn that the story is about
  let lines = 0;  // how many of its lines are there
  let current = null;

  /** Draw some lines of the story; whether there are more. */
  function drawStory() {
    const list = byId("story"), first = turns[facts.turn];
    const count = (turns[facts.turn + 1] ?? moments.length) - first;
    if (facts.turn !== told) lines = 0;
    told = facts.turn;
    const until = Math.min(lines + LINES, count), more = lines < until;
    for (; lines < until; lines++) {
      const line = list.children[lines]?.firstElementChild ?? add(add(list, "li"), "button");
      show(line, moments[first + lines].told);
      line.dataset.moment = first + lines;
    }
    if (more) return true;
    while (list.childElementCount > count) list.lastElementChild.remove();
    current?.removeAttribute("aria-current");
    current = list.children[at - first].firstElementChild;
    current.setAttribute("aria-current", "step");
    byId("lines").scrollTop = current.offsetTop - byId("lines").clientHeight / 2;
    return false;
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

  function drawDice() {
    const total = sum(facts.rolls);
    const most = Math.max(...facts.rolls, total / 6, 1);
    write(byId("rolls"), say("rolls", { n: total }));
    for (const { number, cells, bar } of sums) {
      const expected = (total * (6 - Math.abs(7 - number))) / 36;
      write(cells[0], facts.rolls[number]);
      write(cells[1], decimal(expected));
      bar.style.backgroundSize = `3px 100%, ${(100 * facts.rolls[number]) / most}% 12px`;
      bar.style.backgroundPosition = `${(100 * expected) / most}%, left`;
    }
  }

  const drawWays = (changed) => changed.forEach((name) => write(ways.get(name), facts[name] ?? 0));

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
      show(inWords[seat], say("stands", { name: named(seat), places: listed(found.sort()) || words.none }));
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
      for (const look of ["outline", players[seat].color]) {
        const drawn = byId("course").appendChild(document.createElementNS("http://www.w3.org/2000/svg", "polyline"));
        drawn.setAttribute("class", look);
        drawn.setAttribute("points", line);
      }
    });
    slider.max = end;
  }

  const slider = byId("slider");

  function drawCaption() {
    const text = say("moment", { turn: turnInWords(), told: moments[at].told });
    show(byId("told"), text);
    show(byId("newest"), moments[at].new);
    slider.setAttribute("aria-valuetext", text);
    markTurn();
    byId("way").style.backgroundPosition = `${(100 * at) / Math.max(end, 1)}%`;
  }

  function draw(changed) {
    slider.value = at;
    for (const { shows, changed: names } of takers.flat()) [...changed].filter(shows).forEach((name) => names.add(name));
    [onBoard, caption, story].forEach((part) => part.changed.add(""));  // an offer, for example, changes no fact
    if (!waiting) waiting = requestAnimationFrame(eachFrame);
    document.dispatchEvent(new Event("moved"));
  }

  /** What is drawn in turn: one part in a frame, or some of it, so that no frame takes long. */
  const part = (draw, shows) => ({ draw, shows, changed: new Set() });
  const onBoard = part((changed) => board.draw(facts, changed, at), board.isPiece);
  const caption = part(drawCaption, () => false);
  const story = part(drawStory, () => false);
  const TOGETHER = 3;  // players' cards
  const cards = Array.from({ length: Math.ceil(players.length / TOGETHER) }, (_, n) => {
    const some = factsOf.slice(n * TOGETHER, (n + 1) * TOGETHER);
    const draw = (changed) => some.forEach((own, k) => {
      if ([...changed].some((name) => own.has(name))) drawPlayer(n * TOGETHER + k);
    });
    return part(draw, (name) => some.some((own) => own.has(name)));
  });
  const others = [
    ...cards,
    part(drawBank, (name) => name === "bank" || name === "deck"),
    story,
    part(drawDice, (name) => name === "rolls"),
    part(drawWays, (name) => ways.has(name)),
    part(drawWords, (name) => board.isPiece(name) || name.startsWith("left.")),
  ];
  const takers = [[onBoard], [caption], others];
  let waiting = 0;

  function eachFrame() {
    waiting = catchUp() ? requestAnimationFrame(eachFrame) : 0;
  }

  /** Draw a part that isn't up to date, or some of it; whether there was one. While the reader drags the slider, all
   * change all the time: so board, caption and one of the others have the next frame in turn. */
  function catchUp() {
    const due = (part) => part.changed.size;
    const taker = takers.find((taker) => taker.some(due));
    if (!taker) return false;
    const next = taker.find(due);
    if (!next.draw(next.changed)) next.changed.clear();
    putLast(taker, next);
    putLast(takers, taker);
    return true;
  }

  const putLast = (list, one) => list.push(...list.splice(list.indexOf(one), 1));

  const go = (to) => draw(travel(Math.max(0, Math.min(end, to))));

  /** Go to where the turn begins, or to where the one before or after it does. */
  function goTurn(by) {
    const { turn } = facts;
    if (by < 0) go(at > turns[turn] ? turns[turn] : turns[turn - 1] ?? 0);
    else go(turns[turn + 1] ?? end);
  }

  byId("words").parentElement.addEventListener("toggle", drawWords);

  /** Add what has happened meanwhile. A reader at the end goes to the new end, unless they are to stay. */
  function grow(more, stay) {
    const seen = at, latest = at === end;
    const changed = travel(end);
    moments.push(...more);
    travel(moments.length - 1).forEach((name) => changed.add(name));
    drawCourse();
    if (!latest || stay) travel(seen);
    if (!isRoomy()) makeRoom();
    draw(changed);
  }

  // It opens where the address says, at the end of a game that runs, or at the beginning.
  travel(moments.length - 1);
  const everything = new Set(Object.keys(facts));
  drawCourse();
  const asked = location.hash.slice(1);
  const begin = asked === "end" || (!asked && !data.over) ? end : Math.max(0, Math.min(Number(asked) || 0, end));
  travel(begin).forEach((name) => everything.add(name));
  draw(everything);
  new ResizeObserver(makeRoom).observe(byId("caption"));  // its size is that of the page's width and text

  const position = () => {
    while (catchUp());
    return { ...facts };
  };
  window.harbormaster = {
    words, jumps: data.jumps, get at() { return at; }, get last() { return end; }, go, goTurn, grow, position,
  };
})();
