import type { Plugin } from 'vite';

const BEYOND_ASCII = /[\u0080-\uffff]/g;
/** Matches a character beyond ASCII behind a backslash, to which the escape of the character would give its own. */
const BEHIND_BACKSLASH = /(?<!\\)(?:\\\\)*\\[\u0080-\uffff]/;
/** Matches a template beyond ASCII whose escapes are read as they are written. */
const RAW_TEMPLATE = /\bString\.raw\s*`(?:[^`\\]|\\[\s\S])*?[\u0080-\uffff]/;

/**
 * Writes characters beyond ASCII as escapes into the modules that Node runs. Node keeps the text of a module as long as it is
 * loaded, in each thread, and with two bytes a character where a single one is not ASCII. The build fails where
 * an escape would mean something else: behind a backslash, and in a `String.raw` template.
 */
export const escapeText: Plugin = {
  name: 'escape-text',
  applyToEnvironment: ({ config }) => config.consumer === 'server',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      if (changesMeaning(file.code)) {
        const module = Object.entries(file.modules).find(([, { code }]) => code && changesMeaning(code));
        this.error(
          `${module?.[0] ?? file.fileName} has a character beyond ASCII behind a backslash or in a String.raw template, where it cannot be escaped.`,
        );
      }
      file.code = file.code.replaceAll(BEYOND_ASCII, escapeCharacter);
    }
  },
};

function changesMeaning(code: string): boolean {
  return BEHIND_BACKSLASH.test(code) || RAW_TEMPLATE.test(code);
}

/**
 * Returns the escape of a UTF-16 code unit. It means the same as the character in strings, in templates whose tag does not read
 * them raw, in patterns, in comments, and in names as far as they have no characters of two units. Elsewhere, as for a no-break space
 * between two tokens, it is a syntax error: Node does not load the module.
 */
function escapeCharacter(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
