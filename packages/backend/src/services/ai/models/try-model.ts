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
  await generateText({
    ...{ model, timeout, signal: AbortSignal.timeout(timeout), temperatures: new Set<string>() },
    modelRequest: { prompt, maxOutputTokens: MAX_TOKENS },
    meter: { wrote: () => undefined, used: () => undefined },
  }).catch((error: Error) => {
    throw new Error(health.fault ?? (error.cause instanceof Error ? error.cause.message : error.message));
  });
  return [...oddities];
}
