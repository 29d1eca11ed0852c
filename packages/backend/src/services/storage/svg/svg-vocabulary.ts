/**
 * Elements of SVG 2 that are kept. None of them runs, loads or embeds anything; `image` and `feImage` are absent, because
 * their pixels come from another URL or from `data:`.
 */
export const ELEMENTS: ReadonlySet<string> = new Set(
  words(`svg g defs symbol use switch a title desc
    path rect circle ellipse line polyline polygon text tspan textPath
    linearGradient radialGradient stop pattern clipPath mask marker style
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge
    feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
    animate animateMotion animateTransform mpath set`),
);

/** An SVG without any of these shows nothing. */
export const VISIBLE_ELEMENTS: ReadonlySet<string> = new Set(
  words('path rect circle ellipse line polyline polygon text use'),
);

/** Elements whose text is kept: for readers or, in `style`, for the renderer. */
export const TEXT_HOLDERS: ReadonlySet<string> = new Set(words('text tspan textPath a title desc style'));

/** Elements that are removed with their children; of any other unknown element the children are kept. */
export const REMOVED_WHOLE: ReadonlySet<string> = new Set(
  words(`script foreignObject metadata image iframe embed object
  video audio canvas source track handler listener font font-face missing-glyph glyph hatch mesh flowRoot
  solidcolor view cursor i:pgf i:aipgf sodipodi:namedview rdf:RDF`),
);

/** Elements that cost a renderer nothing when they are referred to again. */
export const PAINT: ReadonlySet<string> = new Set(words('linearGradient radialGradient stop'));

const geometry = words(`x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height d points pathLength viewBox
  preserveAspectRatio transform transform-origin rotate textLength lengthAdjust startOffset method spacing side`);

const presentation = words(`alignment-baseline baseline-shift clip-path clip-rule color color-interpolation
  color-interpolation-filters direction display dominant-baseline fill fill-opacity fill-rule filter flood-color
  flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
  image-rendering isolation letter-spacing lighting-color marker-end marker-mid marker-start mask mask-type
  mix-blend-mode opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray
  stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor
  text-decoration text-overflow text-rendering unicode-bidi vector-effect visibility white-space word-spacing
  writing-mode`);

const paintAndFilter =
  words(`gradientUnits gradientTransform spreadMethod offset patternUnits patternContentUnits
  patternTransform clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result mode type values operator k1 k2 k3 k4 order kernelMatrix divisor bias
  targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent
  kernelUnitLength scale xChannelSelector yChannelSelector azimuth elevation stdDeviation radius z pointsAtX
  pointsAtY pointsAtZ limitingConeAngle baseFrequency numOctaves seed stitchTiles tableValues slope intercept
  amplitude exponent`);

const timing = words(`attributeName attributeType begin dur end min max restart repeatCount repeatDur calcMode
  keyTimes keySplines keyPoints from to by additive accumulate path origin`);

const document = words(`id class style href version xml:space xml:lang lang media systemLanguage
  requiredExtensions`);

export const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...document,
  ...geometry,
  ...presentation,
  ...paintAndFilter,
  ...timing,
]);

/** Attributes that an animation may change: appearance and geometry, never references. */
export const ANIMATED: ReadonlySet<string> = new Set([...geometry, ...presentation, ...paintAndFilter]);

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}
