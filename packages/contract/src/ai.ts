export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface TextRequest {
  prompt?: string;
  messages?: ChatMessage[];
  system?: string;
  model?: string;
  maxTokens?: number;
  temperature?: number;
}

export interface TokenUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  totalTokens: number | null;
}

export interface TextAnswer {
  text: string;
  /** `stop`, `length`, `content-filter`, … as the model says. */
  finishReason: string;
  usage: TokenUsage;
}
