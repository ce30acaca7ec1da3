"use strict";
// The cards of the players and of the bank: what each has, as the facts of the position say.
window.harbormasterCards = ({ data, facts, say, sum, hand, named, write, show, add, chip }) => {
  const byId = (id) => document.getElementById(id);
  const { players, words } = data;

  /** A place for resource cards; returns what shows a hand there. Only the numbers of a hand ever change. */
  function addHand(parent) {
    const list = add(parent, "p", "", "hand");
    const numbers = data.resources.map((name) => {
      const kind = add(list, "span");
      const number = add(kind, "b", "", "number");
      add(kind, "span", ` ${name}`);
      return number;
    });
    return (cards) => numbers.forEach((number, kind) => write(number, cards[kind]));
  }

  /** The same for a player. Of hands that no one can know there is only the number of cards. */
  function handOf(seat, item) {
    if (Array.isArray(data.moments[0].set[`hand.${seat}`])) return addHand(item);
    const count = add(item, "p");
    return (cards) => show(count, say("hand", { cards }));
  }

  const seats = players.map((player, seat) => {
    const item = add(byId("players"), "li");
    const title = add(item, "h3");
    chip(title, seat);
    const name = add(title, "span");
    const points = add(title, "span", "", "points");
    add(title, "span", words.on_turn, "unseen");
    const line = (className) => add(item, "p", "", className);
    return { item, name, points, showHand: handOf(seat, item), cards: line(), more: line("quiet") };
  });
  const bank = add(byId("players"), "li");
  add(bank, "h3", words.bank);
  const showBank = addHand(bank);
  const deck = add(bank, "p");

  const LINES_OF = {
    cards: (seat) => say("cards", { cards: hand(facts[`cards.${seat}`]) }),
    more(seat) {
      const fact = (kind) => facts[`${kind}.${seat}`];
      return [
        fact("hidden") && say("hidden", { n: fact("hidden") }),
        sum(fact("played")) && say("played", { cards: hand(fact("played")) }),
        say("length", { n: fact("length") }),
        facts.road === seat && `🏆 ${data.awards[0]}`,
        facts.army === seat && `🏆 ${data.awards[1]}`,
      ].filter(Boolean).join(" · ");
    },
  };
  const LONG = ["hidden", "cards", "played", "length", "road", "army"];  // facts that are in these lines
  const CANDIDATES = 4;  // the tallest text is among so many of the longest
  const longest = players.map(() => ({ cards: [], more: [] }));
  let roomy = false;

  /** Note what the lines say, after some facts have changed, if it can be the tallest ever. */
  function noteLines(changes) {
    if (!Object.keys(changes).some((name) => LONG.includes(name.split(".")[0]))) return;
    longest.forEach((lines, seat) => Object.entries(LINES_OF).forEach(([line, textOf]) => {
      const texts = lines[line], text = textOf(seat);
      if (texts.includes(text) || text.length <= texts[CANDIDATES - 1]?.length) return;
      texts.push(text);
      texts.sort((one, other) => other.length - one.length).splice(CANDIDATES);
      roomy = false;
    }));
  }

  /** Give each line the room that it ever takes: so nothing moves as the reader steps, nor is laid out again. */
  function makeRoom() {
    const list = byId("players"), room = [];
    list.classList.remove("roomy");
    seats.forEach((card, seat) => Object.keys(LINES_OF).forEach((line) => {
      room.push({ element: card[line], texts: longest[seat][line], height: 0 });
    }));
    for (let n = 0; n < CANDIDATES; n++) {
      for (const { element, texts } of room) show(element, texts[n] ?? texts[0]);
      for (const one of room) one.height = Math.max(one.height, one.element.getBoundingClientRect().height);
    }
    for (const { element, height } of room) element.style.setProperty("--room", `${Math.ceil(height)}px`);
    list.classList.add("roomy");
    roomy = true;
    seats.forEach((_, seat) => drawPlayer(seat));
  }

  const OWN = ["points", "hidden", "hand", "cards", "played", "length", "left"];
  const factsOf = players.map((_, seat) => new Set(["road", "army", ...OWN.map((kind) => `${kind}.${seat}`)]));

  function drawPlayer(seat) {
    const { name, points, showHand, cards, more } = seats[seat];
    const fact = (kind) => facts[`${kind}.${seat}`];
    show(name, named(seat));
    show(points, say("points", { n: fact("points") }));
    showHand(fact("hand"));
    show(cards, LINES_OF.cards(seat));
    show(more, LINES_OF.more(seat));
  }

  let marked;  // the card of the player on turn

  function markTurn() {
    const item = seats[facts.seat]?.item;
    if (item === marked) return;
    marked?.classList.remove("on-turn");
    item?.classList.add("on-turn");
    marked = item;
  }

  function drawBank() {
    showBank(facts.bank);
    show(deck, say("deck", { n: facts.deck }));
  }

  return { factsOf, drawPlayer, markTurn, drawBank, noteLines, makeRoom, isRoomy: () => roomy };
};
