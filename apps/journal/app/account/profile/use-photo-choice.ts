import { useRef, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { checkImage, type ImageProblem } from '../../publish/check-image.ts';
import type { PhotoChoice } from './save-profile.ts';

/** Bytes of a photo at most: it is shown small. */
const MAX_PHOTO_BYTES = 5 * 1024 * 1024;

export interface PhotoChoiceState {
  choice: PhotoChoice;
  /** A chosen file is being looked at. */
  checking: boolean;
  /** Why the file that was chosen last cannot be the photo, in words. */
  problem: string | undefined;
  choose(file: File): void;
  remove(): void;
  /** What was chosen is saved. */
  settle(): void;
}

/** What is to become of the photo; a file is looked at before it takes the place of the one before. */
export function usePhotoChoice(): PhotoChoiceState {
  const { m } = useLanguage();
  const [choice, setChoice] = useState<PhotoChoice>({ kind: 'keep' });
  const [problem, setProblem] = useState<ImageProblem | null>(null);
  const [checking, setChecking] = useState(false);
  const latest = useRef<File>(undefined);
  const words: Record<ImageProblem, string> = {
    'not-an-image': m.publish.image.notAnImage,
    'too-large': m.account.profile.photoTooLarge,
    unreadable: m.publish.image.unreadable,
  };

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
    problem: problem ? words[problem] : undefined,
    choose: (file) => void choose(file),
    remove: () => decide({ kind: 'none' }),
    settle: () => decide({ kind: 'keep' }),
  };
}

/** Looks at a chosen file before anything is sent; null when it can be somebody's photo. */
async function checkPhoto(file: Blob): Promise<ImageProblem | null> {
  const problem = await checkImage(file);
  return problem === null && file.size > MAX_PHOTO_BYTES ? 'too-large' : problem;
}
