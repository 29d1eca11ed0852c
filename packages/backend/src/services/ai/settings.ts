/** What AI can do here. */
export const CAPABILITIES = ['text', 'image', 'speech', 'transcribe'] as const;

export type Capability = (typeof CAPABILITIES)[number];

export interface AiSettings {
  /** A package of the AI SDK, such as `@ai-sdk/anthropic`; undefined: any endpoint that speaks as OpenAI's does. */
  provider: string | undefined;
  /** As far as `/v1`. */
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** By their names at the provider; a capability without one is not offered. */
  models: Readonly<Record<Capability, string | undefined>>;
  /** Of one user in a day of UTC; 0: any number. */
  dailyCalls: number;
  dailyTokens: number;
}

/** The setting that names the model of each capability. */
export const MODEL_SETTINGS: Readonly<Record<Capability, string>> = {
  text: 'AI_TEXT_MODEL',
  image: 'AI_IMAGE_MODEL',
  speech: 'AI_SPEECH_MODEL',
  transcribe: 'AI_TRANSCRIBE_MODEL',
};
