import type {
  ImageModelV4,
  LanguageModelV4,
  ProviderV4,
  SpeechModelV4,
  TranscriptionModelV4,
} from '@ai-sdk/provider';
import { AppError } from '../../../core/errors.ts';
import { Lazy } from '../../../runtime/lazy.ts';
import { type AiSettings, type Capability, MODEL_SETTINGS } from '../settings.ts';
import { loadProvider } from './load-provider.ts';

/** A model of the AI SDK, and its name in the usage table. */
export interface NamedModel<Model> {
  name: string;
  model: Model;
}

/**
 * The models that are configured. Each method throws AI_NOT_CONFIGURED, naming the missing setting. `name` chooses
 * another model of the same provider, for callers who may.
 */
export interface AiModels {
  /** Whether the models may fetch URLs themselves. A vendor’s may; an endpoint on a private network may not. */
  fetchUrlsThemselves: boolean;
  text(name?: string): Promise<NamedModel<LanguageModelV4>>;
  /** The model that reads what another one has written. */
  judge(name?: string): Promise<NamedModel<LanguageModelV4>>;
  /** The model that sees pictures. */
  vision(name?: string): Promise<NamedModel<LanguageModelV4>>;
  image(name?: string): Promise<NamedModel<ImageModelV4>>;
  speech(name?: string): Promise<NamedModel<SpeechModelV4>>;
  transcribe(name?: string): Promise<NamedModel<TranscriptionModelV4>>;
}

/**
 * Creates the models of the settings. The provider’s package is loaded at the first call, and reaches the provider
 * through `fetch`. `note` is called with what it does otherwise than it should, harmlessly, each time.
 */
export function createAiModels(
  settings: AiSettings,
  fetch: typeof globalThis.fetch,
  note: (oddity: string) => void = () => undefined,
): AiModels {
  const lazyProvider = new Lazy(() => loadProvider(settings, fetch, note));
  /** Configured models. Creating one takes longer than everything else that a call adds. */
  const models = new Map<Capability, unknown>();

  async function findModel<Model>(
    capability: Capability,
    requested: string | undefined,
    choose: (provider: ProviderV4, name: string) => Model | undefined,
  ): Promise<NamedModel<Model>> {
    const name = settings.models[capability];
    if (!name || !(settings.baseUrl || settings.provider)) throw notConfigured(capability, settings);
    const chosenName = requested ?? name;
    let model = chosenName === name ? (models.get(capability) as Model | undefined) : undefined;
    model ??= choose(await lazyProvider.get(), chosenName);
    if (chosenName === name) models.set(capability, model);
    if (model) return { name: chosenName, model };
    throw new AppError(
      'AI_NOT_CONFIGURED',
      `The provider that is set up here has nothing for this; ${MODEL_SETTINGS[capability]} is of no use with it.`,
    );
  }

  return {
    fetchUrlsThemselves: !settings.baseUrl,
    text: (name) => findModel('text', name, (provider, id) => provider.languageModel(id)),
    judge: (name) => findModel('judge', name, (provider, id) => provider.languageModel(id)),
    vision: (name) => findModel('vision', name, (provider, id) => provider.languageModel(id)),
    image: (name) => findModel('image', name, (provider, id) => provider.imageModel(id)),
    speech: (name) => findModel('speech', name, (provider, id) => provider.speechModel?.(id)),
    transcribe: (name) => findModel('transcribe', name, (provider, id) => provider.transcriptionModel?.(id)),
  };
}

function notConfigured(capability: Capability, { baseUrl, provider }: AiSettings): AppError {
  const missing = baseUrl || provider ? MODEL_SETTINGS[capability] : 'AI_BASE_URL';
  const what = {
    text: 'No language model is set up here.',
    judge: 'No model that reads translations once more is set up here.',
    vision: 'No model that sees pictures is set up here.',
    image: 'No model that makes pictures is set up here.',
    speech: 'No model that speaks is set up here.',
    transcribe: 'No model that writes down what is said is set up here.',
  }[capability];
  return new AppError('AI_NOT_CONFIGURED', `${what} The operator can name one in ${missing}.`);
}
