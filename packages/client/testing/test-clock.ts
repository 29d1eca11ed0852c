import type { RealtimeClock } from '../src/realtime/realtime-clock.ts';

/** A clock that a test advances. */
export class TestClock implements RealtimeClock {
  /** The delays of all timers, oldest first. */
  readonly delays: number[] = [];
  #now = Date.now();
  #timers: { at: number; act: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.delays.push(ms);
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get pending(): number {
    return this.#timers.length;
  }

  /** Advances the clock and calls the due timers in order. */
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

  /** Advances the clock without calling timers, as on a suspended machine. */
  suspend(ms: number): void {
    this.#now += ms;
  }
}
