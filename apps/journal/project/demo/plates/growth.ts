import { distance, mix, type Point, pickClamped } from './geometry.ts';
import type { Random } from './random.ts';

export interface Folding {
  start: readonly Point[];
  /** Pixels that strands keep from each other. */
  gap: number;
  /** Edges longer than this are split. */
  edge: number;
  rounds: number;
  most: number;
  /** How strongly a node is pushed at a place: towards the inside of what holds the curve in. */
  hold: (p: Point) => Point;
  random: Random;
  /** Rounds after which the curve is kept, for a history of the growth. */
  keep?: readonly number[];
}

/** Differential growth: a closed line that keeps getting longer in a space that does not, and so folds. */
export function fold(folding: Folding): { curve: Point[]; history: Point[][] } {
  const { edge, random } = folding;
  let nodes = folding.start.map((p) => ({ ...p }));
  const history: Point[][] = [];
  for (let round = 0; round < folding.rounds; round++) {
    nodes = relax(nodes, folding);
    if (nodes.length < folding.most) {
      const grown: Point[] = [];
      nodes.forEach((p, i) => {
        grown.push(p);
        const next = pickClamped(nodes, (i + 1) % nodes.length);
        if (distance(p, next) > edge || random.chance(0.006)) {
          grown.push({
            x: mix(p.x, next.x, 0.5) + 0.2 * random.gaussian(),
            y: mix(p.y, next.y, 0.5) + 0.2 * random.gaussian(),
          });
        }
      });
      nodes = grown;
    }
    if (folding.keep?.includes(round)) history.push(nodes.map((p) => ({ ...p })));
  }
  return { curve: nodes, history };
}

/** One round: neighbours pull together and straighten, all others within the gap push apart. */
function relax(nodes: readonly Point[], { gap, edge, hold }: Folding): Point[] {
  const cells = new Map<number, number[]>();
  const key = (x: number, y: number): number => Math.floor(y / gap) * 4096 + Math.floor(x / gap);
  nodes.forEach((p, i) => {
    const cell = cells.get(key(p.x, p.y));
    if (cell) cell.push(i);
    else cells.set(key(p.x, p.y), [i]);
  });
  const count = nodes.length;
  return nodes.map((p, i) => {
    const before = pickClamped(nodes, (i + count - 1) % count);
    const after = pickClamped(nodes, (i + 1) % count);
    let dx = ((before.x + after.x) / 2 - p.x) * 0.42;
    let dy = ((before.y + after.y) / 2 - p.y) * 0.42;
    let [px, py] = [0, 0];
    for (let oy = -gap; oy <= gap; oy += gap) {
      for (let ox = -gap; ox <= gap; ox += gap) {
        for (const j of cells.get(key(p.x + ox, p.y + oy)) ?? []) {
          const q = pickClamped(nodes, j);
          const d = Math.hypot(p.x - q.x, p.y - q.y);
          if (j === i || d >= gap || d === 0) continue;
          const push = (1 - d / gap) / d;
          px += (p.x - q.x) * push;
          py += (p.y - q.y) * push;
        }
      }
    }
    const inwards = hold(p);
    dx += px * edge * 0.07;
    dy += py * edge * 0.07;
    const slow = Math.min(1, (gap * 0.16) / (Math.hypot(dx, dy) || 1));
    return { x: p.x + dx * slow + inwards.x, y: p.y + dy * slow + inwards.y };
  });
}
