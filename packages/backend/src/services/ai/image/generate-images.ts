import type { ImageModelV4, ImageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { imageRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { sniffBytes } from '../../storage/index.ts';
import type { MediaRun } from '../media/run-media-call.ts';
import type { Picture } from './fetch-images.ts';

export type ImageTask = z.infer<typeof imageRequest>;

/** Throws AI_NOT_CONFIGURED for a model that only makes pictures. */
export async function requireImageEditing(model: ImageModelV4): Promise<void> {
  if ((await model.supportsFileInputs) !== false) return;
  throw new AppError(
    'AI_NOT_CONFIGURED',
    'The model that is set up here makes pictures but cannot change any. The operator can name another in AI_IMAGE_MODEL.',
  );
}

/** Asks for the pictures, in as many calls as the model needs for their number. Throws AI_FAILED. */
export async function generateImages(
  task: ImageTask,
  pictures: readonly Picture[],
  { model, ask, signal, report }: MediaRun<ImageModelV4>,
): Promise<Uint8Array[]> {
  const wanted = task.n ?? 1;
  const atOnce = (await maxPerCall(model)) ?? wanted;
  const made: Uint8Array[] = [];
  const used = { inputTokens: 0, outputTokens: 0 };
  while (made.length < wanted) {
    const n = Math.min(atOnce, wanted - made.length);
    const answer = await ask(() =>
      model.doGenerate({ ...describe(task, pictures, model), n, abortSignal: signal }),
    );
    if (answer.usage) {
      used.inputTokens += answer.usage.inputTokens ?? 0;
      used.outputTokens += answer.usage.outputTokens ?? 0;
      report({ ...used });
    }
    const images = await Promise.all(answer.images.slice(0, n).map(requireImage));
    if (images.length === 0) throw noImage();
    made.push(...images);
  }
  return made;
}

async function maxPerCall({ maxImagesPerCall, modelId }: ImageModelV4): Promise<number | undefined> {
  return typeof maxImagesPerCall === 'function' ? maxImagesPerCall({ modelId }) : maxImagesPerCall;
}

function describe(
  task: ImageTask,
  pictures: readonly Picture[],
  { provider }: ImageModelV4,
): Omit<ImageModelV4CallOptions, 'n'> {
  return {
    prompt: task.prompt,
    size: task.size && task.size !== 'auto' ? (task.size as `${number}x${number}`) : undefined,
    aspectRatio: undefined,
    seed: undefined,
    mask: undefined,
    files:
      pictures.length > 0
        ? pictures.map(({ mediaType, bytes }) => ({ type: 'file' as const, mediaType, data: bytes }))
        : undefined,
    providerOptions: wishesFor(provider, task),
  };
}

/** What only some models know is sent when the caller asks for it. Packages of vendors write it in camel case. */
function wishesFor(provider: string, task: ImageTask): SharedV4ProviderOptions {
  const { quality, style, background, output_format, output_compression } = task;
  const [vendor = ''] = provider.split('.');
  const isCompatible = vendor === 'openai-compatible';
  const wishes: Record<string, string | number | null | undefined> = {
    quality,
    style,
    background,
    [isCompatible ? 'output_format' : 'outputFormat']: output_format,
    [isCompatible ? 'output_compression' : 'outputCompression']: output_compression,
  };
  const given: Record<string, string | number> = {};
  for (const [name, wish] of Object.entries(wishes)) {
    if (wish !== undefined && wish !== null) given[name] = wish;
  }
  return { [isCompatible ? 'openaiCompatible' : vendor]: given };
}

/** Is it a picture by its own bytes? Whether it can be decoded is seen when it is kept. */
async function requireImage(image: string | Uint8Array): Promise<Uint8Array> {
  const bytes = typeof image === 'string' ? Buffer.from(image, 'base64') : image;
  const { kind } = await sniffBytes(bytes);
  if (kind !== 'image') throw noImage();
  return bytes;
}

function noImage(): AppError {
  return new AppError('AI_FAILED', 'The model answered with no picture. Please try again.');
}
