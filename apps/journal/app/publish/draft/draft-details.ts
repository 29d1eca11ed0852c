import type { DeskDocument } from '../../desk/document.ts';
import type { CoverWords } from '../../desk/fields/cover-details.tsx';
import type { MoreDetails } from '../../desk/fields/more-fields.tsx';

/** Everything of a new post beside its title, text and picture. Most posts do without. */
export interface DraftDetails extends MoreDetails, CoverWords {
  focal: NonNullable<DeskDocument['cover']>['focal'];
}

export const NO_DETAILS: DraftDetails = {
  language: null,
  slugs: {},
  byline: [],
  focal: null,
  alt: {},
  caption: {},
  credit: '',
  licence: '',
};
