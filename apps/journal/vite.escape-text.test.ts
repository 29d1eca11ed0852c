import { build } from 'vite';
import { expect, it } from 'vitest';
import { escapeText } from './vite.escape-text.ts';

/** Builds a module for Node, and returns its code. */
async function buildModule(code: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [{ name: 'module', resolveId: () => '/dash.js', load: () => code }, escapeText],
    build: { ssr: '/dash.js', write: false, minify: false },
  });
  if (!('output' in result)) throw new Error('Nothing is built.');
  return result.output[0].code;
}

it('a module that is built for Node is ASCII, and its texts and patterns stay the same', async () => {
  const code = await buildModule("export const texts = ['–🫀', `é\\\\`, /^[–🫀]$/u.test('🫀'), 'a\\\\–'];");
  expect(code).toMatch(/^[ -~\s]*$/);
  const { texts } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(texts).toEqual(['–🫀', 'é\\', true, 'a\\–']);
});

it.each([
  'export const dash = /\\–/;',
  'export const dash = /\\\\\\–/;',
  'export const dash = String.raw`\\d–`;',
])('the build fails at what escapes would change, and names the module: %s', async (code) => {
  await expect(buildModule(code)).rejects.toThrow('/dash.js has a character beyond ASCII');
});
