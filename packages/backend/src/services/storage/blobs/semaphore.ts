/** Lets so many act at once; the others wait, in the order in which they came. */
export function createTurns(atOnce: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let acting = 0;
  return async (act) => {
    if (acting >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else acting += 1;
    try {
      return await act();
    } finally {
      // Whoever waits takes over the place, which is not free in between.
      const next = waiting.shift();
      if (next) next();
      else acting -= 1;
    }
  };
}
