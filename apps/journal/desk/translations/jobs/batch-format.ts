/** Returns the name of the element around each text: one that none of the texts contains. */
export function chooseTag(texts: readonly string[]): string {
  let tag = 'seg';
  for (
    let number = 2;
    texts.some((text) => text.includes(`<${tag}`) || text.includes(`</${tag}`));
    number += 1
  ) {
    tag = `seg${number}`;
  }
  return tag;
}

/** Returns texts as the model is given them and has to return them: `<seg id="1">…</seg>`, a line each. */
export function writeBatch(texts: readonly string[], tag: string): string {
  return texts.map((text, index) => `<${tag} id="${index + 1}">${text}</${tag}>`).join('\n');
}
