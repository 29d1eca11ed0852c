/**
 * CSS functions that are allowed; all of them only compute. Everything that loads (`image`, `image-set`, `src`,
 * `element`, …) is absent, and `url` is only allowed by `LOCAL_URL`.
 */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix
  translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d
  rotate rotatex rotatey rotatez rotate3d skew skewx skewy matrix matrix3d perspective
  calc min max clamp var cubic-bezier steps linear
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  polygon circle ellipse inset path not is where nth-child nth-of-type nth-last-child nth-last-of-type lang and`.split(
    /\s+/,
  ),
);

const LOCAL_URL = /\burl\(\s*(["']?)#[^\s"'()\\<>]+\1\s*\)/gi;
const AT_RULES = /@(?!(?:media|supports|keyframes|-webkit-keyframes)\b)/i;
const IMPORT =
  /@import\s+(?:url\(\s*(?:"[^"]{0,300}"|'[^']{0,300}'|[^)]{0,300})\s*\)|"[^"]{0,300}"|'[^']{0,300}')[^;{}]{0,300};?/gi;

/** Returns whether the value of an attribute or a declaration can neither load nor hide anything. */
export function isHarmlessValue(value: string): boolean {
  // An escape hides any word from the checks below, and a comment cuts one in two.
  if (/[\\<]|\/\*/.test(value)) return false;
  const rest = value.replace(LOCAL_URL, 'local');
  for (const [call] of rest.matchAll(/(?<![\w-])[\w-]+\(/g)) {
    if (!FUNCTIONS.has(call.slice(0, -1).toLowerCase())) return false;
  }
  return true;
}

/** Returns a `style` attribute without the declarations that could do harm. */
export function cleanDeclarations(style: string): string {
  const clean = withoutComments(style)
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => declaration !== '' && isHarmlessValue(declaration) && !/[@{}]/.test(declaration))
    .join(';');
  return isHarmlessValue(clean) ? clean : '';
}

/**
 * Returns a style sheet without imports, fonts and anything else that loads. The rest is checked once more as a whole,
 * and an empty text is returned when it is not plainly harmless.
 */
export function cleanStyleSheet(sheet: string): string {
  const clean = withoutComments(sheet)
    .replace(IMPORT, '')
    .replace(/@font-face\s*\{[^{}]*\}/gi, '')
    .replace(/[^;{}]+/g, (piece) => (isHarmlessRule(piece) ? piece : ''))
    .trim();
  return isHarmlessRule(clean) ? clean : '';
}

function isHarmlessRule(text: string): boolean {
  return !AT_RULES.test(text) && isHarmlessValue(text);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ');
}
