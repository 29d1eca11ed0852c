import type { Site } from './cluster.ts';
import type { Fault } from './faults.ts';
import type { Counts } from './ledger.ts';
import type { Outcome } from './load.ts';

/** The result of several runs of one fault. */
interface Sum {
  runs: number;
  writes: number;
  failed: number;
  lostWrites: number;
  lostFiles: number;
  lostMessages: number;
  doubledMessages: number;
  /** Milliseconds of the longest time without a write that succeeded. */
  longestGap: number;
  /** Milliseconds from the end of the fault to the first write that succeeded, at the longest. */
  backAfter: number;
  /** Runs in which people noticed what they should not. */
  noticed: number;
  /** Runs that could not be carried out. */
  broken: number;
}

const HEADINGS = [
  'fault',
  'runs',
  'writes',
  'failed',
  'lost writes',
  'lost files',
  'lost messages',
  'messages twice',
  'longest gap',
  'back after',
  'noticed',
  'broken',
];

/** Adds up what runs have come to, by fault. */
export class Tally {
  readonly #sums = new Map<string, Sum>();

  add(fault: Fault<Site>, outcome: Outcome & { backAfter: number }): void {
    const sum = this.#sumOf(fault);
    sum.runs += 1;
    sum.writes += outcome.writes.ok;
    sum.failed += countFailed(outcome);
    sum.lostWrites += outcome.lostWrites;
    sum.lostFiles += outcome.lostFiles;
    sum.lostMessages += outcome.lostMessages;
    sum.doubledMessages += outcome.doubledMessages;
    sum.longestGap = Math.max(sum.longestGap, outcome.writes.longestGap);
    sum.backAfter = Math.max(sum.backAfter, outcome.backAfter);
    if (isNoticed(fault, outcome)) sum.noticed += 1;
  }

  /** Counts a run that ended with an error. */
  addBroken(fault: Fault<Site>): void {
    const sum = this.#sumOf(fault);
    sum.runs += 1;
    sum.broken += 1;
  }

  /** Returns whether nothing was lost, nothing was noticed that should not be, and every run came to its end. */
  get isClean(): boolean {
    const { lostWrites, lostFiles, lostMessages, noticed, broken } = this.#total();
    return lostWrites + lostFiles + lostMessages + noticed + broken === 0;
  }

  /** Returns a table in Markdown, with a row for each fault and one for all. */
  present(): string {
    const rows = [...this.#sums].map(([name, sum]) => [name, ...presentSum(sum)]);
    return [HEADINGS, HEADINGS.map(() => '---'), ...rows, ['all', ...presentSum(this.#total())]]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n');
  }

  #sumOf({ name }: Fault<Site>): Sum {
    const sum = this.#sums.get(name) ?? emptySum();
    this.#sums.set(name, sum);
    return sum;
  }

  #total(): Sum {
    const total = emptySum();
    for (const sum of this.#sums.values()) {
      for (const name of Object.keys(total) as (keyof Sum)[]) {
        const isLongest = name === 'longestGap' || name === 'backAfter';
        total[name] = isLongest ? Math.max(total[name], sum[name]) : total[name] + sum[name];
      }
    }
    return total;
  }
}

function emptySum(): Sum {
  return {
    runs: 0,
    writes: 0,
    failed: 0,
    lostWrites: 0,
    lostFiles: 0,
    lostMessages: 0,
    doubledMessages: 0,
    longestGap: 0,
    backAfter: 0,
    noticed: 0,
    broken: 0,
  };
}

function presentSum(sum: Sum): string[] {
  const { longestGap, backAfter, noticed, broken, ...counts } = sum;
  return [...Object.values(counts), `${longestGap} ms`, `${backAfter} ms`, noticed, broken].map(String);
}

/** Returns whether anything failed during a fault that nobody should notice, or anybody was told that the post is not there. */
export function isNoticed({ unnoticed = false }: Fault<Site>, outcome: Outcome): boolean {
  return (unnoticed && countFailed(outcome) > 0) || (outcome.pages.failed[404] ?? 0) > 0;
}

function countFailed({ writes, reads, pages }: Outcome): number {
  return [writes, reads, pages].flatMap(({ failed }: Counts) => Object.values(failed)).reduce(add, 0);
}

function add(left: number, right: number): number {
  return left + right;
}
