import { LANGUAGE_CODES, type Language } from '../project/languages.ts';

/** What a model puts around its answer. */
interface Talk {
  name: string;
  before: string;
  after: string;
}

/** The signs with which templates of chats begin and end what a model says. */
const TEMPLATES: readonly (readonly [before: string, after: string])[] = [
  ['<|im_start|>assistant\n', '<|im_end|>'],
  ['<|start_header_id|>assistant<|end_header_id|>\n\n', '<|eot_id|>'],
  ['<start_of_turn>model\n', '<end_of_turn>'],
  ['<|assistant|>\n', '<|end|>'],
  ['<s>', '</s>'],
  ['', '<|endoftext|>'],
  ['', '<｜end▁of▁sentence｜>'],
  [
    '<|channel|>analysis<|message|>Let me think.<|end|><|start|>assistant<|channel|>final<|message|>',
    '<|return|>',
  ],
];

const FENCES = ['```', '````', '~~~'].flatMap((fence) =>
  ['', 'markdown', 'text'].map((name) => [`${fence}${name}\n`, `\n${fence}`] as const),
);

const THINKING = ['think', 'thinking', 'reasoning'].flatMap((name) => [
  [`<${name}>\nA draft:\n\nEs ist ein Entwurf.\n</${name}>\n\n`, ''] as const,
  // The beginning stood in the prompt.
  [`A draft:\n\nEs ist ein Entwurf.\n</${name}>\n\n`, ''] as const,
]);

const PREFACES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Here is the translation:',
    'Sure! Here’s your translation:',
    'Certainly, here is the translated text:',
  ],
  de: [
    'Hier ist die Übersetzung:',
    'Gerne! Hier ist der übersetzte Text:',
    'Natürlich, die Übersetzung lautet:',
  ],
  es: ['Aquí tiene la traducción:', '¡Claro! Aquí está la traducción:', 'Por supuesto, la traducción es:'],
  fr: ['Voici la traduction :', 'Bien sûr ! Voici le texte traduit :', 'Avec plaisir, voici la traduction :'],
};

const NOTES: Readonly<Record<Language, readonly string[]>> = {
  en: ['Note: I kept the style of the original.', 'Let me know if you need anything else!'],
  de: ['Hinweis: Der Stil des Originals bleibt.', 'Ich hoffe, das hilft!'],
  es: ['Nota: se mantiene el estilo del original.', 'Espero que le sea útil.'],
  fr: ['Remarque : le style est celui de l’original.', 'N’hésitez pas à me demander autre chose.'],
};

/** Returns each way in which a model may wrap a translation into a language. */
export function talkIn(target: Language): Talk[] {
  const names = LANGUAGE_CODES.map(
    (one) => new Intl.DisplayNames([one], { type: 'language' }).of(target) ?? '',
  );
  const labels = names.flatMap((name) => {
    const written = name.replace(/^./u, (letter) => letter.toUpperCase());
    return [`${written}: `, `**${written}:** `, `${written} :\n\n`, `Translation (${written}): `];
  });
  const prefaces = LANGUAGE_CODES.flatMap((one) => PREFACES[one]);
  const notes = LANGUAGE_CODES.flatMap((one) => NOTES[one]);
  const wrappings: (readonly [string, string])[] = [
    ...TEMPLATES,
    ...FENCES,
    ...THINKING,
    ...labels.map((label) => [label, ''] as const),
    ...prefaces.flatMap((one) => [[`${one}\n\n`, ''] as const, [`${one} `, ''] as const]),
    ...notes.flatMap((one) => [['', `\n\n${one}`] as const, ['', `\n${one}`] as const]),
    ['"', '"'],
    ['„', '“'],
    ['«', '»'],
    ['<translation>', '</translation>'],
  ];
  return wrappings.map(([before, after]) => ({ name: JSON.stringify(`${before}…${after}`), before, after }));
}

/** Answers that are none, as models give them in four languages. */
export const REFUSALS: readonly string[] = [
  'I’m sorry, but I can’t help with that request.',
  "I'm sorry, I cannot translate this text.",
  'I am unable to assist with medical content.',
  'As an AI language model, I cannot give medical advice.',
  'Please provide the text you would like me to translate.',
  'Es tut mir leid, aber dabei kann ich nicht helfen.',
  'Ich kann diese Anfrage leider nicht bearbeiten.',
  'Als KI-Sprachmodell kann ich keine medizinischen Texte übersetzen.',
  'Bitte geben Sie den Text ein, den ich übersetzen soll.',
  'Lo siento, pero no puedo ayudar con esa solicitud.',
  'Como modelo de lenguaje, no puedo dar consejos médicos.',
  'Por favor, proporcione el texto que desea traducir.',
  'Je suis désolé, mais je ne peux pas vous aider.',
  'En tant qu’IA, je ne peux pas traduire ce contenu.',
  'Veuillez fournir le texte à traduire.',
  '…',
  '[insert translation here]',
  '{"translation": "x"}',
  '<think>The text is long, and the answer is cut off within',
];
