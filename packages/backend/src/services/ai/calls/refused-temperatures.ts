import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';

/** The names of the models that take no temperature, as this process has learnt. */
export type RefusedTemperatures = Set<string>;

/**
 * Begins a stream. A model that refuses the temperature of a request is asked once without one, and from then on never with one.
 * Only a request that succeeds without it proves that: the words of a prompt, which an error may repeat, can name it as well.
 */
export async function startStream(
  model: LanguageModelV4,
  request: LanguageModelV4CallOptions,
  refused: RefusedTemperatures,
): Promise<LanguageModelV4StreamResult> {
  const { temperature, ...plain } = request;
  if (temperature === undefined) return model.doStream(request);
  if (refused.has(model.modelId)) return model.doStream(plain);
  try {
    return await model.doStream(request);
  } catch (error) {
    if (!mayRefuseTemperature(error)) throw error;
    const response = await model.doStream(plain);
    refused.add(model.modelId);
    return response;
  }
}

function mayRefuseTemperature(error: unknown): boolean {
  const { statusCode, message, responseBody } = (error ?? {}) as Record<string, unknown>;
  return (statusCode === 400 || statusCode === 422) && /temperature/i.test(`${message} ${responseBody}`);
}
