import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Notification } from 'pg';
import { connectAdmin } from '../sessions/connect-admin.ts';
import { CURRENT_POSITION, type ProjectCommits, parsePosition } from './project-commits.ts';

/** Between two notices of this process. */
const APART_MS = 20;
/** A connection that hears nothing may have ended without a word. */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_ANSWER_MS = 3_000;
/** Notices that are still to be sent are waited for so long at the end. */
const FLUSH_MS = 1_000;

const SEND = `SELECT pg_notify(channel, $1 || ' ' || pg_current_wal_insert_lsn()::text) FROM unnest($2::text[]) AS channel`;

/**
 * Tells other processes of commits, and hears of theirs, by NOTIFY: one connection for all projects of this process,
 * which is made anew when it ends. A notice names its sender and how far the server's log of writes is. It is sent
 * outside of transactions: within, the server would have them wait for one another.
 */
export class Notices {
  readonly #url: string;
  readonly #sender = randomUUID();
  readonly #listening = new Map<string, ProjectCommits>();
  readonly #pending = new Set<string>();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #sends = false;
  #sent: Promise<void> = Promise.resolve();
  #sentAt = 0;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get hears(): boolean {
    return this.#client !== undefined;
  }

  /**
   * From when this is answered on, commits of others are told to `commits`, the log's position being known. Takes over
   * the connection, which is one of the role of the settings.
   */
  async listen(channel: string, commits: ProjectCommits, connection: Client): Promise<void> {
    this.#listening.set(channel, commits);
    await this.#connecting?.catch(() => undefined);
    if (this.#client) {
      await connection.end();
      await this.#subscribe(this.#client, [channel]);
    } else {
      await this.#keep(connection);
    }
    // Whoever was here before may have ended without having told of its last commit.
    this.announce(channel);
  }

  announce(channel: string): void {
    this.#pending.add(channel);
    if (!this.#sends && this.#client) this.#sent = this.#send(this.#client);
  }

  /** Once what is to be told has been told. Without anything to listen to, there is no connection. */
  async end(channel: string): Promise<void> {
    if (!this.#listening.has(channel)) return;
    await Promise.race([this.#sent, wait(FLUSH_MS, undefined, { ref: false })]);
    this.#listening.delete(channel);
    if (this.#listening.size > 0) return;
    clearInterval(this.#heartbeat);
    const client = this.#client;
    this.#client = undefined;
    await Promise.race([client?.end(), wait(FLUSH_MS, undefined, { ref: false })]);
    client?.connection.stream.destroy();
  }

  async #keep(client: Client): Promise<void> {
    client.on('notification', (notice) => this.#hear(notice));
    client.on('end', () => this.#lose(client));
    client.on('error', () => this.#lose(client));
    await this.#subscribe(client, [...this.#listening.keys()]);
    this.#client = client;
    this.#heartbeat = setInterval(() => void this.#beat(client), HEARTBEAT_MS).unref();
    for (const channel of this.#pending) this.announce(channel);
  }

  async #subscribe(client: Client, channels: readonly string[]): Promise<void> {
    for (const channel of channels) await client.query(`LISTEN "${channel}"`);
    const { rows } = await client.query(CURRENT_POSITION);
    // There may have been commits that nobody has heard of.
    const position = parsePosition(rows[0]?.position);
    for (const channel of channels) this.#listening.get(channel)?.noteForeign(position);
  }

  #hear({ channel, payload = '' }: Notification): void {
    const [sender, position] = payload.split(' ');
    if (sender !== this.#sender) this.#listening.get(channel)?.noteForeign(parsePosition(position));
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    clearInterval(this.#heartbeat);
    client.connection.stream.destroy();
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let pause = 50; this.#listening.size > 0 && !this.#client; pause = Math.min(2 * pause, 2_000)) {
      this.#connecting = this.#connectAgain();
      await this.#connecting.catch(() => wait(pause, undefined, { ref: false }));
      this.#connecting = undefined;
    }
  }

  async #connectAgain(): Promise<void> {
    const client = await connectAdmin(this.#url, 0);
    try {
      await this.#keep(client);
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
    // The last one may have ended meanwhile.
    if (this.#listening.size === 0) {
      this.#client = undefined;
      await client.end();
    }
  }

  async #beat(client: Client): Promise<void> {
    const timer = setTimeout(() => this.#lose(client), HEARTBEAT_ANSWER_MS).unref();
    await client.query('SELECT 1').catch(() => this.#lose(client));
    clearTimeout(timer);
  }

  /** At once, and then as often as is allowed, until there is nothing more to tell. */
  async #send(client: Client): Promise<void> {
    this.#sends = true;
    let channels: string[] = [];
    try {
      while (this.#pending.size > 0) {
        const pause = this.#sentAt + APART_MS - performance.now();
        if (pause > 0) await wait(pause, undefined, { ref: false });
        channels = [...this.#pending];
        this.#pending.clear();
        this.#sentAt = performance.now();
        await client.query(SEND, [this.#sender, channels]);
      }
    } catch {
      // They are told once there is a connection again.
      for (const channel of channels) this.#pending.add(channel);
    } finally {
      this.#sends = false;
    }
  }
}
