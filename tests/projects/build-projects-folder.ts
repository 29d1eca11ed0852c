import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Copies the projects beside this file and the example of docs/projects.md to a folder outside this repository. */
export async function buildProjectsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-projects-'));
  for (const name of ['clinic', 'notices.mjs']) {
    await cp(new URL(name, import.meta.url), join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, 'atlas.ts'), await blockOfDocs('ts'));
  return folder;
}

/** Returns the first block of that language in docs/projects.md, or the first one behind a heading. */
export async function blockOfDocs(language: 'ts' | 'js' | 'text', heading = ''): Promise<string> {
  const page = await readFile(new URL('../../docs/projects.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf(heading));
  const [, block] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section) ?? [];
  if (block === undefined) throw new Error(`docs/projects.md has no block of ${language}.`);
  return block;
}
