import { unavailable } from '../postgres-error.ts';

/** One after the other, in the order in which they came. */
export class Turns {
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  /** Answers when it is the caller's turn, which must end it. Throws DATABASE_UNAVAILABLE after so many milliseconds. */
  take(patience: number): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(unavailable(new Error('Another transaction has had its turn for too long.')));
      }, patience);
      this.#waiting.push(begin);
    });
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}
