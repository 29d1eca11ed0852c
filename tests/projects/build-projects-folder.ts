import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The projects that stand beside this file, in a folder far from this repository, and the one of docs/projects.md. */
export async function buildProjectsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-projects-'));
  for (const name of ['clinic', 'notices.mjs']) {
    await cp(new URL(name, import.meta.url), join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, 'atlas.ts'), await blockOfDocs('ts'));
  return folder;
}

/** The first block of that language in docs/projects.md. */
export async function blockOfDocs(language: 'ts' | 'js' | 'text'): Promise<string> {
  const page = await readFile(new URL('../../docs/projects.md', import.meta.url), 'utf8');
  const [, block] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  if (block === undefined) throw new Error(`docs/projects.md has no block of ${language}.`);
  return block;
}
