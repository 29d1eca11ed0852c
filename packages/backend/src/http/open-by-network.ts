import { networksOf } from './networks.ts';

/** Counts what is open in each network of an IP address: connections, sockets. */
export class OpenByNetwork {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  /** @param max what one IP address may have open; wider networks have more (see `networksOf`) */
  constructor(max: number) {
    this.#max = max;
  }

  /** Returns whether nothing more may be opened from an IP address now. */
  isFull(ipAddress: string): boolean {
    return networksOf(ipAddress).some(
      ({ key, share }) => (this.#open.get(key) ?? 0) >= Math.ceil(this.#max * share),
    );
  }

  /** Counts one that is opened, or with -1 one that is closed. */
  count(ipAddress: string, change: 1 | -1): void {
    for (const { key } of networksOf(ipAddress)) {
      const open = (this.#open.get(key) ?? 0) + change;
      if (open > 0) this.#open.set(key, open);
      else this.#open.delete(key);
    }
  }
}
