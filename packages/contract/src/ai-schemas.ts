import { z } from 'zod';

/** Characters of one call at most, everything together: the longest post with room for its instruction. */
export const MAX_AI_CHARACTERS = 120_000;
const MAX_MESSAGES = 200;
const MAX_OUTPUT_TOKENS = 32_000;

const words = z.string().max(MAX_AI_CHARACTERS);

const chatMessage = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: words.refine((text) => text.trim() !== '', 'must not be empty'),
});

/** `prompt` or `messages`, of which one must say something; a prompt beside messages is the last thing said. */
export const textRequest = z
  .object({
    prompt: words.nullish(),
    messages: z.array(chatMessage).max(MAX_MESSAGES).nullish(),
    system: words.nullish(),
    /** Another name for `system`, which wins. */
    systemPrompt: words.nullish(),
    model: z.string().min(1).max(200).nullish(),
    maxTokens: z.number().int().min(1).max(MAX_OUTPUT_TOKENS).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    stream: z.literal(false, 'is not offered for texts: leave it out').nullish(),
  })
  .superRefine(({ prompt, messages, system, systemPrompt }, context) => {
    const said = messages?.some(({ role }) => role !== 'system');
    if (!prompt?.trim() && !said) {
      context.addIssue({ code: 'custom', message: 'Either a prompt or messages are required.' });
    }
    const characters = [prompt, system, systemPrompt, ...(messages ?? []).map(({ content }) => content)];
    if (characters.reduce((sum, text) => sum + (text?.length ?? 0), 0) > MAX_AI_CHARACTERS) {
      context.addIssue({ code: 'custom', message: `Texts may have ${MAX_AI_CHARACTERS} characters in all.` });
    }
  });
