import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/** The folder of the bundle, of whose modules Node runs `server.js` and `cli.js`. All of them are directly in it. */
const OUTPUT = fileURLToPath(new URL('build/node', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** These packages bring programs or files of their own, or are shared with the build of the pages: `npm run package` copies them. */
const INSTALLED = ['libheif-js', 'playwright-core', 'react', 'react-dom', 'react-router', 'sharp'];
/** The bundle does without these: Vite serves in development alone, and other packages use the others where they are installed. */
const ABSENT = ['bufferutil', 'pg-native', 'supports-color', 'utf-8-validate', 'vite'];

/** Packages that operators' own files import, and of which they must get the server's copy (`core/import-module.ts`). */
const SHARED = ['@fabrica/backend', '@fabrica/contract', 'kysely'];

interface SharedModule {
  /** The package, and what it exports this module as. */
  name: string;
  subpath: string;
  file: string;
  /** The name of the module's chunk. */
  chunk: string;
}

const shared = SHARED.flatMap(exportsOf);
const entries = {
  server: fileURLToPath(new URL('server.ts', import.meta.url)),
  cli: fileURLToPath(new URL('cli.ts', import.meta.url)),
  ...Object.fromEntries(shared.map(({ chunk, file }) => [chunk, file])),
};

/** Returns the modules that a package exports, without patterns. */
function exportsOf(name: string): SharedModule[] {
  const { exports } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8'));
  return Object.entries<string | { default: string }>(exports)
    .filter(([subpath]) => !subpath.includes('*'))
    .map(([subpath, target]) => ({
      name,
      subpath,
      file: join(PACKAGES, name, typeof target === 'string' ? target : target.default),
      chunk: join(name, subpath).replaceAll(/\W+/g, '-').replace(/^-/, ''),
    }));
}

/** The files of modules that are started by their URL, by their names in the bundle. */
const started: Record<string, string> = { ...entries };

/** A file that a module names relative to itself: a thread's or a process's own module, or one that it reads. */
const FILE_URL = /new URL\(\s*(['`])([^'`]+)\1,\s*import\.meta\.url,?\s*\)/g;

/** Bundles the modules that are started by their URL, and has URLs of other files lead to where those are. */
const fileUrls: Plugin = {
  name: 'file-urls',
  enforce: 'pre',
  transform: {
    filter: { code: 'import.meta.url', id: { exclude: /node_modules/ } },
    handler(code, id) {
      const folder = dirname(id);
      return code.replaceAll(FILE_URL, (_, quote: string, path: string) => {
        if (!path.endsWith('.ts'))
          return `new URL(${quote}${relative(OUTPUT, folder)}/${path}${quote}, import.meta.url)`;
        const name = basename(path, '.ts');
        const file = resolve(folder, path);
        if (!(name in started)) this.emitFile({ type: 'chunk', id: file, fileName: `${name}.js` });
        started[name] ??= file;
        if (started[name] !== file)
          this.error(`Two modules that are started by their URL are called ${name}.`);
        return `new URL('./${name}.js', import.meta.url)`;
      });
    },
  },
};

/** Writes what the bundle needs beside it, and packages of the names that operators' files import, which lead to its modules. */
const packageFiles: Plugin = {
  name: 'package-files',
  generateBundle() {
    const write = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
    const dependencies = Object.fromEntries(INSTALLED.map((name) => [name, '*']));
    write('package.json', JSON.stringify({ type: 'module', dependencies }));
    for (const name of SHARED) {
      const modules = shared.filter((module) => module.name === name);
      const exports = Object.fromEntries(modules.map(({ subpath, chunk }) => [subpath, `./${chunk}.js`]));
      const folder = `node_modules/${name}`;
      write(`${folder}/package.json`, JSON.stringify({ name, type: 'module', exports }));
      for (const { chunk } of modules) {
        const path = relative(folder, `${chunk}.js`);
        write(`${folder}/${chunk}.js`, `export * from '${path}';\n`);
      }
    }
  },
};

/** Bundles what Node runs in production: one file is read and compiled faster than a thousand, and its memory is smaller. */
export default defineConfig({
  plugins: [fileUrls, packageFiles],
  publicDir: false,
  ssr: { noExternal: true, external: [...INSTALLED, ...ABSENT] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: OUTPUT,
    emptyOutDir: true,
    // Names and lines stay, so that stack traces can be read: see docs/decisions/server-bundle.md.
    minify: false,
    rolldownOptions: {
      input: entries,
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});
