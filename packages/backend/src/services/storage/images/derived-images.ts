import { rm } from 'node:fs/promises';
import type { Project } from '../../../database/project.ts';
import type { Priority } from '../../../runtime/semaphore.ts';
import { type BlobStore, newBlobKey } from '../blobs/blob-store.ts';
import { withLocalCopy } from '../blobs/local-copy.ts';
import type { TemporaryFiles } from '../blobs/temporary-files.ts';
import { fileNotFound, findVariant, isInUse, putVariant, type StoredFile } from '../queries.ts';
import type { ImageProcess, MakeTask } from './image-process.ts';
import { presentVariantName, type Variant } from './variants.ts';

/** A blob to be served. */
export interface ServedBlob {
  key: string;
  /** Bytes. */
  size: number;
}

/** A file of a project. */
export interface ProjectFile {
  project: Project;
  file: StoredFile;
}

/** The original of a derived image. */
export interface Source extends ProjectFile {
  /** Path of a local copy of the original, if the caller has one. */
  copy?: string;
}

export interface DerivedImagesOptions {
  blobs: BlobStore;
  temporaryFiles: TemporaryFiles;
  process: ImageProcess;
}

/** Makes images of stored originals, and stores them as long as their file exists. */
interface DerivedImages {
  /** Returns the cleaned version under `key`, and makes it if it is missing. Throws FILE_NOT_FOUND. */
  clean(stored: Source, key: string, priority: Priority): Promise<ServedBlob>;
  /** Returns the variant, and makes it if it is missing. Throws FILE_NOT_FOUND. */
  render(stored: Source, variant: Variant, priority: Priority): Promise<ServedBlob>;
}

export function createDerivedImages({ blobs, temporaryFiles, process }: DerivedImagesOptions): DerivedImages {
  /** Runs a task on the original, and puts its result into the store. Returns the bytes of the result. */
  async function make(
    { project, file: { blob, user_id: owner }, copy }: Source,
    {
      key,
      priority,
      task,
    }: { key: string; priority: Priority; task: (source: string, target: string) => MakeTask },
  ): Promise<number> {
    const target = temporaryFiles.newPath();
    const act = async (source: string) => {
      await process.make(task(source, target), { owner, priority });
      return true;
    };
    try {
      const made = copy ? await act(copy) : await withLocalCopy(blobs, blob, act);
      if (!made) throw fileNotFound();
      await blobs.put(key, target);
    } catch (error) {
      throw (await isInUse(project.database, blob)) ? error : fileNotFound();
    } finally {
      await rm(target, { force: true });
    }
    return (await blobs.stat(key))?.size ?? 0;
  }

  async function clean(stored: Source, key: string, priority: Priority): Promise<ServedBlob> {
    const { project, file } = stored;
    const present = await blobs.stat(key);
    if (present) return { key, ...present };
    const task = (source: string, target: string): MakeTask => ({ kind: 'clean', source, target });
    const size = await make(stored, { key, priority, task });
    if (await isInUse(project.database, file.blob)) return { key, size };
    await blobs.remove(key);
    throw fileNotFound();
  }

  async function render(stored: Source, variant: Variant, priority: Priority): Promise<ServedBlob> {
    const { project } = stored;
    const { blob } = stored.file;
    const name = presentVariantName(variant);
    const present = await findVariant(project.database, { blob, name });
    if (present) return present;
    const key = newBlobKey(project.definition.id);
    const task = (source: string, target: string): MakeTask => ({
      kind: 'render',
      source,
      target,
      ...variant,
    });
    const size = await make(stored, { key, priority, task });
    const made = { blob, name, key, size, created_at: Date.now() };
    if (await putVariant(project.database, made)) return made;
    await blobs.remove(key);
    // Another process was faster, or the file is gone.
    const others = await findVariant(project.database, { blob, name });
    if (!others) throw fileNotFound();
    return others;
  }

  return { clean, render };
}
