import type { ProviderV4 } from '@ai-sdk/provider';
import { AppError } from '../../../core/errors.ts';
import type { AiSettings } from '../settings.ts';
import { tolerateEvents } from './tolerant-events.ts';

type CreateProvider = (options: { baseURL?: string; apiKey?: string; fetch: typeof fetch }) => ProviderV4;

/**
 * Loads the provider that the settings name. Throws AI_NOT_CONFIGURED when its package is not installed or does not
 * belong to the AI SDK. `note` is called with what the configured endpoint does otherwise than OpenAI.
 */
export async function loadProvider(
  { provider, baseUrl, apiKey }: AiSettings,
  fetch: typeof globalThis.fetch,
  note: (oddity: string) => void,
): Promise<ProviderV4> {
  const options = { ...(baseUrl && { baseURL: baseUrl }), ...(apiKey && { apiKey }), fetch };
  if (provider) return (await loadVendor(provider))(options);
  const [{ createOpenAICompatible }, { createOpenAI }] = await Promise.all([
    import('@ai-sdk/openai-compatible'),
    import('@ai-sdk/openai'),
  ]);
  const compatible = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl ?? '',
    ...(apiKey && { apiKey }),
    fetch: tolerateEvents(fetch, note),
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  // That package knows no audio. OpenAI’s own sends what every such endpoint takes, and always a key.
  const openai = createOpenAI({ baseURL: baseUrl ?? '', apiKey: apiKey ?? 'none', fetch });
  return {
    specificationVersion: 'v4',
    languageModel: (id) => compatible.chatModel(id),
    embeddingModel: (id) => compatible.embeddingModel(id),
    imageModel: (id) => compatible.imageModel(id),
    speechModel: (id) => openai.speech(id),
    transcriptionModel: (id) => openai.transcription(id),
  };
}

/** Returns the function of a package of the AI SDK that creates its provider: `createAnthropic`, `createMistral`, … */
async function loadVendor(name: string): Promise<CreateProvider> {
  const vendor: Record<string, unknown> = await import(name).catch((cause: unknown) => {
    throw new AppError(
      'AI_NOT_CONFIGURED',
      `The package ${name} that AI_PROVIDER names is not installed here.`,
      { cause },
    );
  });
  const factories = Object.entries(vendor).filter(
    ([key, value]) => /^create[A-Z]/.test(key) && typeof value === 'function',
  );
  const expected = name
    .split('/')
    .at(-1)
    ?.replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase();
  const factory =
    factories.find(([key]) => key.slice('create'.length).toLowerCase() === expected) ?? factories[0];
  if (factory) return factory[1] as CreateProvider;
  throw new AppError(
    'AI_NOT_CONFIGURED',
    `The package ${name} that AI_PROVIDER names is none of the AI SDK’s.`,
  );
}
