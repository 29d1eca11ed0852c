import { useRef, useState } from 'react';
import { checkImage, describeProblem, type ImageProblem } from '../../images/image-file.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { PhotoChoice } from './save-profile.ts';

/** Bytes. A photo is shown small and needs no more. */
const MAX_PHOTO_BYTES = 5 * 1024 * 1024;

export interface PhotoChoiceState {
  choice: PhotoChoice;
  /** Whether a chosen file is being checked. */
  checking: boolean;
  /** Says why the last chosen file cannot be the photo. */
  problem: string | undefined;
  choose(file: File): void;
  remove(): void;
  /** Forgets the choice, because it was saved. */
  reset(): void;
}

/** Keeps the choice of a photo. A chosen file is checked before it replaces the earlier choice. */
export function usePhotoChoice(): PhotoChoiceState {
  const { m } = useLanguage();
  const [choice, setChoice] = useState<PhotoChoice>({ kind: 'keep' });
  const [problem, setProblem] = useState<ImageProblem | null>(null);
  const [checking, setChecking] = useState(false);
  const latest = useRef<File>(undefined);
  const texts = { ...m.publish.image, tooLarge: () => m.account.profile.photoTooLarge };

  const decide = (next: PhotoChoice) => {
    latest.current = undefined;
    setChecking(false);
    setProblem(null);
    setChoice(next);
  };
  const choose = async (file: File) => {
    latest.current = file;
    setChecking(true);
    const found = await checkPhoto(file);
    if (latest.current !== file) return;
    if (!found) return decide({ kind: 'new', file });
    setChecking(false);
    setProblem(found);
  };
  return {
    choice,
    checking,
    problem: problem ? describeProblem(problem, { size: 0 }, texts) : undefined,
    choose: (file) => void choose(file),
    remove: () => decide({ kind: 'none' }),
    reset: () => decide({ kind: 'keep' }),
  };
}

/** Returns the problem with a file, or null when it can be a photo. */
async function checkPhoto(file: Blob): Promise<ImageProblem | null> {
  const problem = await checkImage(file);
  return problem === null && file.size > MAX_PHOTO_BYTES ? 'too-large' : problem;
}
