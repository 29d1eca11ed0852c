/** Most blobs are small, and a store far away answers each of them late. */
const AT_ONCE = 8;

/** Acts on some of the items at a time; an error is thrown once the others have seen to the rest. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const shared = oneByOne(items);
  const worker = async () => {
    for (let next = await shared.next(); !next.done; next = await shared.next()) await act(next.value);
  };
  const workers = Array.from({ length: AT_ONCE }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

async function* oneByOne<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}
