/** Most items are small, and what they are sent to, such as a store of files far away, replies late. */
const CONCURRENCY = 8;

/**
 * Calls `act` with each item, eight at a time. A call that fails ends one of the eight workers; its error is thrown once
 * the others have worked through the rest. The items are read one by one, so that there may be any number of them.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const shared = oneByOne(items);
  const worker = async () => {
    for (let next = await shared.next(); !next.done; next = await shared.next()) await act(next.value);
  };
  const workers = Array.from({ length: CONCURRENCY }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

async function* oneByOne<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}
