import { z } from 'zod';
import { type JsonSchema, MAX_AI_IMAGES, OBJECT_OUTPUTS } from '../ai.ts';
import { isAiImageUrl } from '../ai-media.ts';

/** Characters of one call at most, everything together: the longest post with room for its instruction. */
export const MAX_AI_CHARACTERS = 120_000;
const MAX_MESSAGES = 200;
const MAX_OUTPUT_TOKENS = 32_000;
const MAX_STEPS = 100;
const MAX_CHOICES = 500;

const words = z.string().max(MAX_AI_CHARACTERS);
const someWords = words.refine((text) => text.trim() !== '', 'must not be empty');
const model = z.string().min(1).max(200).nullish();

const textPart = z.object({ type: z.literal('text'), text: words });
const imagePart = z.object({
  type: z.literal('image'),
  image: z
    .string()
    .max(4_000)
    .refine(isAiImageUrl, 'must be an HTTPS address that ends in jpg, jpeg, png, gif or webp'),
});
const onlyWords = z.union([someWords, z.array(textPart).min(1).max(MAX_MESSAGES)], {
  error: 'must be a text that is not empty, or a list of texts',
});

const userParts = z
  .array(z.discriminatedUnion('type', [textPart, imagePart]))
  .min(1)
  .max(MAX_MESSAGES);

const chatMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal(['system', 'assistant']), content: onlyWords }),
  z.object({
    role: z.literal('user'),
    // Told apart by hand: a union would not say what is wrong with one part of a list.
    content: z.unknown().transform((content, context) => {
      const schema = Array.isArray(content) ? userParts : someWords;
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

/** `prompt` or `messages`, of which one must say something; a prompt beside messages is the last thing said. */
export const textRequest = z
  .object({
    prompt: words.nullish(),
    messages: z.array(chatMessage).max(MAX_MESSAGES).nullish(),
    system: words.nullish(),
    /** Another name for `system`, which wins. */
    systemPrompt: words.nullish(),
    model,
    maxTokens: z.number().int().min(1).max(MAX_OUTPUT_TOKENS).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    stream: z.boolean().nullish(),
    /** May the model look things up in the web before it answers? `maxSteps`: askings of it at most, then. */
    search: z.boolean().nullish(),
    maxSteps: z.number().int().min(1).max(MAX_STEPS).nullish(),
  })
  .superRefine(({ prompt, messages, system, systemPrompt }, context) => {
    const said = messages?.some(({ role, content }) => role !== 'system' && saysSomething(content));
    if (!prompt?.trim() && !said) {
      context.addIssue({ code: 'custom', message: 'Prompt or messages required.' });
    }
    const texts = [
      prompt,
      system,
      systemPrompt,
      ...(messages ?? []).flatMap(({ content }) => textsOf(content)),
    ];
    if (texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > MAX_AI_CHARACTERS) {
      context.addIssue({ code: 'custom', message: `Texts may have ${MAX_AI_CHARACTERS} characters in all.` });
    }
    const pictures = (messages ?? [])
      .flatMap(({ content }): Parts => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'image');
    if (pictures.length > MAX_AI_IMAGES) {
      context.addIssue({ code: 'custom', message: `Maximum ${MAX_AI_IMAGES} images allowed` });
    }
  });

const textsOf = (content: string | Parts) =>
  typeof content === 'string'
    ? [content]
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

const saysSomething = (content: string | Parts) =>
  typeof content === 'string' || content.some((part) => part.type === 'image' || part.text.trim() !== '');

const jsonSchema = z.custom<JsonSchema>(
  (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  'must be a JSON Schema',
);

/** `schema` of an object or of an array's elements, or `enum`. Whether the schema is one is looked at elsewhere. */
export const objectRequest = z
  .object({
    prompt: z
      .string({ error: 'A prompt is required.' })
      .max(MAX_AI_CHARACTERS)
      .refine((text) => text.trim() !== '', 'A prompt is required.'),
    output: z.enum(OBJECT_OUTPUTS).nullish(),
    schema: jsonSchema.nullish(),
    enum: z.array(z.string().min(1).max(1_000)).min(1).max(MAX_CHOICES).nullish(),
    model,
    stream: z.boolean().nullish(),
  })
  .superRefine(({ output, schema, enum: choices }, context) => {
    const missing = output === 'enum' ? (choices ? undefined : 'enum') : schema ? undefined : 'schema';
    if (missing) context.addIssue({ code: 'custom', path: [missing], message: 'required' });
  });
