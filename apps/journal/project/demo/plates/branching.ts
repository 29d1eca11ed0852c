import { clamp, pickClamped, type Vec3 } from './geometry.ts';

export interface TreeNode {
  readonly at: Vec3;
  readonly parent: number;
  radius: number;
}

export interface Growth {
  attractors: readonly Vec3[];
  /** The trunk: nodes that exist already, parents before children. */
  trunk: readonly { at: Vec3; parent: number }[];
  /** An attractor is felt from this far and is used up this near, pixels. */
  reach: number;
  kill: number;
  step: number;
  /** Moves a new node, for instance back onto a surface; undefined refuses it. */
  settle?: (at: Vec3) => Vec3 | undefined;
  rounds?: number;
}

/** Space colonisation (Runions, Lane and Prusinkiewicz, 2007): branches grow towards points that still lack one. */
export function colonise(growth: Growth): TreeNode[] {
  const nodes: TreeNode[] = growth.trunk.map((n) => ({ ...n, radius: 0 }));
  const targets = growth.attractors.map((at) => ({ at, nearest: -1, d2: growth.reach ** 2, done: false }));
  const children: number[][] = nodes.map(() => []);
  let fresh = 0;
  for (let round = 0; round < (growth.rounds ?? 400); round++) {
    const pull = new Map<number, [number, number, number]>();
    for (const target of targets) {
      if (target.done) continue;
      for (let i = fresh; i < nodes.length; i++) {
        const n = nodes[i];
        if (!n) continue;
        const d2 = squared(n.at, target.at);
        if (d2 < target.d2) {
          target.d2 = d2;
          target.nearest = i;
        }
      }
      if (target.nearest < 0) continue;
      if (target.d2 < growth.kill ** 2) {
        target.done = true;
        continue;
      }
      const length = Math.sqrt(target.d2);
      const from = pickClamped(nodes, target.nearest).at;
      const sum = pull.get(target.nearest) ?? [0, 0, 0];
      for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + ((target.at[c] ?? 0) - (from[c] ?? 0)) / length;
      pull.set(target.nearest, sum);
    }
    fresh = nodes.length;
    for (const [index, sum] of pull) {
      const from = pickClamped(nodes, index).at;
      const length = Math.hypot(...sum);
      if (length < 0.05) continue;
      const k = growth.step / length;
      const raw: Vec3 = [from[0] + sum[0] * k, from[1] + sum[1] * k, from[2] + sum[2] * k];
      const at = growth.settle ? growth.settle(raw) : raw;
      if (!at || squared(at, from) < (growth.step * 0.3) ** 2) continue;
      // Attractors on either side of a node pull it the same way every round: it must not sprout the same twig again.
      const siblings = children[index] ?? [];
      if (siblings.some((i) => squared(pickClamped(nodes, i).at, at) < (growth.step * 0.6) ** 2)) continue;
      siblings.push(nodes.length);
      children.push([]);
      nodes.push({ at, parent: index, radius: 0 });
    }
    if (nodes.length === fresh) break;
  }
  return nodes;
}

/** Grows twice: first sparse boughs towards one attractor in `thin`, then twigs from them towards all. */
export function coloniseInTwo(
  growth: Growth,
  bough: { thin: number; reach: number; kill: number },
): TreeNode[] {
  const few = growth.attractors.filter((_, i) => i % bough.thin === 0);
  const boughs = colonise({ ...growth, attractors: few, reach: bough.reach, kill: bough.kill });
  return colonise({ ...growth, trunk: boughs });
}

function squared(a: Vec3, b: Vec3): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

/** Radii by Murray's law: a parent's radius to the `power` is the sum of its children's. */
export function thicken(nodes: TreeNode[], tip: number, power: number, most: number): void {
  const sums = nodes.map(() => 0);
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = pickClamped(nodes, i);
    const sum = sums[i] ?? 0;
    node.radius = sum === 0 ? tip : sum ** (1 / power);
    if (node.parent >= 0) sums[node.parent] = (sums[node.parent] ?? 0) + node.radius ** power;
  }
  for (const node of nodes) node.radius = clamp(node.radius, tip, most);
}

export interface Branch {
  points: Vec3[];
  radius: number[];
}

/** The tree as unbroken branches: each goes on with its thickest child, the others start branches of their own. */
export function branchesOf(nodes: readonly TreeNode[], shortest = 2): Branch[] {
  const children: number[][] = nodes.map(() => []);
  nodes.forEach((n, i) => {
    if (n.parent >= 0) children[n.parent]?.push(i);
  });
  const out: Branch[] = [];
  const starts = nodes.flatMap((n, i) => (n.parent < 0 ? [i] : []));
  for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
    const first = pickClamped(nodes, start);
    const branch: Branch = { points: [], radius: [] };
    if (first.parent >= 0) {
      const parent = pickClamped(nodes, first.parent);
      branch.points.push(parent.at);
      branch.radius.push(Math.min(parent.radius, first.radius * 1.25));
    }
    for (let at: number | undefined = start; at !== undefined; ) {
      const node: TreeNode = pickClamped(nodes, at);
      branch.points.push(node.at);
      branch.radius.push(node.radius);
      const next: number[] = [...(children[at] ?? [])].sort(
        (a, b) => (nodes[b]?.radius ?? 0) - (nodes[a]?.radius ?? 0),
      );
      at = next[0];
      starts.push(...next.slice(1));
    }
    if (branch.points.length >= shortest) out.push(soften(branch));
  }
  return out;
}

/** Rounds off the corners of growth, the ends kept. */
function soften(branch: Branch): Branch {
  let current = branch.points;
  for (let pass = 0; pass < 3; pass++) {
    const before = current;
    current = before.map((p, i) => {
      if (i === 0 || i === before.length - 1) return p;
      const a = pickClamped(before, i - 1);
      const b = pickClamped(before, i + 1);
      return [(a[0] + 2 * p[0] + b[0]) / 4, (a[1] + 2 * p[1] + b[1]) / 4, (a[2] + 2 * p[2] + b[2]) / 4];
    });
  }
  return { points: current, radius: branch.radius };
}
