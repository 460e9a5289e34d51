/** The form of a well-known service's tokens. */
interface Shape {
  /** The name shown to users: `GitHub token`. */
  kind: string
  /** Matches ASCII only. If it has a group, the group is the secret, and ends the match; that of a key is its body. */
  pattern: RegExp
  /** The body of a key in several lines, its group, is proof if most of it is base64. */
  isKey?: true
}

/** Lower-case hex, upper-case letters and digits, and so on are given exactly: hashes and names must not match. */
const shapes: readonly Shape[] = [
  { kind: 'access token of this service', pattern: /bsvc_[A-Za-z\d]{32}(?!\w)/g },
  { kind: 'GitHub token', pattern: /gh[opurs]_[A-Za-z0-9]{36,251}(?!\w)/g },
  // An installation token that is a JSON Web Token, of about 520 characters.
  {
    kind: 'GitHub token',
    pattern: /ghs_(?:[A-Za-z\d]{1,40}_)?eyJ[\w-]{10,100}\.[\w-]{20,4000}\.[\w-]{20,2000}(?![\w-])/g,
  },
  { kind: 'GitHub token', pattern: /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?!\w)/g },
  {
    kind: 'GitLab token',
    pattern:
      /gl(?:pat|ptt|dt|rt|cbt|soat|imt|ft|ffct|oas|agent)-[\w-]{20,300}(?:(?:\.[\da-z]{2})?\.[\da-z]{9})?/g,
  },
  { kind: 'GitLab token', pattern: /GR1348941[\w-]{20}(?![\w-])/g },
  { kind: 'AWS access key', pattern: /A(?:[BKS]IA|CCA)[A-Z2-7]{16}(?!\w)/g },
  // Forty characters can also be a commit or part of a hash, so only the name is proof, or the id of a key before it.
  {
    kind: 'AWS secret key',
    pattern:
      /(?:secret[_-]?access[_-]?key|aws[_-]?secret(?:[_-]?key)?)["']{0,2}\s{0,3}[:=\s]\s{0,3}["']?([\w+/]{40})(?![\w+/=])/gi,
  },
  {
    kind: 'AWS secret key',
    pattern:
      /A(?:[BKS]IA|CCA)[A-Z2-7]{16}(?!\w)[^]{1,100}?(?<![\w+/=])(?![\da-f]{40})([\w+/]{40})(?![\w+/=])/g,
  },
  { kind: 'Slack token', pattern: /xox[a-z](?:\.xox[a-z])?-\d[\w-]{20,250}/g },
  { kind: 'Slack token', pattern: /xapp-\d-[A-Z\d]{6,20}-\d{6,20}-[\da-f]{40,80}(?!\w)/g },
  {
    kind: 'Slack webhook',
    pattern:
      /hooks\.slack\.com\/(?:services\/T[A-Z\d]{7,12}\/B[A-Z\d]{7,12}\/[A-Za-z\d]{24}|(?:workflows|triggers)\/[A-Za-z\d/]{43,80})(?!\w)/g,
  },
  { kind: 'npm token', pattern: /npm_[A-Za-z\d]{36}(?!\w)/g },
  { kind: 'PyPI token', pattern: /pypi-AgE[\w-]{50,1000}/g },
  { kind: 'RubyGems key', pattern: /rubygems_[\da-f]{48}(?!\w)/g },
  { kind: 'Clojars token', pattern: /CLOJARS_[A-Za-z\d]{60}(?!\w)/g },
  { kind: 'crates.io token', pattern: /cio(?=[A-Za-z]{0,31}\d)[A-Za-z\d]{32}(?!\w)/g },
  { kind: 'Google key', pattern: /AIza[\w-]{35}(?![\w-])/g },
  { kind: 'Google client secret', pattern: /GOCSPX-[\w-]{28}(?![\w-])/g },
  { kind: 'Google token', pattern: /ya29\.[\w-]{20,2000}/g },
  { kind: 'Azure secret', pattern: /[\w.~]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/g },
  { kind: 'Azure key', pattern: /AccountKey=([A-Za-z\d+/]{86}==)/g },
  // The address names the date until which its signature is valid.
  {
    kind: 'Azure signature',
    pattern:
      /\?(?=[^\s"'<>?]{0,600}\bse=\d{4}-)(?:[^\s"'<>?]{0,600}?&)?sig=([A-Za-z\d%+/]{43,140}={0,2})/g,
  },
  {
    kind: 'Stripe key',
    // A short one without a digit is a word.
    pattern:
      /[rs]k_(?:live|test|prod)_(?:[A-Za-z\d]{24,200}|(?=[A-Za-z]{0,22}\d)[A-Za-z\d]{10,23})(?!\w)/g,
  },
  { kind: 'Stripe webhook secret', pattern: /whsec_[A-Za-z\d+/]{32,100}={0,2}(?!\w)/g },
  { kind: 'SendGrid key', pattern: /SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { kind: 'Twilio key', pattern: /SK[\da-f]{32}(?!\w)/g },
  { kind: 'Docker token', pattern: /dckr_[op]at_[\w-]{27,60}/g },
  { kind: 'Hugging Face token', pattern: /hf_[A-Za-z\d]{34}(?!\w)/g },
  { kind: 'OpenAI key', pattern: /sk-[\w-]{0,120}T3BlbkFJ[\w-]{20,120}/g },
  { kind: 'Anthropic key', pattern: /sk-ant-[a-z]{2,8}\d\d-[\w-]{80,120}/g },
  { kind: 'DigitalOcean token', pattern: /do[opr]_v1_[\da-f]{64}(?!\w)/g },
  { kind: 'Shopify token', pattern: /shp(?:at|ca|pa|ss)_[\dA-Fa-f]{32}(?!\w)/g },
  { kind: 'Grafana token', pattern: /glsa_[A-Za-z\d]{32}_[\dA-Fa-f]{8}(?!\w)/g },
  { kind: 'HashiCorp Vault token', pattern: /hv[bs]\.(?=[A-Za-z_-]{0,290}\d)[\w-]{24,300}/g },
  { kind: 'Postman key', pattern: /PMAK-[\da-f]{24}-[\da-f]{34}(?!\w)/g },
  { kind: 'Linear key', pattern: /lin_api_[A-Za-z\d]{40}(?!\w)/g },
  { kind: 'Pulumi token', pattern: /pul-[\da-f]{40}(?!\w)/g },
  { kind: 'age key', pattern: /AGE-SECRET-KEY-1[A-Z\d]{58}(?!\w)/g },
  // Words that anyone could guess are seldom secret, and neither are passwords of servers that a job starts itself.
  {
    kind: 'password in an address',
    pattern:
      /:\/\/[^\s:@/"'<>]{1,100}:(?!gh[a-z]{1,5}_|gl[a-z]{2,6}-)(?=[^\s@]{16}|[^\s@\d]{0,15}\d)([^\s:@/"'<>$%{*[][^\s:@/"'<>]{7,200})(?=@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\b)/g,
  },
  // Most tokens of this form are public, or examples: this word is sent with a token that grants a
  // login.
  {
    kind: 'bearer token',
    pattern: /bearer (eyJ[\w-]{10,2000}\.eyJ[\w-]{10,8000}\.[\w-]{20,2000})/gi,
  },
  {
    kind: 'private key',
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-(?!-{4})){64,20000})-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----/g,
    isKey: true,
  },
  // A key that is cut off: at least two whole lines, and the beginning of one at the end of the text.
  {
    kind: 'private key',
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----((?:(?:\s|\\[rn]){1,8}[A-Za-z\d+/]{60,76}){2,400}(?:(?:\s|\\[rn]){1,8}[A-Za-z\d+/]{1,76}$)?)/g,
    isKey: true,
  },
]

/** Words of which each shape contains one: a text without them holds no token. */
export const tokenMarks =
  /bsvc_|gh[opurs]_|github_pat_|gl[a-z]{2,5}-|GR1348941|A[BKS]IA|ACCA|[Ss][Ee][Cc][Rr][Ee][Tt]|xox|xapp-|hooks\.slack|npm_|pypi-|rubygems_|CLOJARS_|cio[A-Za-z\d]{9}|AIza|GOCSPX|ya29\.|\dQ~|AccountKey=|[?&]sig=|k_(?:live|test|prod)_|whsec_|SG\.|SK[\da-f]{9}|dckr_|hf_|T3BlbkFJ|sk-ant|_v1_|shp|glsa_|hv[bs]\.|PMAK|lin_api|pul-[\da-f]{9}|AGE-SECRET|:\/\/[^\s:@/]{1,100}:|[Bb][Ee][Aa][Rr][Ee][Rr]|-----BEGIN/

const marksInAnyCase = new RegExp(tokenMarks, 'i')
const shapesInAnyCase = shapes.map((shape) => ({
  ...shape,
  pattern: new RegExp(shape.pattern, 'gi'),
}))

/** No token is shorter, and no address with a password. */
const shortest = 18

/** Where in a text something secret is, in bytes. */
export interface Stretch {
  from: number
  to: number
}

/** The stretches in order, with overlapping ones merged. */
export function unite(stretches: readonly Stretch[]): Stretch[] {
  const united: Stretch[] = []
  for (const { from, to } of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = united.at(-1)
    if (last && from < last.to) last.to = Math.max(last.to, to)
    else united.push({ from, to })
  }
  return united
}

/** A text that looks like a token, with the kind of token. */
export interface FoundToken extends Stretch {
  kind: string
}

/**
 * Finds tokens by their shapes. `bytes` has one character per byte. Examples from manuals
 * (`EXAMPLE`, or one character repeated) do not count, nor do parts of longer words.
 */
export function findTokens(bytes: string): FoundToken[] {
  return bytes.length < shortest || !tokenMarks.test(bytes) ? [] : tokensOf(bytes, shapes)
}

/** A text for display, without anything that has the form of a token. */
export function withoutTokens(text: string): string {
  return replaceTokens(text, () => '[secure]')
}

/** Replaces each token in a text for display, also one that was read in lower case. */
export function replaceTokens(text: string, replace: (token: string) => string): string {
  if (text.length < shortest || !marksInAnyCase.test(text)) return text
  let shown = ''
  let at = 0
  for (const { from, to } of unite(tokensOf(text, shapesInAnyCase))) {
    shown += text.slice(at, from) + replace(text.slice(from, to))
    at = to
  }
  return shown + text.slice(at)
}

function tokensOf(text: string, shapes: readonly Shape[]): FoundToken[] {
  return shapes.flatMap(({ kind, pattern, isKey = false }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [whole, group = whole] = match
      const secret = isKey ? whole : group
      const to = match.index + whole.length
      const isToken = isKey
        ? isMostlyBase64(group)
        : !isExample(secret) && (secret !== whole || beginsAt(text, match.index))
      return isToken ? [{ kind, from: to - secret.length, to }] : []
    }),
  )
}

/** A log can have times or margins beside the lines of a key; a script that prints its first line has other text. */
function isMostlyBase64(body: string): boolean {
  const base64 = body.match(/[A-Za-z\d+/]{40,}/g)?.join('') ?? ''
  return base64.length > 0.6 * body.length
}

/** Tokens have at least so many characters, and behind their first ones so many different ones; passwords can be shorter. */
const leastOfToken = 16
const leastDifferent = 8
const leastOfPassword = 4

function isExample(token: string): boolean {
  const isMonotonous =
    token.length < leastOfToken
      ? new Set(token).size < leastOfPassword
      : new Set(token.slice(4)).size < leastDifferent
  return (
    isMonotonous ||
    /example|placeholder|redacted|changeme|your_?token|x{6}|abcdefgh|bcdefghi|12345678|(.)\1{7}/i.test(
      token,
    )
  )
}

/** Whether no word goes on here: the word before can be a color, or an escape of a URL or of JSON. */
function beginsAt(text: string, at: number): boolean {
  // oxlint-disable-next-line no-control-regex
  return /(?:^|[^A-Za-z\d_]|\u001B\[[\d;?]{0,20}[A-Za-z]|\\(?:e|033|x1b)\[[\d;]{0,20}m|\\x[\dA-F]{2}|%[\dA-F]{2}|\\[nrtbf]|\\u[\dA-F]{4})$/i.test(
    text.slice(Math.max(0, at - 24), at),
  )
}
