/** Returns the matches of the memory that say something else than what is written: the others are no help. */
export function otherMatches<Match extends { text: string }>(
  matches: readonly Match[],
  text: string,
): Match[] {
  return matches.filter((match) => match.text !== text);
}
