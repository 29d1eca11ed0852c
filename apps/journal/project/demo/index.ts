import type { DemoPost } from './demo-post.ts';
import { branchingLungs } from './posts/branching-lungs.ts';
import { cortex } from './posts/cortex.ts';
import { handBones } from './posts/hand-bones.ts';
import { heartCoronaries } from './posts/heart-coronaries.ts';
import { kidneyGlomeruli } from './posts/kidney-glomeruli.ts';
import { retina } from './posts/retina.ts';
import { skinHealing } from './posts/skin-healing.ts';
import { spine } from './posts/spine.ts';

export {
  authors,
  type DemoAuthor,
  type DemoMark,
  type DemoPicture,
  type DemoPost,
  emailOf,
  ILLUSTRATOR,
  removedMarker,
} from './demo-post.ts';

/** Lists the demo posts, newest first, as the gallery shows them. */
export const posts: readonly DemoPost[] = [
  heartCoronaries,
  branchingLungs,
  retina,
  cortex,
  spine,
  kidneyGlomeruli,
  handBones,
  skinHealing,
];
