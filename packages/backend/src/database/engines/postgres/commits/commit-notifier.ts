import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Notification } from 'pg';
import { backOffMs } from '../../../../runtime/retry.ts';
import { settledWithin } from '../../../../runtime/within-time.ts';
import type { PrimaryConnection } from '../sessions/connect-admin.ts';
import { CURRENT_POSITION, type ProjectCommits, parsePosition } from './project-commits.ts';

/** Milliseconds between two notifications of this process. */
const INTERVAL_MS = 20;
/** Milliseconds between two checks of the connection, which may have ended silently. */
const HEARTBEAT_MS = 3_000;
const HEARTBEAT_TIMEOUT_MS = 2_000;
/** Milliseconds that the end waits for notifications that are still to be sent. */
const FLUSH_TIMEOUT_MS = 1_000;

const SEND = `SELECT pg_notify(channel, concat_ws(' ', $1::text, pg_current_wal_insert_lsn(), count))
  FROM unnest($2::text[], $3::bigint[]) AS sent(channel, count)`;

/**
 * Notifies other processes of commits and is notified of theirs, by NOTIFY, on one connection for all projects of this
 * process, which is restored when it ends. A notification holds its sender, the server's position in the
 * write-ahead log and the count of the sender's last commit. It is sent outside of transactions: within them, the server would let commits wait for one another.
 */
export class CommitNotifier {
  readonly #connect: () => Promise<PrimaryConnection>;
  readonly #moveListeners = new Set<(url: string) => void>();
  readonly #sender = randomUUID();
  readonly #channels = new Map<string, ProjectCommits>();
  readonly #pending = new Set<string>();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();
  #sentAt = 0;
  #heartbeat: NodeJS.Timeout | undefined;

  /** `connect` connects to the server that takes writes; it does not wait for one. */
  constructor(connect: () => Promise<PrimaryConnection>) {
    this.#connect = connect;
  }

  /** Calls the listener with the URL of the server each time that there is a new connection, until the returned function is called. */
  onConnected(listener: (url: string) => void): () => void {
    this.#moveListeners.add(listener);
    return () => this.#moveListeners.delete(listener);
  }

  get isListening(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Counts commits of other processes in `commits` from when the promise is resolved; the position in the log is known
   * then. Takes over the connection, which belongs to the role of the settings.
   */
  async listen(channel: string, commits: ProjectCommits, connection: Client): Promise<void> {
    this.#channels.set(channel, commits);
    await this.#connecting?.catch(() => undefined);
    if (this.#client) {
      await connection.end();
      await this.#subscribe(this.#client, [channel]);
    } else {
      await this.#use(connection);
    }
    // An earlier process may have ended without a notification of its last commit.
    this.announce(channel);
  }

  announce(channel: string): void {
    this.#pending.add(channel);
    if (!this.#isSending && this.#client) this.#sent = this.#send(this.#client);
  }

  /** Sends what is pending and stops listening. The connection is closed with the last channel. */
  async end(channel: string): Promise<void> {
    if (!this.#channels.has(channel)) return;
    await settledWithin(FLUSH_TIMEOUT_MS, this.#sent);
    this.#channels.delete(channel);
    if (this.#channels.size > 0) return;
    clearInterval(this.#heartbeat);
    const client = this.#client;
    this.#client = undefined;
    if (client) await settledWithin(FLUSH_TIMEOUT_MS, client.end());
    client?.connection.stream.destroy();
  }

  async #use(client: Client): Promise<void> {
    client.on('notification', (notification) => this.#onNotification(notification));
    client.on('end', () => this.#onLost(client));
    client.on('error', () => this.#onLost(client));
    await this.#subscribe(client, [...this.#channels.keys()]);
    this.#client = client;
    this.#heartbeat = setInterval(() => void this.#checkConnection(client), HEARTBEAT_MS).unref();
    for (const channel of this.#pending) this.announce(channel);
  }

  async #subscribe(client: Client, channels: readonly string[]): Promise<void> {
    for (const channel of channels) await client.query(`LISTEN "${channel}"`);
    const { rows } = await client.query(CURRENT_POSITION);
    // There may have been commits before LISTEN.
    const position = parsePosition(rows[0]?.position);
    for (const channel of channels) this.#channels.get(channel)?.countForeign(position);
  }

  #onNotification({ channel, payload = '' }: Notification): void {
    const [sender, position, count] = payload.split(' ');
    if (sender === this.#sender) return;
    this.#channels.get(channel)?.countForeign(parsePosition(position), Number(count));
  }

  #onLost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    for (const commits of this.#channels.values()) commits.forgetCount();
    clearInterval(this.#heartbeat);
    client.connection.stream.destroy();
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let attempt = 1; this.#channels.size > 0 && !this.#client; attempt += 1) {
      const pause = backOffMs(attempt, { firstMs: 50, longestMs: 2_000 });
      this.#connecting = this.#connectAgain();
      await this.#connecting.catch(() => wait(pause, undefined, { ref: false }));
      this.#connecting = undefined;
    }
  }

  async #connectAgain(): Promise<void> {
    const { client, url } = await this.#connect();
    try {
      for (const listener of this.#moveListeners) listener(url);
      await this.#use(client);
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
    // The last channel may have ended in the meantime.
    if (this.#channels.size === 0) {
      this.#client = undefined;
      await client.end();
    }
  }

  async #checkConnection(client: Client): Promise<void> {
    const timer = setTimeout(() => this.#onLost(client), HEARTBEAT_TIMEOUT_MS).unref();
    await client.query('SELECT 1').catch(() => this.#onLost(client));
    clearTimeout(timer);
  }

  /** Sends pending notifications, at most one in each interval, until there are none. */
  async #send(client: Client): Promise<void> {
    this.#isSending = true;
    let channels: string[] = [];
    try {
      while (this.#pending.size > 0) {
        const pause = this.#sentAt + INTERVAL_MS - performance.now();
        if (pause > 0) await wait(pause, undefined, { ref: false });
        channels = [...this.#pending];
        this.#pending.clear();
        this.#sentAt = performance.now();
        const counts = channels.map((channel) => this.#channels.get(channel)?.lastOwnCount ?? 0);
        await client.query(SEND, [this.#sender, channels, counts]);
      }
    } catch {
      // They are sent once there is a connection again.
      for (const channel of channels) this.#pending.add(channel);
    } finally {
      this.#isSending = false;
    }
  }
}
