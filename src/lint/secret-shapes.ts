/** Patterns that identify a secret by its form, wherever it is. */
const shapes: readonly [what: string, shape: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['an access token of this service', /\bbsvc_[0-9A-Za-z]{32}\b/],
  [
    'an access token of a code host',
    /\b(?:gh[opsur]_[0-9A-Za-z]{36}|github_pat_\w{82}|glpat-[\w-]{20})\b/,
  ],
  ['an access key of a cloud', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  [
    'a token of a chat',
    /\bxox[abeoprs]-[0-9A-Za-z-]{20,}|\bhooks\.slack\.com\/services\/T\w+\/B\w+\/\w{20,}/,
  ],
  [
    'a token of a package registry',
    /\b(?:npm_[0-9A-Za-z]{36}|pypi-AgEI[\w-]{50,}|rubygems_[0-9a-f]{48})\b/,
  ],
  ['a key of a payment service', /\b[rs]k_live_[0-9A-Za-z]{20,}\b/],
  ['a key of a mail service', /\bSG\.[\w-]{22}\.[\w-]{43}\b/],
]

/** Words of which each shape contains one: a text without them holds no secret. */
export const secretMarks =
  /-----BEGIN|bsvc_|gh[opsur]_|github_pat_|glpat-|A[KS]IA|xox|hooks\.slack|npm_|pypi-|rubygems_|k_live_|SG\./

const anyShape = new RegExp(shapes.map(([, { source }]) => source).join('|'))

// A key's first line only names its kind and is not a secret; some values are read in lower case.
const anySecret = new RegExp(
  shapes
    .slice(1)
    .map(([, { source }]) => source)
    .join('|'),
  'gi',
)

/** What kind of secret a text holds, by its form. */
export function secretShapeOf(text: string): string | undefined {
  if (!anyShape.test(text)) return undefined
  return shapes.find(([, shape]) => shape.test(text))?.[0]
}

/** No secret is shorter: that of a cloud. */
const shortest = 20

/** A text for display, without anything that has the form of a secret. */
export function withoutSecrets(text: string): string {
  return text.length < shortest ? text : replaceSecrets(text, () => '[secure]')
}

/** Replaces all that has the form of a secret. */
export function replaceSecrets(text: string, replace: (secret: string) => string): string {
  return text.replaceAll(anySecret, replace)
}
