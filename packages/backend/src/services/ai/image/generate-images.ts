import type { ImageModelV4, ImageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { imageRequest } from '@fabrica/contract/schemas';
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { sniffBytes } from '../../storage/index.ts';
import type { MediaRun } from '../media/run-media-call.ts';
import type { FetchedImage } from './fetch-images.ts';

type ImageTask = z.infer<typeof imageRequest>;

/** Throws AI_NOT_CONFIGURED for a model that cannot change images. */
export async function requireImageEditing(model: ImageModelV4): Promise<void> {
  if ((await model.supportsFileInputs) !== false) return;
  throw new AppError(
    'AI_NOT_CONFIGURED',
    'The model that is set up here makes pictures but cannot change any. The operator can name another in AI_IMAGE_MODEL.',
  );
}

/** Generates the images, in as many calls as the model needs. Throws AI_FAILED. */
export async function generateImages(
  task: ImageTask,
  sourceImages: readonly FetchedImage[],
  { model, attempt, signal, report }: MediaRun<ImageModelV4>,
): Promise<Uint8Array[]> {
  const count = task.n ?? 1;
  const perCall = (await maxPerCall(model)) ?? count;
  const generated: Uint8Array[] = [];
  const used = { inputTokens: 0, outputTokens: 0 };
  while (generated.length < count) {
    const n = Math.min(perCall, count - generated.length);
    const result = await attempt(() =>
      model.doGenerate({ ...callOptionsFor(task, sourceImages, model), n, abortSignal: signal }),
    );
    if (result.usage) {
      used.inputTokens += result.usage.inputTokens ?? 0;
      used.outputTokens += result.usage.outputTokens ?? 0;
      report({ ...used });
    }
    const images = await Promise.all(result.images.slice(0, n).map(requireImage));
    if (images.length === 0) throw noImage();
    generated.push(...images);
  }
  return generated;
}

async function maxPerCall({ maxImagesPerCall, modelId }: ImageModelV4): Promise<number | undefined> {
  return typeof maxImagesPerCall === 'function' ? maxImagesPerCall({ modelId }) : maxImagesPerCall;
}

function callOptionsFor(
  task: ImageTask,
  sourceImages: readonly FetchedImage[],
  { provider }: ImageModelV4,
): Omit<ImageModelV4CallOptions, 'n'> {
  return {
    prompt: task.prompt,
    size: task.size && task.size !== 'auto' ? (task.size as `${number}x${number}`) : undefined,
    aspectRatio: undefined,
    seed: undefined,
    mask: undefined,
    files:
      sourceImages.length > 0
        ? sourceImages.map(({ mediaType, bytes }) => ({ type: 'file' as const, mediaType, data: bytes }))
        : undefined,
    providerOptions: providerOptionsFor(provider, task),
  };
}

/**
 * Returns the options that only some models know, as far as the caller gave them. Vendors’ packages write them in camel
 * case.
 */
function providerOptionsFor(provider: string, task: ImageTask): SharedV4ProviderOptions {
  const { quality, style, background, output_format, output_compression } = task;
  const [vendor = ''] = provider.split('.');
  const isCompatible = vendor === 'openai-compatible';
  const options: Record<string, string | number | null | undefined> = {
    quality,
    style,
    background,
    [isCompatible ? 'output_format' : 'outputFormat']: output_format,
    [isCompatible ? 'output_compression' : 'outputCompression']: output_compression,
  };
  const given: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && value !== null) given[name] = value;
  }
  return { [isCompatible ? 'openaiCompatible' : vendor]: given };
}

/** Returns the bytes of an image, judged by their signature. Storage finds out whether it can be decoded. */
async function requireImage(image: string | Uint8Array): Promise<Uint8Array> {
  const bytes = typeof image === 'string' ? Buffer.from(image, 'base64') : image;
  const { kind } = await sniffBytes(bytes);
  if (kind !== 'image') throw noImage();
  return bytes;
}

function noImage(): AppError {
  return new AppError('AI_FAILED', 'The model answered with no picture. Please try again.');
}
