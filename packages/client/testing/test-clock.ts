import type { RealtimeSettings } from '@fabrica/client';

type RealtimeClock = NonNullable<RealtimeSettings['clock']>;

/** Time that passes when a test says so. */
export class TestClock implements RealtimeClock {
  /** The delays that were asked for, oldest first. */
  readonly asked: number[] = [];
  #now = Date.now();
  #timers: { at: number; act: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.asked.push(ms);
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get pending(): number {
    return this.#timers.length;
  }

  /** Lets time pass: what is due happens in its order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [due] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!due) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.act();
    }
    this.#now = end;
  }

  /** Time passes, and no timer comes: those of a machine that sleeps. */
  sleep(ms: number): void {
    this.#now += ms;
  }
}
