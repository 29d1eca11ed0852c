import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import { importModule, shareOurModules } from './core/import-module.ts';
import type { ProjectDefinition } from './core/project.ts';
import { defineProject } from './project-database.ts';

/** Matches `shop.ts`, and neither `shop.test.ts` nor `shop.d.ts`. */
const PROJECT_FILE = /^[^.]+\.(ts|js|mjs)$/;
/** The names of a definition in a folder of the project's own. */
const IN_FOLDER = ['project.ts', 'project.js', 'project.mjs'];

/**
 * Returns the projects of the folder that `PROJECTS_DIR` names: `<name>.ts` or `<name>/project.ts` (or `.js`,
 * `.mjs`), each with a definition as its default export. None where no folder is named. Throws ConfigError with a
 * line for each file that cannot be used.
 */
export async function readProjects({
  projectsDir,
  projectId,
}: Pick<Config, 'projectsDir' | 'projectId'>): Promise<ProjectDefinition[]> {
  if (projectsDir === undefined) return [];
  const files = listProjectFiles(projectsDir);
  shareOurModules(projectsDir, files);
  const faults: string[] = [];
  const fileOf = new Map<string, string>();
  const definitions: ProjectDefinition[] = [];
  for (const file of files) {
    try {
      const definition = await readProject(file);
      const { id } = definition;
      if (id === projectId) throw new Error(`"${id}" is the id of the journal (PROJECT_ID)`);
      if (fileOf.has(id)) throw new Error(`"${id}" is the id of the project in ${fileOf.get(id)} already`);
      fileOf.set(id, file);
      definitions.push(definition);
    } catch (error) {
      faults.push(`PROJECTS_DIR: ${file}: ${withFullStop((error as Error).message)}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return definitions;
}

function listProjectFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .flatMap((name) => {
        const path = join(folder, name);
        if (name === 'node_modules' || name.startsWith('.')) return [];
        if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
          return PROJECT_FILE.test(name) ? [path] : [];
        const inner = readdirSync(path);
        return IN_FOLDER.filter((project) => inner.includes(project)).map((project) => join(path, project));
      });
  } catch (error) {
    const { code = '', path = folder } = error as NodeJS.ErrnoException;
    throw new ConfigError([`PROJECTS_DIR: ${path} ${FOLDER_FAULTS[code] ?? `cannot be read (${code})`}.`]);
  }
}

const FOLDER_FAULTS: Readonly<Record<string, string>> = { ENOENT: 'is not there', ENOTDIR: 'is no folder' };

/** Throws an Error that says what is wrong with the file. */
async function readProject(file: string): Promise<ProjectDefinition> {
  const { default: definition } = await importModule(file);
  if (definition === undefined) {
    throw new Error('there is no default export; write: export default defineProject({ … })');
  }
  if (typeof definition !== 'object' || definition === null || !('id' in definition)) {
    throw new Error('the default export is no project; write: export default defineProject({ … })');
  }
  return defineProject(definition as ProjectDefinition);
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
