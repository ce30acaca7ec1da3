"use strict";
// The pieces and marks on the board, as its style sheet and its symbols (render/svg.py) have them.
window.harbormasterBoard = ({ players, places, reach }) => {
  const byId = (id) => document.getElementById(id);
  const drawn = new Map();  // all that is ever on the board: it is laid out once, then only hidden and shown
  const pieces = new Map();  // those that stand, by the names of their facts
  let marked = [];  // the marks that are shown

  function add(parent, tag, attributes) {
    const element = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", tag));
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  /** The id of a pattern with a symbol in its owner's color. Browsers draw that much faster than copies of the symbol,
   * in which each part has a place and a style of its own. */
  function look(symbol, owner) {
    const id = `look-${symbol}-${owner}`;
    if (!byId(id)) {
      const viewBox = [-reach, -reach, 2 * reach, 2 * reach].join(" ");
      const pattern = add(byId("looks"), "pattern", { id, width: 1, height: 1, viewBox });
      add(pattern, "use", { href: `#${symbol}`, class: owner });
    }
    return id;
  }

  /** A symbol at a place of the board. It is hidden until it is shown. */
  function at(layer, symbol, { x, y, owner = "" }) {
    const id = look(symbol, owner), key = `${id} ${x} ${y}`;
    if (!drawn.has(key)) {
      const square = { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach };
      drawn.set(key, add(byId(layer), "rect", { ...square, fill: `url(#${id})`, "data-symbol": symbol, class: "gone" }));
    }
    return drawn.get(key);
  }

  function put(element) {
    element.classList.remove("gone");
    return element;
  }

  const takeAway = (element) => element.classList.add("gone");

  /** Where a piece stands or stood, and the symbols of the piece and of the mark that it is new. */
  function placed(name, fact) {
    const [kind, id] = name.split(".");
    if (name === "robber") {
      const [x, y, middle] = places.hex[fact] ?? [];
      return { layer: "hexes", x, y, symbol: `robber-${middle}`, mark: `new-robber-${middle}` };
    }
    const [x, y, angle = ""] = places[kind][id];
    const [seat, piece] = fact;
    const mark = kind === "edge" ? `new-road${angle}` : "new-building";
    return { layer: `${kind}s`, x, y, symbol: `${piece}${angle}`, mark, owner: players[seat].color };
  }

  const isPiece = (name) => /^(node|edge)\.|^robber$/.test(name);
  const marks = [];  // of each moment

  /** Lay out what is new at a moment, and its marks: on what is new, where the robber was before, and on the hexes that
   * have just given cards. At the beginning nothing is new. */
  function prepare({ set, giving }, before) {
    const found = [];
    const mark = (symbol, { x, y }) => marks.length && found.push(at("marks", symbol, { x, y }));
    for (const [name, fact] of Object.entries(set)) {
      if (!isPiece(name) || fact === null || fact < 0) continue;
      const place = placed(name, fact);
      at(place.layer, place.symbol, place);
      mark(place.mark, place);
    }
    if (before.robber >= 0) {
      const place = placed("robber", before.robber);
      mark(`old-${place.symbol}`, place);
    }
    for (const [x, y, number] of giving.map((hex) => places.hex[hex])) mark(`golden-${number}`, { x, y });
    marks.push(found);
  }

  const TOGETHER = 12;  // pieces in a frame

  /** Draw some of the changed facts that are pieces, and the marks of a moment; whether there are more. */
  function draw(facts, changed, moment) {
    for (const name of [...changed].slice(0, TOGETHER)) {
      changed.delete(name);
      if (!isPiece(name)) continue;
      if (pieces.has(name)) takeAway(pieces.get(name));
      pieces.delete(name);
      if (facts[name] === undefined || facts[name] < 0) continue;
      const place = placed(name, facts[name]);
      pieces.set(name, put(at(place.layer, place.symbol, place)));
    }
    marked.forEach(takeAway);
    marked = marks[moment];
    marked.forEach(put);
    return changed.size > 0;
  }

  return { draw, prepare, isPiece };
};
