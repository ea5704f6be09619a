// SPDX-License-Identifier: GPL-3.0-or-later
//
// node compare.mjs BINARY
// Plays random games with Fairy-Stockfish and compares its legal moves in every position with the answer of
// `BINARY moves`. The games start from the usual position and from random ones with few to many pieces in hand.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

import { sfenOf, usiMove } from "./notation.mjs";
import { Random, randomFen } from "./random.mjs";

// The package takes any environment that has fetch for a browser and then fails to read its own file.
delete globalThis.fetch;
const { default: ffish } = await import("ffish");
await new Promise((resolve) => (ffish.onRuntimeInitialized = resolve));

const seed = 20240229;
const plies = 120;
const evenGames = 60;
const randomGames = { 30: 60, 60: 80, 90: 120 }; // percentage of the set in hand: games
const leastPositions = 20000;
const leastLargeHands = 5000;
const largeHand = 12; // pieces held by both players together
const leastDropMates = 20;

const words = (text) => text.split(" ").filter((word) => word !== "");

function checkNotation() {
  assert.equal(usiMove("a3a4"), "9g9f");
  assert.equal(usiMove("h8b2+"), "2b8h+");
  assert.equal(usiMove("N@e5"), "N*5e");
  const even = new ffish.Board("shogi");
  assert.equal(sfenOf(even.fen()), "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
  assert.deepEqual(
    words(even.legalMoves()).map(usiMove).sort(),
    words(
      "1g1f 1i1h 2g2f 2h1h 2h3h 2h4h 2h5h 2h6h 2h7h 3g3f 3i3h 3i4h 4g4f 4i3h 4i4h 4i5h " +
        "5g5f 5i4h 5i5h 5i6h 6g6f 6i5h 6i6h 6i7h 7g7f 7i6h 7i7h 8g8f 9g9f 9i9h",
    ).sort(),
  );
  even.delete();
}

// Fairy-Stockfish lets a pawn be dropped for mate and scores it as lost for the dropper; by the rules the
// move is illegal.
function isDropMate(board, move) {
  if (!move.startsWith("P@")) return false;
  board.push(move);
  const mate = board.isCheck() && board.numberLegalMoves() === 0;
  board.pop();
  return mate;
}

// Only a pawn dropped right in front of the king can mate, and looking at all the others takes minutes.
function squareBeforeKing(fen) {
  const [board, turn] = fen.split(" ");
  const blackDrops = turn === "w";
  const rows = board.replace(/\[.*/, "").split("/");
  for (const [row, text] of rows.entries()) {
    const cells = text.replace(/\+/g, "").replace(/\d/g, (count) => " ".repeat(Number(count)));
    const column = cells.indexOf(blackDrops ? "k" : "K");
    if (column >= 0) return String.fromCharCode("a".charCodeAt(0) + column) + (9 - row + (blackDrops ? -1 : 1));
  }
  throw new Error(`no king: ${fen}`);
}

const positions = new Map(); // SFEN -> sorted legal moves
const seen = { dropMates: 0, largeHands: 0, inCheck: 0, mostMoves: 0 };

function legalMoves(board, fen) {
  const target = squareBeforeKing(fen);
  const all = words(board.legalMoves());
  const legal = all.filter((move) => move !== `P@${target}` || !isDropMate(board, move));
  seen.dropMates += all.length - legal.length;
  return legal;
}

function handSize(fen) {
  return /\[(\w*)/.exec(fen)[1].length;
}

function playGame(random, board) {
  for (let ply = 0; ply < plies; ++ply) {
    const fen = board.fen();
    const moves = legalMoves(board, fen);
    const sfen = sfenOf(fen);
    if (!positions.has(sfen)) {
      if (handSize(fen) >= largeHand) ++seen.largeHands;
      if (board.isCheck()) ++seen.inCheck;
      seen.mostMoves = Math.max(seen.mostMoves, moves.length);
      positions.set(sfen, moves.map(usiMove).sort());
    }
    if (moves.length === 0) return;
    board.push(random.pick(moves));
  }
}

// A start in which the player to move could take the king is no position of shogi.
function kingCanBeTaken(fen) {
  const turned = fen.replace(/\] ([wb]) /, (_, turn) => `] ${turn === "w" ? "b" : "w"} `);
  const board = new ffish.Board("shogi", turned);
  const taken = board.isCheck();
  board.delete();
  return taken;
}

function playAll() {
  const random = new Random(seed);
  const play = (board) => {
    playGame(random, board);
    board.delete();
  };
  for (let game = 0; game < evenGames; ++game) play(new ffish.Board("shogi"));
  for (const [handPercent, games] of Object.entries(randomGames))
    for (let game = 0; game < games; ++game) {
      let fen;
      do fen = randomFen(random, Number(handPercent));
      while (kingCanBeTaken(fen));
      play(new ffish.Board("shogi", fen));
    }
}

function askProgram(binary) {
  const { status, stdout, error } = spawnSync(binary, ["moves"], {
    input: [...positions.keys()].join("\n") + "\n",
    encoding: "utf8",
    maxBuffer: 1 << 30,
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (error) throw error;
  assert.equal(status, 0, "tsumugi moves failed");
  const lines = stdout.split("\n");
  assert.equal(lines.pop(), "", "the answer must end with a line feed");
  return lines;
}

// Descriptions of the positions whose lists differ.
function differences(answers) {
  assert.equal(answers.length, positions.size, "one answer for each position");
  const found = [];
  for (const [index, [sfen, expected]] of [...positions].entries()) {
    const answer = words(answers[index]).sort();
    if (answer.join() === expected.join()) continue;
    const missing = expected.filter((move) => !answer.includes(move));
    const extra = answer.filter((move) => !expected.includes(move));
    found.push(`${sfen}\n    missing: ${missing.join(" ")}\n    extra: ${extra.join(" ")}`);
  }
  return found;
}

// The comparison must notice a single wrong move among all the answers.
function checkComparison(answers) {
  const last = answers.findLastIndex((answer) => answer !== "");
  const wrong = [
    answers[last].replace(/^\S+/, ""), // one missing
    `${answers[last]} 1a1b`, // one too many, even where 1a1b is legal
  ];
  for (const answer of wrong) {
    const changed = [...answers];
    changed[last] = answer;
    assert.equal(differences(changed).length, 1, "the comparison overlooks a wrong move");
  }
}

function main(binary) {
  checkNotation();
  playAll();
  console.log(
    `${positions.size} positions: ${seen.inCheck} in check, ${seen.largeHands} with ${largeHand} or more pieces in hand, ` +
      `${seen.dropMates} mates by a dropped pawn, at most ${seen.mostMoves} moves`,
  );
  assert.ok(positions.size >= leastPositions, `too few positions: ${positions.size}`);
  assert.ok(seen.largeHands >= leastLargeHands, `too few large hands: ${seen.largeHands}`);
  assert.ok(seen.dropMates >= leastDropMates, `too few mates by a dropped pawn: ${seen.dropMates}`);

  const answers = askProgram(binary);
  const wrong = differences(answers);
  for (const each of wrong.slice(0, 10)) console.log(each);
  assert.equal(wrong.length, 0, "positions with different legal moves");
  checkComparison(answers);
  console.log("all lists agree");
}

// The package prints its whole source when an error reaches the top.
try {
  main(process.argv[2]);
} catch (error) {
  console.log(error.stack);
  process.exit(1);
}
