/** How models decline in a language: sorry, "I cannot", what they cannot do, what they say of themselves, and how they ask for a text. */
interface RefusalWords {
  sorry: RegExp;
  cannot: RegExp;
  work: RegExp;
  self: RegExp;
  request: RegExp;
}

const WORDS: readonly RefusalWords[] = [
  {
    sorry: /\b(?:sorry|apologi[sz]e|apologies|regret|unfortunately)\b/,
    cannot:
      /\bi(?: am|['’]m)? ?(?:\w+ )?(?:can ?not|can['’]?t|unable|not able|not allowed|not comfortable|won['’]?t|will not|must decline|do not|don['’]t see)\b/,
    work: /\b(?:help|assist|translat|provid|fulfil|compl[iy]|process|generat|continu|do (?:that|this|so)|respond|discuss|engage|request|content|any text)/,
    self: /\b(?:as an? (?:ai|artificial|(?:large )?language model)|i am an? ai|i['’]m an? ai)\b/,
    request: /\bplease (?:provide|share|send|paste|enter|give me)\b.{0,40}\btext\b/,
  },
  {
    sorry: /\b(?:leid|entschuldig\w*|bedau[er]\w*|leider)(?!\w)/,
    cannot:
      /(?:\bich\b.{0,40}\b(?:kann|darf|werde|möchte|bin)\b|\b(?:kann|darf|werde|möchte|bin) ich\b).{0,120}\b(?:nicht|keine\w*)(?!\p{L})/u,
    work: /(?:helfen|hilfe|übersetz|unterstütz|bearbeit|erfüllen|beantwort|nachkommen|bereitstell|erstellen|anfrage|in der lage|behilflich|dienen|ausführen)/,
    self: /(?:\bals (?:eine? )?(?:ki|künstliche intelligenz|sprachmodell|ai)(?!\p{L})|\bich bin (?:eine?|nur eine?) (?:ki|sprachmodell|künstliche))/u,
    request: /\bbitte (?:geben|senden|schicken|teilen|stellen|fügen) sie\b.{0,40}\btext(?!\p{L})/u,
  },
  {
    sorry: /(?:lo siento|lamento|disculp|perd[oó]n|me temo|lamentablemente)/,
    cannot:
      /\bno (?:(?:te |le )?(?:puedo|podr[eé])|me es posible|soy capaz|estoy (?:en condiciones|autorizad)|se me permite)/,
    work: /(?:ayud|tradu[cz]|asist|proporcion|cumpl|proces|atender|respond|realizar|solicitud|petici[oó]n|contenido|hacer (?:eso|esto)|hacerlo|con eso)/,
    self: /\bcomo (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje|asistente)(?!\p{L})|\bsoy una? (?:ia|modelo)(?!\p{L})/u,
    request: /(?:proporci[oó]n|env[ií]|compart|facilit|peg)\p{L}*\b.{0,30}\btexto(?!\p{L})/u,
  },
  {
    sorry: /(?:désolée?|regrette|m['’]excuse|navrée?|excusez|malheureusement)/,
    cannot: /\bje ne (?:(?:vous |te )?(?:peux|puis|pourrai)|suis)\b/,
    work: /(?:\baid|tradui|assist|fourni|répondre|trait|satisf|accéd|demande|contenu|en mesure|faire (?:cela|ça)|donner suite)/,
    self: /\b(?:en tant qu['’]|comme )(?:une? )?(?:ia|intelligence artificielle|assistante?|modèle de lang)|\bje suis une? (?:ia|modèle)(?!\p{L})/u,
    request:
      /\b(?:veuillez|merci de|pouvez-vous) (?:me )?(?:fournir|envoyer|partager|coller|communiquer)\b.{0,30}\btexte/,
  },
];

/** A refusal says so at its beginning. */
const READ_CHARACTERS = 300;

/** Tells whether a model declines to do what it was asked, or asks for a text, in one of the four languages. */
export function isRefusal(text: string): boolean {
  const start = text.slice(0, READ_CHARACTERS).toLowerCase().replaceAll(/\s+/g, ' ');
  return WORDS.some(
    ({ sorry, cannot, work, self, request }) =>
      self.test(start) ||
      request.test(start) ||
      (cannot.test(start) && (sorry.test(start) || work.test(start))),
  );
}
