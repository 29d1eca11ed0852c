import { z } from 'zod';
import { generateText } from '../calls/language-model.ts';
import type { AiSettings } from '../settings.ts';
import { createAiModels } from './models.ts';
import { ProviderHealth } from './provider-health.ts';

/** Enough for a model that thinks before it writes a word. */
const MAX_TOKENS = 1_000;

/**
 * Asks the text model for a word. Returns what its endpoint does otherwise than it should, as sentences. Throws an Error for no
 * response within `timeout` milliseconds.
 */
export async function tryTextModel(settings: AiSettings, timeout: number): Promise<string[]> {
  const oddities = new Set<string>();
  const health = new ProviderHealth();
  const watched: typeof fetch = (input, init) => health.watch(() => fetch(input, init), init?.signal);
  const { model } = await createAiModels(settings, watched, (oddity) => oddities.add(oddity)).text();
  const prompt = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'Respond with one word: yes.' }] },
  ];
  const signal = AbortSignal.timeout(timeout);
  await generateText({
    ...{ model, timeout, signal, temperatures: new Set<string>() },
    modelRequest: { prompt, maxOutputTokens: MAX_TOKENS },
    meter: { wrote: () => undefined, used: () => undefined },
  }).catch((error: Error) => {
    if (signal.aborted)
      throw new Error(`${settings.models.text} did not respond within ${timeout / 1_000} s.`);
    throw new Error(health.fault ?? (error.cause instanceof Error ? error.cause.message : error.message));
  });
  return [...oddities];
}

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Returns the names of the models that the endpoint lists; undefined where it has no list, or is a vendor's package. */
export async function listModels(
  { baseUrl, apiKey }: AiSettings,
  timeout: number,
): Promise<string[] | undefined> {
  if (baseUrl === undefined) return undefined;
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const signal = AbortSignal.timeout(timeout);
  const response = await fetch(`${baseUrl}/models`, { headers, signal }).catch(() => undefined);
  const found = modelList.safeParse(await response?.json().catch(() => undefined));
  return found.data?.data.map(({ id }) => id);
}
