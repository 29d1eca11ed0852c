import type { ToolCall } from './openai-stand-in-tools.ts';

export interface StandInMessage {
  role: string;
  content: string;
  /** The tool calls of a message of the model. */
  toolCalls?: ToolCall[];
  /** The reasoning of a message of the model. */
  reasoning?: string;
}

/** One received request. */
export interface StandInCall {
  model: string;
  messages: StandInMessage[];
  /** The text of the last user message. */
  prompt: string;
  maxTokens: number | undefined;
  temperature: number | undefined;
  /** Whether the response is to be streamed. */
  stream: boolean;
  /** `response_format`, if the response is to be JSON. */
  format: ResponseFormat | undefined;
  /** Names of the offered tools. */
  tools: string[];
  /** URLs of images, `data:` URLs among them. */
  images: string[];
  authorization: string | undefined;
  /** Whether the caller left before the response was complete. */
  aborted: boolean;
  /** Tells when the call came in, in milliseconds of `performance.now()`. */
  startedAt: number;
  /** Milliseconds that the response took; undefined before its end. */
  ms: number | undefined;
}

interface ResponseFormat {
  type: string;
  json_schema?: { name: string; schema: Record<string, unknown> };
}

/** Parses the body of a call as the stand-in and its tests read it. */
export function parseCall(body: string, authorization: string | undefined): StandInCall {
  const { model, messages, max_tokens, temperature, stream, response_format, tools } = JSON.parse(body) as {
    model: string;
    messages: {
      role: string;
      content: string | { text?: string; image_url?: { url: string } }[] | null;
      tool_calls?: ToolCall[];
      reasoning_content?: string;
    }[];
    max_tokens?: number;
    temperature?: number;
    stream?: boolean;
    response_format?: ResponseFormat;
    tools?: { function: { name: string } }[];
  };
  const plain = messages.map(({ role, content, tool_calls, reasoning_content }) => ({
    role,
    content: typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join(''),
    ...(tool_calls && { toolCalls: tool_calls }),
    ...(reasoning_content && { reasoning: reasoning_content }),
  }));
  return {
    model,
    messages: plain,
    prompt: plain.findLast(({ role }) => role === 'user')?.content ?? '',
    maxTokens: max_tokens,
    temperature,
    stream: stream === true,
    format: response_format,
    tools: (tools ?? []).map((tool) => tool.function.name),
    images: messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : (content ?? [])))
      .flatMap(({ image_url }) => (image_url ? [image_url.url] : [])),
    authorization,
    aborted: false,
    startedAt: performance.now(),
    ms: undefined,
  };
}
