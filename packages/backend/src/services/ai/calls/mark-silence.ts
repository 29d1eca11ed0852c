/** Yields what `pieces` yields, and `undefined` each time that nothing came for `ms` milliseconds. */
export async function* markSilence<Piece, End>(
  pieces: AsyncGenerator<Piece, End, undefined>,
  ms: number,
): AsyncGenerator<Piece | undefined, End, undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = () =>
    new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ms);
    });
  try {
    for (;;) {
      const next = pieces.next();
      // The reader may leave while this is under way.
      next.catch(() => undefined);
      let result: IteratorResult<Piece, End> | undefined;
      while (!result) {
        result = await Promise.race([next, silence()]);
        clearTimeout(timer);
        if (result?.done) return result.value;
        yield result?.value;
      }
    }
  } finally {
    clearTimeout(timer);
    await pieces.return(undefined as End);
  }
}
