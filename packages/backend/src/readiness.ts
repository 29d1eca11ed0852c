/** A look at a part that the process relies on. */
export interface ReadinessCheck {
  name: string;
  /** Whether nothing can be served without the part. */
  isRequired?: boolean;
  /** Resolves with what is wrong, as a sentence for the operator; with `undefined` when nothing is. May reject. */
  check(): Promise<string | undefined>;
  /** Is tried when `check` rejects. Resolves with what is wrong when much can be served all the same. */
  fallback?(): Promise<string>;
}

/**
 * `ok`: everything works. `degraded`: a part is away that much goes on without. `unavailable`: a required part is away.
 * `stopping`: the process ends, and takes no new work.
 */
export type ReadinessStatus = 'ok' | 'degraded' | 'unavailable' | 'stopping';

export interface Readiness {
  status: ReadinessStatus;
  /** `ok`, or a sentence, by the name of the part. */
  parts: Readonly<Record<string, string>>;
}

export interface ReadinessOptions {
  checks: readonly ReadinessCheck[];
  /** Milliseconds for which a result is kept, because several load balancers ask often. */
  keepMs?: number;
  /** Milliseconds after which a part that has not responded counts as away. */
  timeoutMs?: number;
  now?: () => number;
}

export interface ReadinessReader {
  read(): Promise<Readiness>;
  /** Has `read` say from now on that the process ends. */
  stop(): void;
}

const KEEP_MS = 1_000;
const TIMEOUT_MS = 2_000;

/** Creates what tells load balancers whether this process can serve, and operators what is away. */
export function createReadiness({
  checks,
  keepMs = KEEP_MS,
  timeoutMs = TIMEOUT_MS,
  now = Date.now,
}: ReadinessOptions): ReadinessReader {
  let kept: { until: number; readiness: Promise<Readiness> } | undefined;
  let isStopping = false;

  async function look(): Promise<Readiness> {
    const found = await Promise.all(checks.map((check) => inspect(check, timeoutMs)));
    const parts = Object.fromEntries(checks.map(({ name }, index) => [name, found[index]?.fault ?? 'ok']));
    const isDegraded = found.some(({ fault }) => fault !== undefined);
    const isAway = found.some(({ isMissing }) => isMissing);
    return { status: isAway ? 'unavailable' : isDegraded ? 'degraded' : 'ok', parts };
  }

  return {
    async read() {
      if (!kept || kept.until <= now()) kept = { until: now() + keepMs, readiness: look() };
      const readiness = await kept.readiness;
      return isStopping ? { ...readiness, status: 'stopping' } : readiness;
    },
    stop() {
      isStopping = true;
    },
  };
}

interface Inspection {
  fault: string | undefined;
  /** Whether nothing can be served without what is away. */
  isMissing: boolean;
}

async function inspect(
  { check, fallback, isRequired = false }: ReadinessCheck,
  timeoutMs: number,
): Promise<Inspection> {
  try {
    return { fault: await withinTime(check(), timeoutMs), isMissing: false };
  } catch (error) {
    try {
      if (fallback) return { fault: await withinTime(fallback(), timeoutMs), isMissing: false };
    } catch {
      // The first error says what is wrong.
    }
    return { fault: error instanceof Error ? error.message : String(error), isMissing: isRequired };
  }
}

/** Rejects when the work takes longer. */
async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const seconds = timeoutMs / 1_000;
  const timer = setTimeout(() => reject(new Error(`There was no response within ${seconds} s.`)), timeoutMs);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
