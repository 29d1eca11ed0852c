/** Elements that are not displayed, with all of their content. */
export const UNSEEN = new Set(
  `script style noscript template iframe frame object embed applet svg math canvas audio video map
  select datalist textarea button input meta link base title dialog progress meter portal`.split(/\s+/),
);

/** Elements that are blocks. */
export const BLOCKS = new Set(
  `p div section article header footer main aside nav ul ol dl table blockquote pre figure figcaption
  h1 h2 h3 h4 h5 h6 hr address details summary caption`.split(/\s+/),
);

/** Elements that take a line of their own within a block. */
export const LINES = new Set('li dt dd tr br thead tbody tfoot'.split(' '));

/** Elements that are replaced by others of the same meaning. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ...['form', 'fieldset', 'center', 'hgroup', 'noframes', 'search', 'dir', 'menu'].map(
    (name) => [name, name === 'dir' || name === 'menu' ? 'ul' : 'div'] as const,
  ),
  ['legend', 'p'],
  ['xmp', 'pre'],
  ['listing', 'pre'],
  ['tt', 'code'],
]);

/** Elements that structure a page, links and images. */
export const STRUCTURE = new Set([...BLOCKS, ...LINES, 'td', 'th', 'a', 'img']);

/** Elements that mark words within a text. */
export const MARKS = new Set(
  'em strong b i u del ins sub sup small mark q cite code kbd samp var abbr time dfn bdi bdo wbr'.split(' '),
);

export const VOID = new Set(['br', 'hr', 'img', 'wbr']);
