/** Images of one AI call at most. */
export const MAX_AI_IMAGES = 50;
/** Tokens of one translation at most. */
export const TRANSLATION_MAX_TOKENS = 2_000;
/** Milliseconds one AI call may take to its first byte. */
export const AI_TIMEOUT_MS = 30_000;

export interface TextPart {
  type: 'text';
  text: string;
}

export interface ImagePart {
  type: 'image';
  /** An HTTPS address that ends in jpg, jpeg, png, gif or webp. */
  image: string;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  /** Pictures in users' messages only. */
  content: string | (TextPart | ImagePart)[];
}

/** Null: the provider does not say. */
export interface TokenUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  totalTokens: number | null;
}

export interface TextResponse {
  text: string;
  /** `stop`, `length`, `content-filter`, … as the model says. */
  finishReason: string;
  usage: TokenUsage;
}

/** What a streamed text consists of, in this order, closed by `[DONE]`. A stream that breaks ends with `error`. */
export type TextEvent =
  | { type: 'start' }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  /** With the reason `error`, an `error` follows. */
  | { type: 'finish'; finishReason: string; usage: TokenUsage }
  /** The form of an answer that is no success. */
  | { type: 'error'; error: string; code: string };

/** What an object is to look like. */
export type JsonSchema = Record<string, unknown>;

export const OBJECT_OUTPUTS = ['object', 'array', 'enum'] as const;

export type ObjectOutput = (typeof OBJECT_OUTPUTS)[number];

export interface ObjectRequestBody {
  prompt: string;
  /** Of the object, or of each element of the array; none for `enum`. */
  schema?: JsonSchema;
  /** `object`, if left out. */
  output?: ObjectOutput;
  /** Of which the answer is one, for `enum`. */
  enum?: string[];
  model?: string;
  stream?: boolean;
}

export interface ObjectResponse<T = unknown> {
  object: T;
  finishReason: string;
  usage: TokenUsage;
}
