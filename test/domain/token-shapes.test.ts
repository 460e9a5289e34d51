import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findTokens, unite, withoutTokens } from '../../src/domain/text/token-shapes.ts'
import { scanWork } from '../../src/flow/logs/search-text.ts'

/** Random numbers that are the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const letters = lower + lower.toUpperCase()
const alnum = letters + digits
const word = `${alnum}_-`
const hex = `${digits}abcdef`

const number = numbersFrom(7)
const some = (length: number, signs = alnum) =>
  Array.from({ length }, () => signs[number(signs.length)]).join('')

const keyBlock = (kind: string) =>
  [
    `-----BEGIN ${kind}-----`,
    ...Array.from({ length: 5 }, () => some(64, `${alnum}+/`)),
    `-----END ${kind}-----`,
  ].join('\n')

/** Tokens by their kind. */
const kinds: Readonly<Record<string, () => string>> = {
  'access token of this service': () => `bsvc_${some(32)}`,
  'GitHub token': () => `gh${some(1, 'opurs')}_${some(36)}`,
  'long token of an app': () =>
    `ghs_${some(7, '123456789')}_eyJ${some(33)}.eyJ${some(300)}.${some(170, word)}${some(1)}`,
  'fine-grained GitHub token': () => `github_pat_${some(22)}_${some(59)}`,
  'GitLab token': () => `glpat-${some(20, word)}`,
  'AWS access key': () => `AKIA${some(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  'AWS secret key': () => some(40, `${alnum}+/`),
  'GitLab token of the routable form': () => `glpat-${some(30, word)}.${some(9, lower)}`,
  'GitLab registration token': () => `GR1348941${some(19, word)}${some(1)}`,
  'GitLab application secret': () => `gloas-${some(64, hex)}`,
  'GitLab feature flag token': () => `glffct-${some(20, word)}`,
  'AWS secret key of a short name': () => some(40, `${alnum}+/`),
  'Slack workflow': () =>
    `hooks.slack.com/workflows/T${some(9, digits)}/A${some(9, digits)}/${some(18, digits)}/${some(24)}`,
  'Clojars token': () => `CLOJARS_${some(60, `${lower}${digits}`)}`,
  'long PyPI token': () => `pypi-AgEIcHlwaS5vcmc${some(800, word)}`,
  'Google token': () => `ya29.${some(120, word)}`,
  'Azure secret': () => `${some(3)}8Q~${some(33)}${some(1)}`,
  'Azure key': () => `${some(86)}==`,
  'Azure signature': () => `${some(43)}%3D`,
  'Stripe test key': () => `sk_test_${some(23)}${some(1, digits)}`,
  'Stripe webhook secret': () => `whsec_${some(32)}`,
  'Pulumi token': () => `pul-${some(40, hex)}`,
  'age key': () => `AGE-SECRET-KEY-1${some(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`,
  'password in an address': () => `${some(11, letters)}${some(1, digits)}`,
  'Slack token': () => `xoxb-${some(12, digits)}-${some(12, digits)}-${some(24)}`,
  'Slack webhook': () =>
    `hooks.slack.com/services/T${some(9, digits)}/B${some(9, digits)}/${some(24)}`,
  'npm token': () => `npm_${some(36)}`,
  'PyPI token': () => `pypi-AgEIcHlwaS5vcmc${some(120, word)}`,
  'Google key': () => `AIza${some(34, word)}${some(1)}`,
  'Google client secret': () => `GOCSPX-${some(27, word)}${some(1)}`,
  'Stripe key': () => `sk_live_${some(24)}`,
  'SendGrid key': () => `SG.${some(22, word)}.${some(42, word)}${some(1)}`,
  'Twilio key': () => `SK${some(32, hex)}`,
  'Docker token': () => `dckr_pat_${some(27, word)}`,
  'Hugging Face token': () => `hf_${some(34, letters)}`,
  'private key': () => keyBlock(`${some(1, 'RE') === 'R' ? 'RSA ' : ''}PRIVATE KEY`),
  'bearer token': () => `eyJ${some(20)}.eyJ${some(60)}.${some(43, word)}`,
  'DigitalOcean token': () => `dop_v1_${some(64, hex)}`,
  'HashiCorp Vault token': () => `hvs.${some(90, word)}`,
}

/** Text that can surround a token in a log. */
const around: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `export TOKEN=${token}`,
  (token) => `{"token":"${token}"}`,
  (token) => `\u001B[32m${token}\u001B[0m`,
  (token) => `+ curl -u 'x:${token}' https://example.org`,
]

const needed: Readonly<Record<string, (token: string) => string>> = {
  'AWS secret key of a short name': (token) => `AWS_SECRET=${token}`,
  'Azure key': (token) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${token};`,
  'Azure signature': (token) =>
    `https://a.blob.core.windows.net/b?sv=2024-11-04&se=2026-12-01T00%3A00Z&sig=${token}`,
  'password in an address': (token) => `git clone https://deploy:${token}@git.acme.io/hello.git`,
  'AWS secret key': (token) => `AWS_SECRET_ACCESS_KEY=${token}`,
  'bearer token': (token) => `Authorization: Bearer ${token}`,
}

async function shown(log: string, secrets: readonly string[] = []): Promise<string> {
  const bytes = Buffer.from(log)
  const found = await scanWork.run({ bytes, secrets })
  let at = 0
  let text = ''
  for (const { from, to } of unite(found)) {
    text += `${bytes.toString('utf8', at, from)}[secure]`
    at = to
  }
  return text + bytes.toString('utf8', at)
}

describe('tokens of well-known services', () => {
  test('of 39 kinds are found in 10 different surroundings each', async () => {
    expect(Object.keys(kinds)).toHaveLength(39)
    for (const [kind, make] of Object.entries(kinds)) {
      for (let index = 0; index < 10; index += 1) {
        const token = make()
        const wrap = needed[kind] ?? around[index % around.length] ?? String
        const before = `line ${some(12)}\n`
        const log = `${before}${wrap(token)}\nDone.\n`
        expect(await shown(log), `${kind}: ${log}`).toBe(`${before}${wrap('[secure]')}\nDone.\n`)
      }
    }
  })

  test.each([
    ['an example in a manual', `AKIAIOSFODNN7EXAMPLE`],
    ['a placeholder', `ghp_${'x'.repeat(36)}`],
    ['counted characters', `ghp_1234567890abcdefghijklmnopqrstuvwxyz`],
    ['a part of a longer word', `loghp_${some(36)} my_npm_${some(36)}`],
    ['a longer token', `npm_${some(37)}`],
    ['a key in a manual', `-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----`],
    [
      'the first line of a key in a script',
      '-----BEGIN RSA PRIVATE KEY-----" key.pem\nelse\n' +
        `  echo ${some(64, hex)} | sha256sum -c\nnpm install\n-----END RSA PRIVATE KEY-----`,
    ],
    [
      'the first line of a key before other commands',
      `-----BEGIN PRIVATE KEY-----\n${some(64)}\nnpm install\nnpm test\n`,
    ],
    [
      'a name of a value',
      'hvs.configuration_service_implementation cioBillingAccountServiceFactoryImpls',
    ],
    ['a public key', keyBlock('PUBLIC KEY')],
    ['a token that grants no login', `eyJ${some(20)}.eyJ${some(60)}.${some(43)}`],
    ['a secret key without its name', some(40)],
    ['a name that begins like a key', 'sk_live_environment rk_test_connection'],
    ['a signature of an address without an end', `https://a.io/?v=2&sig=${some(43)}`],
    ['a password of a server of the job', 'postgres://postgres:s3cr3tpassw0rd@localhost:5432/test'],
    ['a usual password', 'mysql://root:password@db.acme.io/test'],
    ['a hidden password', 'https://deploy:[secure]@git.acme.io https://x:***@git.acme.io'],
    ['the name of a variable', 'https://deploy:$DEPLOY_TOKEN_2026@git.acme.io'],
    ['a port', 'http://acme.io:8080/people/0123456789@acme.io'],
  ])('are not %s', (_, text) => {
    expect(findTokens(text)).toEqual([])
  })

  test.each(Object.entries(kinds))(
    'are hidden for display, also in lower case: %s',
    (kind, make) => {
      const wrap = needed[kind] ?? ((token: string) => `token ${token}`)
      const text = wrap(make())
      expect(withoutTokens(text)).toBe(wrap('[secure]'))
      expect(withoutTokens(text.toLowerCase())).toBe(wrap('[secure]').toLowerCase())
    },
  )

  test('of AWS are found behind the id of their key', () => {
    const id = `AKIA${some(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`
    const key = some(40, `${alnum}+/`)
    expect(withoutTokens(`${id},${key},eu-west-1`)).toBe('[secure],[secure],eu-west-1')
    expect(withoutTokens(`id = "${id}"\nsecret = "${key}"\n`)).toBe(
      'id = "[secure]"\nsecret = "[secure]"\n',
    )
    const commit = `${id} HEAD is now at ${some(40, hex)}`
    expect(withoutTokens(commit)).toBe(commit.replace(id, '[secure]'))
  })

  test('of a key that is cut off are found up to its last line', () => {
    const whole = [some(64, `${alnum}+/`), some(64, `${alnum}+/`), some(64, `${alnum}+/`)]
    const head = '-----BEGIN RSA PRIVATE KEY-----'
    for (const separator of ['\n', '\r\n', String.raw`\n`]) {
      const key = [head, ...whole].join(separator)
      expect(withoutTokens(`echo ${key}${separator}`)).toBe(`echo [secure]${separator}`)
      expect(withoutTokens(`${key}${separator}make all install\n`)).toBe(
        `[secure]${separator}make all install\n`,
      )
    }
  })

  test('leave other texts for display as they are', () => {
    expect(withoutTokens('a text without any token')).toBe('a text without any token')
  })

  test('are not found in the logs of tests', () => {
    const fixtures = path.join(import.meta.dirname, '../fixtures')
    const files = readdirSync(fixtures, { recursive: true, withFileTypes: true })
    const texts = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.flatMap(findTokens)).toEqual([])
  })

  test('are not found in 10,000 lines of hashes, sums, ids and names', () => {
    const lines: readonly (() => string)[] = [
      () => `commit ${some(40, hex)}`,
      () => `"integrity": "sha512-${some(86, `${alnum}+/`)}=="`,
      () => `sha256:${some(64, hex)}`,
      () => `${some(8, hex)}-${some(4, hex)}-4${some(3, hex)}-a${some(3, hex)}-${some(12, hex)}`,
      () => `Downloading https://files.example.org/${some(2, hex)}/${some(60, hex)}/pkg-1.2.whl`,
      () => `hf_hub_download npm_config_cache npm_lifecycle_script ghp_import glpat-doc`,
      () => `h1:${some(43, `${alnum}+/`)}=`,
      () => `AIza sk_live pypi-simple SG.x SKIP${some(30, lower)} TASK${some(32, hex)}`,
      () => `etag "${some(32, hex)}" x-request-id: ${some(22, word)}`,
      () => some(200, `${alnum}+/`),
    ]
    const text = Array.from({ length: 10_000 }, (_, index) => lines[index % lines.length]?.())
    expect(findTokens(text.join('\n'))).toEqual([])
  })
})

test('secrets of the job are found in all forms that the runner masks', async () => {
  const secret = 'hunter2-"quoted"+more'
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
    `hunter2\u001B[31m${secret.slice(7)}`,
  ]
  expect(await shown(forms.join('\nwörld '), [secret])).toBe(
    forms.map(() => '[secure]').join('\nwörld '),
  )
})

test('overlapping secrets are covered once', async () => {
  expect(await shown('a hunter2hunter3 b', ['hunter2hunter', 'terhunter', 'hunter3'])).toBe(
    'a [secure] b',
  )
})
