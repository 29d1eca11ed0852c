import type { ProviderV4 } from '@ai-sdk/provider';
import { AppError } from '../../../core/errors.ts';
import type { AiSettings } from '../settings.ts';

type CreateProvider = (options: { baseURL?: string; apiKey?: string; fetch: typeof fetch }) => ProviderV4;

/** Throws AI_NOT_CONFIGURED when the package of a vendor is not there, or is none of the AI SDK's. */
export async function loadProvider(
  { provider, baseUrl, apiKey }: AiSettings,
  fetch: typeof globalThis.fetch,
): Promise<ProviderV4> {
  const reached = { ...(baseUrl && { baseURL: baseUrl }), ...(apiKey && { apiKey }), fetch };
  if (provider) return (await loadVendor(provider))(reached);
  const [{ createOpenAICompatible }, { createOpenAI }] = await Promise.all([
    import('@ai-sdk/openai-compatible'),
    import('@ai-sdk/openai'),
  ]);
  const compatible = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl ?? '',
    ...(apiKey && { apiKey }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  // Of sound, that package knows nothing; OpenAI's own sends what every such endpoint takes, and always a key.
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

/** A package of the AI SDK exports one function that makes its provider: `createAnthropic`, `createMistral`, … */
async function loadVendor(name: string): Promise<CreateProvider> {
  const vendor: Record<string, unknown> = await import(name).catch((cause: unknown) => {
    throw new AppError(
      'AI_NOT_CONFIGURED',
      `The package ${name} that AI_PROVIDER names is not installed here.`,
      { cause },
    );
  });
  const makers = Object.entries(vendor).filter(
    ([key, value]) => /^create[A-Z]/.test(key) && typeof value === 'function',
  );
  const wanted = name
    .split('/')
    .at(-1)
    ?.replaceAll(/[^a-z0-9]/gi, '')
    .toLowerCase();
  const maker = makers.find(([key]) => key.slice('create'.length).toLowerCase() === wanted) ?? makers[0];
  if (maker) return maker[1] as CreateProvider;
  throw new AppError(
    'AI_NOT_CONFIGURED',
    `The package ${name} that AI_PROVIDER names is none of the AI SDK’s.`,
  );
}
