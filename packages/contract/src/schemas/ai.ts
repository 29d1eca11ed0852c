import { z } from 'zod';
import { type JsonSchema, MAX_AI_IMAGES, OBJECT_OUTPUTS, TOO_MANY_IMAGES } from '../ai.ts';
import { isAiImageUrl } from '../ai-media.ts';
import { requiredText } from './text.ts';

/** The most characters of all texts of a call: the longest post with room for its instruction. */
const MAX_AI_CHARACTERS = 120_000;
const MAX_MESSAGES = 200;
const MAX_OUTPUT_TOKENS = 32_000;
const MAX_STEPS = 100;
const MAX_CHOICES = 500;

const text = z.string().max(MAX_AI_CHARACTERS);
const nonEmptyText = text.refine((value) => value.trim() !== '', 'must not be empty');
const model = z.string().min(1).max(200).nullish();

const textPart = z.object({ type: z.literal('text'), text });
const imagePart = z.object({
  type: z.literal('image'),
  /** An HTTPS URL that ends in jpg, jpeg, png, gif or webp. */
  image: z
    .string()
    .max(4_000)
    .refine(isAiImageUrl, 'must be an HTTPS address that ends in jpg, jpeg, png, gif or webp'),
});
const textContent = z.union([nonEmptyText, z.array(textPart).min(1).max(MAX_MESSAGES)], {
  error: 'must be a text that is not empty, or a list of texts',
});

const userParts = z
  .array(z.discriminatedUnion('type', [textPart, imagePart]))
  .min(1)
  .max(MAX_MESSAGES);

const chatMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal(['system', 'assistant']), content: textContent }),
  z.object({
    role: z.literal('user'),
    // Image parts are for users alone. Not a union: its error would not name the faulty part of a list.
    content: z.unknown().transform((content, context) => {
      const schema = Array.isArray(content) ? userParts : nonEmptyText;
      const parsed = schema.safeParse(content);
      if (parsed.success) return parsed.data;
      for (const { path, message } of parsed.error.issues) {
        context.addIssue({ code: 'custom', path, message });
      }
      return z.NEVER;
    }),
  }),
]);

type Parts = z.infer<typeof userParts>;

/** Requires a `prompt` or `messages` that are not empty. A prompt beside messages is appended as the last message. */
export const textRequest = z
  .object({
    prompt: text.nullish(),
    messages: z.array(chatMessage).max(MAX_MESSAGES).nullish(),
    system: text.nullish(),
    /** An alias of `system`, which takes precedence. */
    systemPrompt: text.nullish(),
    model,
    maxTokens: z.number().int().min(1).max(MAX_OUTPUT_TOKENS).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    stream: z.boolean().nullish(),
    /** Allows the model to search the web. `maxSteps` limits how often it is called then. */
    search: z.boolean().nullish(),
    maxSteps: z.number().int().min(1).max(MAX_STEPS).nullish(),
  })
  .superRefine(({ prompt, messages, system, systemPrompt }, context) => {
    const hasMessage = messages?.some(({ role, content }) => role !== 'system' && !isEmpty(content));
    if (!prompt?.trim() && !hasMessage) {
      context.addIssue({ code: 'custom', message: 'Prompt or messages required.' });
    }
    const texts = [
      prompt,
      system,
      systemPrompt,
      ...(messages ?? []).flatMap(({ content }) => textsOf(content)),
    ];
    if (texts.reduce((sum, value) => sum + (value?.length ?? 0), 0) > MAX_AI_CHARACTERS) {
      context.addIssue({ code: 'custom', message: `Texts may have ${MAX_AI_CHARACTERS} characters in all.` });
    }
    const images = (messages ?? [])
      .flatMap(({ content }): Parts => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'image');
    if (images.length > MAX_AI_IMAGES) {
      context.addIssue({ code: 'custom', message: TOO_MANY_IMAGES, params: { sentence: true } });
    }
  });

const textsOf = (content: string | Parts) =>
  typeof content === 'string'
    ? [content]
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

const isEmpty = (content: string | Parts) =>
  typeof content !== 'string' && content.every((part) => part.type === 'text' && part.text.trim() === '');

const jsonSchema = z.custom<JsonSchema>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a JSON Schema',
);

/**
 * Requires `enum` for the output `enum`, else a `schema`. The backend checks later that it is a valid JSON Schema.
 */
export const objectRequest = z
  .object({
    prompt: requiredText(MAX_AI_CHARACTERS, 'A prompt is required.'),
    /** Default: `object`. */
    output: z.enum(OBJECT_OUTPUTS).nullish(),
    /** Describes the object, or each element of the array. `enum` takes none. */
    schema: jsonSchema.nullish(),
    /** The choices for the output `enum`. */
    enum: z.array(z.string().min(1).max(1_000)).min(1).max(MAX_CHOICES).nullish(),
    model,
    stream: z.boolean().nullish(),
  })
  .superRefine(({ output, schema, enum: choices }, context) => {
    const missing = output === 'enum' ? (choices ? undefined : 'enum') : schema ? undefined : 'schema';
    if (missing) context.addIssue({ code: 'custom', path: [missing], message: 'required' });
  });

export type ChatMessage = z.infer<typeof chatMessage>;
export type TextRequest = Omit<z.input<typeof textRequest>, 'messages'> & {
  messages?: readonly ChatMessage[] | null | undefined;
};
export type ObjectRequest = z.input<typeof objectRequest>;
export type ObjectOutput = NonNullable<ObjectRequest['output']>;
