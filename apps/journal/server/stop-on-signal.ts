import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Backend } from '@fabrica/backend';
import type { Logger } from 'pino';

interface StopOnSignalOptions {
  backend: Pick<Backend, 'announceStop' | 'closeSockets'>;
  /** Closes what the server relies on, once it has no request left. */
  close(): Promise<void>;
  /** Seconds for which requests are still taken, while load balancers are told to send none. */
  delaySeconds: number;
  log: Logger;
}

/** Milliseconds that requests in flight may take once no more are taken. */
const IN_FLIGHT_MS = 8_000;

/** Milliseconds between the end of the last connection and the end of the process, for mails and files that are written. */
const CLOSING_MS = 4_000;

/**
 * Ends the process on SIGINT and SIGTERM, and when the process that started this one is gone: no new requests, those in
 * flight are finished, sockets are told to come back elsewhere. Further signals change nothing: `npm`, a terminal and
 * systemd send more than one.
 */
export function stopOnSignal(server: Server, options: StopOnSignalOptions): void {
  let isStopping = false;
  const begin = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    stop(server, options, reason).then(
      () => process.exit(0),
      (error: unknown) => {
        options.log.error({ err: error }, 'Something could not be closed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => begin(signal));
  // `npm start` holds a channel to this process, which closes when it is killed.
  if (process.connected) process.once('disconnect', () => begin('the end of npm start'));
}

async function stop(
  server: Server,
  { backend, close, delaySeconds, log }: StopOnSignalOptions,
  reason: string,
): Promise<void> {
  const started = performance.now();
  log.info({ reason, delaySeconds }, 'Stopping');
  setTimeout(() => process.exit(1), delaySeconds * 1_000 + IN_FLIGHT_MS + CLOSING_MS).unref();
  backend.announceStop();
  if (delaySeconds > 0) await wait(delaySeconds * 1_000);
  await new Promise<void>((resolve) => {
    setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS).unref();
    server.close(() => resolve());
    server.closeIdleConnections();
    backend.closeSockets();
    // Busy connections are closed soon after their response.
    server.keepAliveTimeout = 1;
  });
  await close();
  log.info({ seconds: Math.round((performance.now() - started) / 100) / 10 }, 'Stopped');
}
