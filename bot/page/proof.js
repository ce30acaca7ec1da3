"use strict";
// Checks the dice and cards of a game: that the seed fits its fingerprint, that every draw follows from the seed and
// what the players mixed in, and that nothing in the game's file was altered. It shares nothing with the rest of the
// page, and with the program that made it. engine/chance.py says how draws are derived.
(() => {
  const byId = (id) => document.getElementById(id);
  const words = JSON.parse(byId("proof-words").textContent);
  const say = (key, values) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const KINDS = ["seats", "board", "first", "dice", "deck", "steal", "discard"];

  // --- bytes

  function bytes(...parts) {
    const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
    return all;
  }

  const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const number = (data) => data.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  /** A whole number in so many bytes, the highest first. */
  const big = (value, size) => unhex(value.toString(16).padStart(2 * size, "0"));
  /** Bytes with their length in front, so that no two lists of fields look the same. */
  const field = (data) => bytes(big(data.length, 4), data);
  const text = (value) => field(new TextEncoder().encode(value));

  // --- SHA-256, by the browser where it does that: on pages from a file or by https

  const sha256 = async (data) =>
    globalThis.crypto?.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", data)) : ownSha256(data);

  /** The same by the book (FIPS 180-4), for pages by plain http, where browsers don't offer theirs. */
  function ownSha256(data) {
    const primes = [];
    for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
    const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
    const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
    let state = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
    const zeros = new Uint8Array((119 - (data.length % 64)) % 64);
    const padded = bytes(data, [128], zeros, big(8 * data.length, 8));
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let start = 0; start < padded.length; start += 64) {
      const w = [];
      let [a, b, c, d, e, f, g, h] = state;
      for (let t = 0; t < 64; t++) {
        if (t < 16) w[t] = Number(number(padded.slice(start + 4 * t, start + 4 * t + 4)));
        else {
          const s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ (w[t - 15] >>> 3);
          const s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ (w[t - 2] >>> 10);
          w[t] = (w[t - 16] + s0 + w[t - 7] + s1) >>> 0;
        }
        const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t]) >>> 0;
        const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
        [a, b, c, d, e, f, g, h] = [(one + two) >>> 0, a, b, c, (d + one) >>> 0, e, f, g];
      }
      state = state.map((before, k) => (before + [a, b, c, d, e, f, g, h][k]) >>> 0);
    }
    return bytes(...state.map((word) => big(word, 4)));
  }

  /** HMAC-SHA-256 (RFC 2104); keys here are never longer than a block. */
  async function hmac(key, message) {
    const pad = (mask) => Uint8Array.from({ length: 64 }, (_, k) => (key[k] ?? 0) ^ mask);
    return sha256(bytes(pad(0x5c), await sha256(bytes(pad(0x36), message))));
  }

  // --- the rule of the draws

  const commitment = async (seed, game) =>
    hex(await sha256(bytes(text("harbormaster commitment 1"), field(seed), text(game))));

  /** The key of each kind of draw. */
  async function keysOf(seed, game, entropy) {
    const mixed = bytes(big(entropy.length, 4), ...entropy.map(text));
    const master = await hmac(seed, bytes(text("harbormaster entropy 1"), text(game), mixed));
    const keys = {};
    for (const kind of KINDS) keys[kind] = await hmac(master, bytes(text("harbormaster kind 1"), text(kind)));
    return keys;
  }

  /** A draw: 0 to n - 1, with all that it was calculated from. */
  async function draw(key, game, kind, ordinal, n) {
    const stretch = (2n ** 64n / BigInt(n)) * BigInt(n);
    for (let counter = 0; ; counter++) {
      const message = bytes(text(game), text(kind), big(ordinal, 8), big(counter, 4));
      const digest = await hmac(key, message);
      const x = number(digest.slice(0, 8));
      if (x < stretch) return { message, digest, x, result: Number(x % BigInt(n)) };
    }
  }

  /** The seal: SHA-256 of all but the seal and the players' names, with sorted names and without blanks. */
  const seal = async ({ players, seal, ...proved }) => hex(await sha256(new TextEncoder().encode(canonical(proved))));

  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return ascii(JSON.stringify(value));
    const entry = (name) => `${ascii(JSON.stringify(name))}:${canonical(value[name])}`;
    return `{${Object.keys(value).sort().map(entry).join(",")}}`;
  }

  const ascii = (json) =>
    json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

  // --- the check

  /** The first thing that is wrong. */
  class Wrong extends Error {}

  function need(condition, what, values = {}) {
    if (!condition) throw new Wrong(say("wrong", { what: say(`wrong_${what}`, values) }));
  }

  const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;

  function checkShape(file) {
    const texts = [file.game, file.seed, file.commitment, file.hash, file.seal, ...file.entropy];
    const shape = file.harbormaster === 1 && texts.every((value) => typeof value === "string");
    need(shape && /^[0-9a-f]{64}$/.test(file.seed) && file.records.length, "shape");
  }

  /** Check everything; returns the draws, each with its record. */
  async function check(file, found) {
    checkShape(file);
    const seed = unhex(file.seed);
    const due = await commitment(seed, file.game);
    need(file.commitment === due, "commitment", { due });
    const keys = await keysOf(seed, file.game, file.entropy);
    const drawn = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
    for (const [record, { n: stated, draws = [] }] of file.records.entries()) {
      need(stated === record, "record", { record });
      for (const [kind, ordinal, n, result] of draws) {
        need(KINDS.includes(kind), "kind", { record });
        const names = { kind: words[`kind_${kind}`], number: ordinal, record, result, n };
        need(isNumber(ordinal) && ordinal === drawn[kind]++, "order", names);
        need(isNumber(n) && n > 0 && isNumber(result), "shape");
        const proved = await draw(keys[kind], file.game, kind, ordinal, n);
        found.push({ kind, ordinal, n, logged: result, record, ...proved });
        need(result === proved.result, "draw", { ...names, due: proved.result });
      }
    }
    const colors = file.players.map(({ color }) => color);
    need(JSON.stringify(colors) === JSON.stringify(file.config.colors), "players");
    const dueSeal = await seal(file);
    need(file.seal === dueSeal, "seal", { due: dueSeal });
  }

  // --- what is shown

  function show(found, file) {
    const ofKind = (kind) => found.filter((one) => one.kind === kind);
    for (const name of ["fingerprint", "seal", "seed"]) {
      byId(name).textContent = file[name === "fingerprint" ? "commitment" : name];
    }
    byId("mixed").textContent = file.entropy.join(" · ");
    for (const kind of KINDS.filter((one) => ofKind(one).length)) {
      const option = byId("draw-kind").appendChild(document.createElement("option"));
      option.value = kind;
      option.textContent = words[`kind_${kind}`];
    }
    const pick = () => {
      const draws = ofKind(byId("draw-kind").value), field = byId("draw-number");
      field.max = draws.length - 1;
      const chosen = Math.max(0, Math.min(field.max, Math.trunc(field.value)));
      if (Number(field.value) !== chosen) field.value = chosen;
      showDraw(draws[chosen]);
    };
    byId("draw-kind").addEventListener("change", pick);
    byId("draw-number").addEventListener("input", pick);
    pick();
  }

  function showDraw(one) {
    const rows = one && {
      record: one.record,
      message: hex(one.message),
      digest: hex(one.digest),
      value: one.x,
      outcome: say("outcome_of", one),
      logged: one.logged,
    };
    byId("draw").replaceChildren(...Object.entries(rows ?? {}).flatMap(([name, value]) => {
      const [title, text] = [document.createElement("dt"), document.createElement("dd")];
      title.textContent = words[name];
      text.textContent = value;
      return [title, text];
    }));
  }

  /** The sentence about a file: that it is right, or the first thing that is wrong. `found` gets the draws. */
  async function verdictOf(file, found) {
    try {
      await check(file, found);
      return words.right;
    } catch (error) {
      return error instanceof Wrong ? error.message : say("wrong", { what: words.wrong_shape });
    }
  }

  async function prove() {
    const found = [];
    const file = JSON.parse(byId("file").textContent);
    const verdict = await verdictOf(file, found);
    byId("verdict").textContent = verdict;
    byId("verdict").className = verdict === words.right ? "right" : "wrong";
    if (found.length) show(found, file);
  }

  // The game's first position is painted before.
  document.addEventListener("DOMContentLoaded", () => requestAnimationFrame(() => setTimeout(prove)));
  const isRight = async (file) => (await verdictOf(file, [])) === words.right;
  window.harbormasterProof = { sha256, ownSha256, isRight };  // for tests
})();
