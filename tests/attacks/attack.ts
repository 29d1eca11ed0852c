/** One thing that an attacker would try. */
export interface Attempt {
  /** Names the attempt in the report. */
  what: string;
  /** Tries it, and returns what is weak; `undefined` when the server withstood. */
  run(): Promise<string | undefined>;
}

/** Attempts of one kind. */
export interface AttackClass {
  name: string;
  attempts: readonly Attempt[];
  /** Attempts that are made at a time; one by default, for those that look at what another has left. */
  concurrency?: number;
  /** An attempt that takes longer than these milliseconds has found a way to hold the server up. */
  longestMs?: number;
  /** Looks for harm once all are made: connections that were not allowed, rows that have changed. */
  findHarm?(): Promise<readonly string[]>;
  /** Sentences about what the attempts have measured so far. */
  measured?: readonly string[];
}

export interface ClassResult {
  name: string;
  tried: number;
  weak: readonly string[];
  seconds: number;
}

const LONGEST_MS = 30_000;

/** Makes the attempts of a class, and returns those that found something weak. */
export async function runAttacks({
  name,
  attempts,
  concurrency = 1,
  longestMs = LONGEST_MS,
  findHarm,
}: AttackClass): Promise<ClassResult> {
  const startedAt = performance.now();
  const weak: string[] = [];
  const waiting = [...attempts].reverse();
  const worker = async () => {
    for (let attempt = waiting.pop(); attempt; attempt = waiting.pop()) {
      const weakness = await withTimeout(attempt, longestMs);
      if (weakness !== undefined) weak.push(`${attempt.what}: ${weakness}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (findHarm) weak.push(...(await findHarm()));
  return { name, tried: attempts.length, weak, seconds: (performance.now() - startedAt) / 1_000 };
}

async function withTimeout({ run }: Attempt, ms: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no end within ${ms / 1_000} s`), ms);
  });
  const outcome = run().catch((error: Error) => `the connection broke: ${error.message}`);
  return Promise.race([outcome, tooLong]).finally(() => clearTimeout(timer));
}

/** Returns every `step`-th element, so that each kind among them is met in a cross-section. */
export function everyNth<T>(list: readonly T[], step: number): T[] {
  return list.filter((_, index) => index % step === 0);
}

/** Returns all pairs of the elements of two lists. */
export function pairs<A, B>(some: readonly A[], others: readonly B[]): [A, B][] {
  return some.flatMap((one) => others.map((other): [A, B] => [one, other]));
}

/** Returns the table of all classes with their sum in the last line. */
export function presentResults(results: readonly ClassResult[]): string {
  const sum = {
    name: 'all',
    tried: results.reduce((total, { tried }) => total + tried, 0),
    weak: results.flatMap(({ weak }) => weak),
    seconds: results.reduce((total, { seconds }) => total + seconds, 0),
  };
  const cells = [...results, sum].map(({ name, tried, weak, seconds }) => [
    name,
    String(tried),
    String(tried - Math.min(tried, weak.length)),
    String(weak.length),
    seconds.toFixed(1),
  ]);
  const rows = [['class', 'tried', 'refused', 'weak', 'seconds'], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([name = '', ...numbers]) =>
      [
        name.padEnd(widths[0] ?? 0),
        ...numbers.map((number, index) => number.padStart(widths[index + 1] ?? 0)),
      ].join('  '),
    )
    .join('\n');
}
