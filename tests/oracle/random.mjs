// SPDX-License-Identifier: GPL-3.0-or-later
import { fenOf } from "./notation.mjs";

// A xorshift generator: the same seed gives the same games on every machine.
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0 || 1;
  }

  // A whole number from 0 to limit - 1.
  below(limit) {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state % limit;
  }

  chance(percent) {
    return this.below(100) < percent;
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}

const fullSet = [..."RRBBGGGGSSSSNNNNLLLL", ..."P".repeat(18)];

// Ranks, counted from the far side as the owner sees it, where an unpromoted piece could never move again.
const deadRanks = { P: 1, L: 1, N: 2 };

function boardText(cells) {
  const rows = [];
  for (let row = 0; row < 9; ++row)
    rows.push(
      cells
        .slice(row * 9, row * 9 + 9)
        .map((cell) => cell ?? " ")
        .join("")
        .replace(/ +/g, (gap) => String(gap.length)),
    );
  return rows.join("/");
}

// Both kings anywhere, and the rest of the set spread over hands and board: with `handPercent` of 90 almost
// everything is in hand. May be impossible (a king that can be taken); the caller has to look.
export function randomFen(random, handPercent) {
  const cells = new Array(81).fill(undefined);
  const place = (text) => {
    let cell;
    do cell = random.below(81);
    while (cells[cell] !== undefined);
    cells[cell] = text;
  };
  place("K");
  place("k");
  const hand = [];
  const pawnFiles = new Set();
  for (const kind of fullSet) {
    const black = random.chance(50);
    const owned = (text) => (black ? text : text.toLowerCase());
    const cell = random.below(81);
    const row = Math.floor(cell / 9);
    const rank = black ? row + 1 : 9 - row;
    const promoted = kind !== "G" && random.chance(30);
    const pawnFile = `${black} ${cell % 9}`;
    const isPawn = kind === "P" && !promoted;
    const stuck = !promoted && rank <= (deadRanks[kind] ?? 0);
    if (random.chance(handPercent) || cells[cell] !== undefined || stuck || (isPawn && pawnFiles.has(pawnFile))) {
      hand.push(owned(kind));
      continue;
    }
    if (isPawn) pawnFiles.add(pawnFile);
    cells[cell] = (promoted ? "+" : "") + owned(kind);
  }
  return fenOf(boardText(cells), hand.join(""), random.chance(50));
}
