import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type CrowdCommand = { id: number } & (
  | { act: 'open'; url: string; channels: readonly string[] }
  | { act: 'count' }
  | { act: 'time'; on: boolean }
  | { act: 'close' }
);

export interface CrowdReply {
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

/** Many websockets in a process of their own (`crowd-process.ts`). */
export interface Crowd {
  /** Opens one socket for each of these channels, and resolves once all of them are subscribed. */
  open(url: string, channels: readonly string[]): Promise<void>;
  /** Returns the number of received messages so far, and of sockets that the server has closed. */
  count(): Promise<{ deliveries: number; lost: number }>;
  /** Measures the delays of messages that are published with `clock` and received while `act` runs. */
  timed(act: () => Promise<void>): Promise<Delays>;
  /** Closes all sockets. Others may be opened afterwards. */
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
  const waiting = new Map<number, (reply: CrowdReply) => void>();
  let commands = 0;
  child.on('message', (reply: CrowdReply) => waiting.get(reply.id)?.(reply));

  function send<T>(command: Act): Promise<T> {
    commands += 1;
    const id = commands;
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
    open: (url, channels) => send({ act: 'open', url, channels }),
    count: () => send({ act: 'count' }),
    async timed(act) {
      await send({ act: 'time', on: true });
      await act();
      const { count, p50, p99 } = await send<Delays>({ act: 'time', on: false });
      return { count, p50: p50 / 1_000, p99: p99 / 1_000 };
    },
    close: () => send({ act: 'close' }),
    stop: () => child.disconnect(),
  };
}

/** Returns the microseconds of a clock that all processes of this machine share. Messages carry it as `at`. */
export function clock(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
