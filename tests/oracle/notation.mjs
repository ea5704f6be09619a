// SPDX-License-Identifier: GPL-3.0-or-later

// Fairy-Stockfish numbers the board as chess does: files a-i from Black's left, which is file 9 in shogi,
// and ranks 1-9 from Black's side, which is rank i. It calls the player of the upper-case pieces white, where
// SFEN calls that player black, and lists hands in brackets behind the board.

const handOrder = "RBGSNLP";

function usiSquare(square) {
  const file = 9 - (square.charCodeAt(0) - "a".charCodeAt(0));
  const rank = String.fromCharCode("a".charCodeAt(0) + 9 - Number(square[1]));
  if (!(file >= 1 && file <= 9 && rank >= "a" && rank <= "i")) throw new Error(`no square of a 9x9 board: ${square}`);
  return `${file}${rank}`;
}

// "a3a4" -> "9g9f", "h8b2+" -> "2b8h+", "P@e5" -> "P*5e".
export function usiMove(fairy) {
  const match = /^(?:([PLNSGBR])@|([a-i][1-9]))([a-i][1-9])(\+?)$/.exec(fairy);
  if (match === null) throw new Error(`not a move of shogi: ${fairy}`);
  const [, dropped, from, to, promotion] = match;
  return dropped ? `${dropped}*${usiSquare(to)}` : usiSquare(from) + usiSquare(to) + promotion;
}

function usiHand(pieces) {
  let text = "";
  for (const wanted of handOrder + handOrder.toLowerCase()) {
    const count = [...pieces].filter((piece) => piece === wanted).length;
    if (count > 0) text += (count > 1 ? count : "") + wanted;
  }
  return text || "-";
}

export function sfenOf(fen) {
  const match = /^([^[ ]+)\[([^\]]*)\] ([wb]) /.exec(fen);
  if (match === null) throw new Error(`not a position of shogi: ${fen}`);
  const [, board, hand, turn] = match;
  return `${board} ${turn === "w" ? "b" : "w"} ${usiHand(hand === "-" ? "" : hand)} 1`;
}

// `hand` lists its pieces one by one, "RPPpp".
export function fenOf(board, hand, blackToMove) {
  return `${board}[${hand}] ${blackToMove ? "w" : "b"} - - 0 1`;
}
