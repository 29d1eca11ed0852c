/**
 * Holds a value that is loaded when it is first needed, once for all who need it meanwhile. A load that failed is
 * tried again by the next call.
 */
export class Lazy<Value> {
  readonly #load: () => Promise<Value>;
  #loading: Promise<Value> | undefined;

  constructor(load: () => Promise<Value>) {
    this.#load = load;
  }

  /** Throws what the load throws. */
  get(): Promise<Value> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Returns the value if it has been loaded or is being loaded; begins no load. */
  async ifLoaded(): Promise<Value | undefined> {
    return this.#loading?.catch(() => undefined);
  }
}
