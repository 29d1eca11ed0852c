/** The first status of a failure that lies with the provider, and those by which it takes no call with our key. */
const FAILED = 500;
const REFUSED: readonly number[] = [401, 403];

/** Holds what the last call of this process says of the provider. One that nobody calls costs nothing, so that it is not tried either. */
export class ProviderHealth {
  #fault: string | undefined;

  /** A sentence for the operator; undefined when the last call was responded to, or there was none. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Sends a call on, and remembers how the provider responded. A caller who went away says nothing of it. */
  async watch(send: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
    try {
      const response = await send();
      const { status } = response;
      const isAway = status >= FAILED || REFUSED.includes(status);
      this.#fault = isAway ? `The model’s provider responds with the status ${status}.` : undefined;
      return response;
    } catch (error) {
      if (!signal?.aborted) this.#fault = 'The model’s provider cannot be reached.';
      throw error;
    }
  }
}
