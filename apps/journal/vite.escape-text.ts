import type { Plugin } from 'vite';

const BEYOND_ASCII = /[\u0080-\uffff]/g;

/**
 * Writes characters beyond ASCII as escapes into the modules that Node runs. Node keeps the text of a module as long as it is
 * loaded, in each thread, and with two bytes a character where a single one is not ASCII.
 */
export const escapeText: Plugin = {
  name: 'escape-text',
  applyToEnvironment: ({ config }) => config.consumer === 'server',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll(BEYOND_ASCII, escapeCharacter);
    }
  },
};

/** Returns the escape of a UTF-16 code unit, which means the same in strings, templates, patterns and names. */
function escapeCharacter(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
