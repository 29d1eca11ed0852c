import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type CrowdCommand = { id: number } & (
  | { act: 'open'; url: string; channels: readonly string[] }
  | { act: 'count' }
  | { act: 'time'; on: boolean }
  | { act: 'close' }
);

export interface CrowdAnswer {
  id: number;
  result?: unknown;
  error?: string;
}

export interface Delays {
  count: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Many websockets in a process of their own. */
export interface Crowd {
  /** Opens one socket for each of these channels; resolves once all of them are subscribed. */
  open(url: string, channels: readonly string[]): Promise<void>;
  /** Messages that came to any of them so far, and sockets that the server has closed. */
  count(): Promise<{ deliveries: number; lost: number }>;
  /** What messages took that are published with `clock` while `act` goes on, and arrive until it is over. */
  timed(act: () => Promise<void>): Promise<Delays>;
  /** Closes all sockets; it may open others then. */
  close(): Promise<void>;
  stop(): void;
}

type Act = CrowdCommand extends infer Command
  ? Command extends unknown
    ? Omit<Command, 'id'>
    : never
  : never;

export function startCrowd(): Crowd {
  const child = fork(fileURLToPath(new URL('crowd-process.ts', import.meta.url)));
  const waiting = new Map<number, (answer: CrowdAnswer) => void>();
  let asked = 0;
  child.on('message', (answer: CrowdAnswer) => waiting.get(answer.id)?.(answer));

  function ask<T>(command: Act): Promise<T> {
    asked += 1;
    const id = asked;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result as T);
        else reject(new Error(error));
      });
      child.send({ ...command, id });
    });
  }

  return {
    open: (url, channels) => ask({ act: 'open', url, channels }),
    count: () => ask({ act: 'count' }),
    async timed(act) {
      await ask({ act: 'time', on: true });
      await act();
      const { count, p50, p99 } = await ask<Delays>({ act: 'time', on: false });
      return { count, p50: p50 / 1_000, p99: p99 / 1_000 };
    },
    close: () => ask({ act: 'close' }),
    stop: () => child.disconnect(),
  };
}

/** Microseconds of a clock that all processes of this machine share: goes as `at` into what is published. */
export function clock(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
