/** The names of the characters from U+00A0 to U+00FF in HTML, in their order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
/** Those of the Greek letters from U+03B1 to U+03C9. */
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega';
const OTHERS =
  'amp & lt < gt > quot " apos \' ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ hellip … bull • euro € trade ™ minus − le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ rarr → larr ← OElig Œ oelig œ Delta Δ Sigma Σ Omega Ω permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › thinsp \u2009 ensp \u2002 emsp \u2003 zwnj \u200c zwj \u200d';

const NAMED: ReadonlyMap<string, string> = nameCharacters();

function nameCharacters(): Map<string, string> {
  const rows = [
    [LATIN, 0xa0],
    [GREEK, 0x3b1],
  ] as const;
  const named = rows.flatMap(([names, first]) =>
    names.split(' ').map((name, at): [string, string] => [name, String.fromCodePoint(first + at)]),
  );
  for (const [, name = '', character = ''] of OTHERS.matchAll(/(\w+) (\S|[\u2002-\u2009])/g))
    named.push([name, character]);
  return new Map(named);
}

/** Returns a text in which the HTML entities that its source does not have are the characters that they name. */
export function decodeEntities(text: string, source: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]\w{1,8}));/g, (entity, ...codes) => {
    const [decimal, hexadecimal, name] = codes as (string | undefined)[];
    if (source.includes(entity)) return entity;
    if (name !== undefined) return NAMED.get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    const isCharacter = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
}
