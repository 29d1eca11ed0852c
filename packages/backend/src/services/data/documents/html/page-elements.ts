/** What no reader sees, with all that is in it. */
export const UNSEEN = new Set(
  `script style noscript template iframe frame object embed applet svg math canvas audio video map
  select datalist textarea button input meta link base title dialog progress meter portal`.split(/\s+/),
);

/** What stands by itself, apart from the text around it. */
export const BLOCKS = new Set(
  `p div section article header footer main aside nav ul ol dl table blockquote pre figure figcaption
  h1 h2 h3 h4 h5 h6 hr address details summary caption`.split(/\s+/),
);

/** What takes a line of its own within such a block. */
export const LINES = new Set('li dt dd tr br thead tbody tfoot'.split(' '));

/** What only parts a page has in names of their own, and what was used in their place before. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ...['form', 'fieldset', 'center', 'hgroup', 'noframes', 'search', 'dir', 'menu'].map(
    (name) => [name, name === 'dir' || name === 'menu' ? 'ul' : 'div'] as const,
  ),
  ['legend', 'p'],
  ['xmp', 'pre'],
  ['listing', 'pre'],
  ['strike', 's'],
  ['tt', 'code'],
]);

/** What parts a page, and what leads out of it. */
export const STRUCTURE = new Set([...BLOCKS, ...LINES, 'td', 'th', 'a', 'img']);

/** What marks words within a text. */
export const MARKS = new Set(
  'em strong b i u s del ins sub sup small mark q cite code kbd samp var abbr time dfn bdi bdo wbr'.split(
    ' ',
  ),
);

export const VOID = new Set(['br', 'hr', 'img', 'wbr']);
