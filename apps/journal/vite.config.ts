import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { messagesInPlace } from './vite.messages.ts';

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), messagesInPlace],
  // The server's build holds what pages import, so that serving does without those packages. It shares React with the
  // server's own code.
  ...(command === 'build' && { ssr: { noExternal: true, external: ['react', 'react-dom', 'react-router'] } }),
  // Fonts and images stay files of their own: browsers cache them longer than the style sheet.
  build: { assetsInlineLimit: 0 },
  // 4 is `Features.DirSelector`: `:dir(rtl)` stays, and does not become a list of languages that no text is in.
  css: { lightningcss: { exclude: 4 } },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                // Changes with an upgrade only, so browsers keep it from release to release.
                {
                  name: 'framework',
                  test: /node_modules\/(react|react-dom|react-router|scheduler|cookie-es)\/|rolldown\/runtime/,
                },
                // What every screen has around it, as one file rather than two dozen small ones. `entry.client` and
                // `member-messages` must not be in it: they await messages, and nothing that waits for them would be hydrated.
                // Of the icons it has its own and those of a post; the editor's load with the editor.
                {
                  name: 'frame',
                  test: /lucide-react\/dist\/esm\/(?!icons\/)|project\/roles|app\/(root|layout|language\/(?!member|detect)|client|analytics|live|offline|images\/(responsive|image)|gallery\/gallery|post\/article\/post-skeleton|not-found\/missing|ui\/(button|field|text|notify|toasts|skeleton|back-link|load-later|move-focus))|icons\/(arrow-up|mail|minus|plus|trash)(-2)?\.mjs/,
                },
                // What the desk has in common with other pages, and must not take with it into its own file.
                {
                  name: 'parts',
                  test: /ui\/(dialog|copy-text|tab-draft|use-(action-form|busy|loaded-data|object-url))|icons\/(check|eye|chevron-(down|left|right))\.mjs/,
                },
                // The desk, as one file rather than two dozen small ones.
                {
                  name: 'desk',
                  test: /app\/desk\/(?!(?:routes|list|people)\/|translations\/(?:queue|terms|page|segments)\/|history\/(?:compared-words|fold-unchanged|word-diff)\.)/,
                },
                // The client's parts that several screens use; realtime and analytics load after the page.
                { name: 'client', test: /packages\/(client|contract)/, minShareCount: 2 },
                // The rules of the sign-in's fields, which posts have too.
                { name: 'form-rules', test: /app\/sign-in\/(forms\/form-|password\/sign-in-fields)/ },
                // The sign-in, as one file rather than a dozen small ones.
                {
                  name: 'sign-in',
                  test: /app\/sign-in\/(forms|password|providers|target|tokens)|app\/factors\/passkey|icons\/(key-round|smartphone)\.mjs/,
                },
              ],
            },
          },
        },
      },
    },
  },
}));
