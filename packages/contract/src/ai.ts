/** The most images in one AI call. */
export const MAX_AI_IMAGES = 50;
/** The sentence of docs/spec/product.md section 5. */
export const TOO_MANY_IMAGES = `Maximum ${MAX_AI_IMAGES} images allowed`;
/** The most tokens in one translation. */
export const TRANSLATION_MAX_TOKENS = 2_000;
/** Milliseconds without data after which a streamed text is lost: a server that waits sends a comment every ten seconds. */
export const AI_SILENCE_MS = 30_000;
/**
 * Milliseconds after which a client gives up on any other call. A server ends calls before: a model may be silent for
 * 300 seconds at the most of its settings, and has four times as long for images and sound.
 */
export const MAX_AI_CALL_MS = 20 * 60_000;

/** A count is null when the provider does not report it. */
export interface TokenUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  totalTokens: number | null;
}

export interface TextResponse {
  text: string;
  /** The reason as the model reports it: `stop`, `length`, `content-filter`, … */
  finishReason: string;
  usage: TokenUsage;
}

/**
 * An event of a streamed text. Events come in this order and `[DONE]` closes them; a stream that breaks ends with
 * `error`.
 */
export type TextEvent =
  | { type: 'start' }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  /** An `error` event follows when the reason is `error`. */
  | { type: 'finish'; finishReason: string; usage: TokenUsage }
  /** Has the fields of an `ErrorBody`. */
  | { type: 'error'; error: string; code: string };

/** A JSON Schema that the generated object must match. */
export type JsonSchema = Record<string, unknown>;

export const OBJECT_OUTPUTS = ['object', 'array', 'enum'] as const;

export interface ObjectResponse<T = unknown> {
  object: T;
  finishReason: string;
  usage: TokenUsage;
}
