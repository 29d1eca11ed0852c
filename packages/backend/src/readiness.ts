import { settledWithin, withinTime } from './runtime/within-time.ts';

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
type ReadinessStatus = 'ok' | 'degraded' | 'unavailable' | 'stopping';

interface Readiness {
  status: ReadinessStatus;
  /** `ok`, or a sentence, by the name of the part. */
  parts: Readonly<Record<string, string>>;
}

interface ReadinessOptions {
  checks: readonly ReadinessCheck[];
  /** Is called when a part does not work for the first time, and when it works again; `fault` is undefined then. */
  onChange?(part: string, fault: string | undefined): void;
  /** Milliseconds for which a result is kept, because several load balancers ask often. */
  keepMs?: number;
  /** Milliseconds after which a part that has not responded counts as away. */
  timeoutMs?: number;
  /** Milliseconds after which the result before is returned: load balancers give up after a second. */
  waitMs?: number;
  now?: () => number;
}

export interface ReadinessReader {
  read(): Promise<Readiness>;
  /** Has `read` say from now on that the process ends. */
  stop(): void;
}

const KEEP_MS = 1_000;
const TIMEOUT_MS = 2_000;
const WAIT_MS = 400;

/** Creates what tells load balancers whether this process can serve, and operators what is away. */
export function createReadiness({
  checks,
  onChange,
  keepMs = KEEP_MS,
  timeoutMs = TIMEOUT_MS,
  waitMs = WAIT_MS,
  // The clock may be set while the process runs: it is one of the parts.
  now = () => performance.now(),
}: ReadinessOptions): ReadinessReader {
  let looking: { until: number; readiness: Promise<Readiness> } | undefined;
  let found: Readiness | undefined;
  let isLooking = false;
  let isStopping = false;

  async function look(): Promise<Readiness> {
    const inspections = await Promise.all(checks.map((check) => inspect(check, timeoutMs)));
    const parts = Object.fromEntries(
      checks.map(({ name }, index) => [name, inspections[index]?.fault ?? 'ok']),
    );
    for (const [index, { name }] of checks.entries()) {
      const before = found?.parts[name] ?? 'ok';
      const fault = inspections[index]?.fault;
      if ((before === 'ok') !== (fault === undefined)) onChange?.(name, fault);
    }
    const isDegraded = inspections.some(({ fault }) => fault !== undefined);
    const isAway = inspections.some(({ isMissing }) => isMissing);
    found = { status: isAway ? 'unavailable' : isDegraded ? 'degraded' : 'ok', parts };
    isLooking = false;
    return found;
  }

  return {
    async read() {
      if (!looking || (!isLooking && looking.until <= now())) {
        isLooking = true;
        looking = { until: now() + keepMs, readiness: look() };
      }
      const readiness =
        (await settledWithin(waitMs, looking.readiness)) ?? found ?? (await looking.readiness);
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
  const late = `There was no response within ${timeoutMs / 1_000} s.`;
  try {
    return { fault: await withinTime(timeoutMs, check(), late), isMissing: false };
  } catch (error) {
    try {
      if (fallback) return { fault: await withinTime(timeoutMs, fallback(), late), isMissing: false };
    } catch {
      // The first error says what is wrong.
    }
    return { fault: error instanceof Error ? error.message : String(error), isMissing: isRequired };
  }
}
