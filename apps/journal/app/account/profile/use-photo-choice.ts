import { useRef, useState } from 'react';
import { checkImage, describeProblem, type ImageProblem } from '../../images/image-file.ts';
import { useLanguage } from '../../language/language-provider.tsx';

/** Bytes. A photo is shown small and needs no more. */
const MAX_PHOTO_BYTES = 5 * 1024 * 1024;

/** A chosen photo, with its URL once it is uploaded; `none` to have no photo, `keep` to have the one of before. */
export type PhotoChoice = { file: File; uploaded?: string } | 'none' | 'keep';

/** Keeps the choice of a photo. A chosen file is checked before it replaces the earlier choice. */
export function usePhotoChoice() {
  const { m } = useLanguage();
  const [choice, setChoice] = useState<PhotoChoice>('keep');
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
    if (!found) return decide({ file });
    setChecking(false);
    setProblem(found);
  };
  return {
    choice,
    /** Whether a chosen file is being checked. */
    checking,
    /** Says why the last chosen file cannot be the photo. */
    problem: problem ? describeProblem(problem, { size: 0 }, texts) : undefined,
    choose: (file: File) => void choose(file),
    decide,
  };
}

/** Returns the problem with a file, or null when it can be a photo. */
async function checkPhoto(file: Blob): Promise<ImageProblem | null> {
  const problem = await checkImage(file);
  return problem === null && file.size > MAX_PHOTO_BYTES ? 'too-large' : problem;
}
