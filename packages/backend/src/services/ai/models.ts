import type {
  ImageModelV4,
  LanguageModelV4,
  ProviderV4,
  SpeechModelV4,
  TranscriptionModelV4,
} from '@ai-sdk/provider';
import { AppError } from '../../core/errors.ts';
import { Lazy } from '../../runtime/lazy.ts';
import { loadProvider } from './load-provider.ts';
import { type AiSettings, type Capability, MODEL_SETTINGS } from './settings.ts';

/** A model as the AI SDK calls it, and the name that the ledger knows it by. */
export interface Named<Model> {
  name: string;
  model: Model;
}

/**
 * The models that are set up here. Each call throws AI_NOT_CONFIGURED, naming the setting, where there is none for what it
 * asks. `name` is another model of the same provider, where the caller may choose it.
 */
export interface AiModels {
  /** Are they a vendor's, out in the world, and not an endpoint that may stand in our own net? */
  fetchByThemselves: boolean;
  text(name?: string): Promise<Named<LanguageModelV4>>;
  image(name?: string): Promise<Named<ImageModelV4>>;
  speech(name?: string): Promise<Named<SpeechModelV4>>;
  transcribe(name?: string): Promise<Named<TranscriptionModelV4>>;
}

/** The provider's package is loaded at the first call, and reaches the provider through `fetch`. */
export function createAiModels(settings: AiSettings, fetch: typeof globalThis.fetch): AiModels {
  const loaded = new Lazy(() => loadProvider(settings, fetch));
  /** Those of the settings: to make one takes longer than all that we add to a call. */
  const kept = new Map<Capability, unknown>();

  async function named<Model>(
    capability: Capability,
    asked: string | undefined,
    choose: (provider: ProviderV4, name: string) => Model | undefined,
  ): Promise<Named<Model>> {
    const name = settings.models[capability];
    if (!name || !(settings.baseUrl || settings.provider)) throw notConfigured(capability, settings);
    const chosen = asked ?? name;
    let model = chosen === name ? (kept.get(capability) as Model | undefined) : undefined;
    model ??= choose(await loaded.get(), chosen);
    if (chosen === name) kept.set(capability, model);
    if (model) return { name: chosen, model };
    throw new AppError(
      'AI_NOT_CONFIGURED',
      `The provider that is set up here has nothing for this; ${MODEL_SETTINGS[capability]} is of no use with it.`,
    );
  }

  return {
    fetchByThemselves: !settings.baseUrl,
    text: (name) => named('text', name, (provider, id) => provider.languageModel(id)),
    image: (name) => named('image', name, (provider, id) => provider.imageModel(id)),
    speech: (name) => named('speech', name, (provider, id) => provider.speechModel?.(id)),
    transcribe: (name) => named('transcribe', name, (provider, id) => provider.transcriptionModel?.(id)),
  };
}

function notConfigured(capability: Capability, { baseUrl, provider }: AiSettings): AppError {
  const missing = baseUrl || provider ? MODEL_SETTINGS[capability] : 'AI_BASE_URL';
  const what = {
    text: 'No language model is set up here.',
    image: 'No model that makes pictures is set up here.',
    speech: 'No model that speaks is set up here.',
    transcribe: 'No model that writes down what is said is set up here.',
  }[capability];
  return new AppError('AI_NOT_CONFIGURED', `${what} The operator can name one in ${missing}.`);
}
