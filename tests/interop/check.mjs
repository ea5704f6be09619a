// SPDX-License-Identifier: GPL-3.0-or-later
// Converts records with tsumugi and reads the results with tsshogi, an independent library: both must see the same
// moves. Usage: node check.mjs TSUMUGI FOLDER…
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { Move, Record, importCSA, importJKFString, importKI2, importKIF } from "tsshogi";

const [program, ...folders] = process.argv.slice(2);

const readers = {
  ".kif": importKIF,
  ".kifu": importKIF,
  ".ki2": importKI2,
  ".ki2u": importKI2,
  ".csa": importCSA,
  ".jkf": importJKFString,
  ".json": importJKFString,
  ".usi": (text) => Record.newByUSI(text.trim().startsWith("position") ? text.trim() : `position ${text.trim()}`),
  ".usen": (text) => Record.newByUSEN(text.trim()),
};

// What tsumugi writes, with the options that choose it. V3 of CSA shares its extension with V2.2.
const outputs = [
  { name: "kif", extension: ".kif" },
  { name: "kif in UTF-8", extension: ".kif", options: ["--encoding", "utf8"] },
  { name: "ki2", extension: ".ki2" },
  { name: "csa", extension: ".csa" },
  { name: "csa 3.0", extension: ".csa", options: ["--csa-version", "3.0"] },
  { name: "jkf", extension: ".jkf" },
  { name: "usi", extension: ".usi" },
  { name: "usen", extension: ".usen" },
];
// Formats that spell the start position out instead of naming the handicap.
const spells_start = new Set(["csa", "csa 3.0", "usi", "usen"]);
// This file gives two moves in a row the same number. tsshogi goes by the number and sees a variation where tsumugi, going by
// the order of the lines, sees a further move.
const misnumbered = new Set(["fork-test.kif"]);
// Formats that keep variations.
const keeps_branches = new Set(["kif", "kif in UTF-8", "jkf", "usen"]);

function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis", { fatal: true }).decode(bytes);
  }
}

function read(file) {
  const record = readers[extname(file)](decode(readFileSync(file)));
  if (record instanceof Error) throw new Error(`tsshogi cannot read ${basename(file)}: ${record.message}`);
  return record;
}

function main_line(record) {
  const moves = [];
  for (let node = record.first; node; node = node.next) if (node.move instanceof Move) moves.push(node.move.usi);
  return moves.join(" ");
}

// Every move of the tree with the number it has in its line, depth first.
function tree(record) {
  const moves = [];
  record.forEach((node) => {
    if (node.move instanceof Move) moves.push(`${node.ply}:${node.move.usi}`);
  });
  return moves.join(" ");
}

let compared = 0;
const failures = [];
const unreadable = [];
function expect_equal(actual, expected, what) {
  ++compared;
  if (actual !== expected) failures.push(`${what}\n  expected ${expected}\n  tsshogi  ${actual}`);
}

const even_start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

// Board, side and hands, and the moves, as tsumugi reads them.
function expected_game(source) {
  const line = execFileSync(program, ["record", "convert", source, "--to", "usi", "-o", "-"], { stdio: ["ignore", "pipe", "ignore"] });
  const [start, moves] = line.toString().trim().split(" moves ");
  return { start: start === "startpos" ? even_start : start.split(" ").slice(1, 4).join(" "), moves: moves ?? "" };
}

function start_of(record) {
  return record.initialPosition.sfen.split(" ").slice(0, 3).join(" ");
}

// The source as tsshogi reads it, or null: it does not know every handicap by name.
function original(source) {
  try {
    return read(source);
  } catch (error) {
    unreadable.push(error.message);
    return null;
  }
}

function check(source, scratch) {
  const expected = expected_game(source);
  const twin = original(source);
  if (twin) {
    expect_equal(main_line(twin), expected.moves, `${source} itself`);
    expect_equal(start_of(twin), expected.start, `start of ${source} itself`);
  }
  for (const output of outputs) {
    if (!twin && !spells_start.has(output.name)) continue;
    const target = join(scratch, `${output.name.replaceAll(" ", "-")}-${basename(source)}${output.extension}`);
    execFileSync(program, ["record", "convert", source, "-o", target, ...(output.options ?? [])], { stdio: "ignore" });
    let record;
    try {
      record = read(target);
    } catch (error) {
      failures.push(`${source} as ${output.name}: ${error.message}`);
      continue;
    }
    expect_equal(main_line(record), expected.moves, `${source} as ${output.name}`);
    expect_equal(start_of(record), expected.start, `start of ${source} as ${output.name}`);
    if (twin && keeps_branches.has(output.name) && !misnumbered.has(basename(source)))
      expect_equal(tree(record), tree(twin), `variations of ${source} as ${output.name}`);
  }
}

const scratch = mkdtempSync(join(tmpdir(), "tsumugi-interop-"));
try {
  for (const folder of folders)
    for (const name of readdirSync(folder).sort()) if (readers[extname(name)]) check(join(folder, name), scratch);
} finally {
  rmSync(scratch, { recursive: true });
}
console.log(`${compared} comparisons, ${failures.length} differences`);
for (const message of unreadable) console.log(`source not compared: ${message}`);
for (const failure of failures) console.log(failure);
process.exitCode = failures.length > 0 || compared === 0 ? 1 : 0;
