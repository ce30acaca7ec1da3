"use strict";
// The pieces and marks on the board, as its style sheet and its symbols (render/svg.py) have them.
window.harbormasterBoard = ({ players, places, reach }) => {
  const byId = (id) => document.getElementById(id);
  const drawn = new Map();  // all that was ever on the board: what is gone is only hidden, so nothing is laid out
  const pieces = new Map();  // those that stand, by the names of their facts
  let marks = [];

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

  /** Show a symbol at a place. */
  function put(layer, symbol, { x, y, owner = "" }) {
    const id = look(symbol, owner), key = `${id} ${x} ${y}`;
    if (!drawn.has(key)) {
      const square = { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach };
      drawn.set(key, add(byId(layer), "rect", { ...square, fill: `url(#${id})`, "data-symbol": symbol }));
    }
    drawn.get(key).classList.remove("gone");
    return drawn.get(key);
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

  /** Draw those of the changed facts that are pieces. `fresh`: names of the facts to be marked as new; `left`: where the
   * robber was before; `giving`: the hexes that have just given cards. */
  function draw(facts, changed, fresh, left, giving) {
    for (const name of [...changed].filter(isPiece)) {
      if (pieces.has(name)) takeAway(pieces.get(name));
      pieces.delete(name);
      if (facts[name] === undefined || facts[name] < 0) continue;
      const place = placed(name, facts[name]);
      pieces.set(name, put(place.layer, place.symbol, place));
    }
    marks.forEach(takeAway);
    marks = [];
    const mark = (symbol, { x, y }) => marks.push(put("marks", symbol, { x, y }));
    for (const name of fresh) {
      if (!pieces.has(name)) continue;
      const place = placed(name, facts[name]);
      mark(place.mark, place);
    }
    if (left >= 0) {
      const place = placed("robber", left);
      mark(`old-${place.symbol}`, place);
    }
    for (const [x, y, number] of giving.map((hex) => places.hex[hex])) mark(`golden-${number}`, { x, y });
  }

  return { draw, isPiece };
};
