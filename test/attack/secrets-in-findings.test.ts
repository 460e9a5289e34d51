import { describe, expect, test } from 'vitest'
import { type FormatName, format, formatNames } from '../../src/cli/linter/formats.ts'
import { lintText } from '../../src/lint/lint-text.ts'

// The output of the linter is kept in logs of builds, which more people can read than the file.
const token = ['ghp', 'q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1GzQwE'].join('_')
const random = 'q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4'
const secrets = [token, token.toLowerCase(), random, 'hunter2', 'not encrypted', 'abc=def']

const file = '.service.yml'
const text = `
language: ${token}
_note: ${token}
env:
  global:
    - DEPLOY_TOKEN=${random} OTHER=1 NEXT=${token}
    - API_KEY: "${random}"
    - X=1 TOKEN="${random}"
    - secure: hunter2
    - secure: 'not encrypted'
script: curl -u :${token} $URL
deploy:
  - provider: npm
    api_key: abc=def
notifications:
  slack: account:${random}
`

function printed(name: FormatName): string {
  const { findings } = lintText(text, { advice: true, file })
  return format(name, [{ file, text, findings }], { color: false })
}

describe('no format repeats a secret of the file', () => {
  test.each(formatNames.filter((name) => name !== 'json' && name !== 'sarif'))('%s', (name) => {
    const output = printed(name)
    expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
    expect(output).toContain('DEPLOY_TOKEN')
  })

  test.each(['json', 'sarif'] as const)(
    '%s, except in edits that write the secret back',
    (name) => {
      const texts = textsOf(JSON.parse(printed(name)))
      expect(secrets.filter((secret) => texts.some((each) => each.includes(secret)))).toEqual([])
      expect(texts.join('\n')).toContain('DEPLOY_TOKEN')
    },
  )
})

test('the source line under a finding keeps names and columns', () => {
  const lines = printed('text').split('\n')
  const at = lines.findIndex((line) => line.includes('the value of "API_KEY"'))
  expect(lines.slice(at + 1, at + 3)).toEqual([
    `  7 |     - API_KEY: ${'*'.repeat(26)}`,
    `    |                ${'^'.repeat(26)}`,
  ])
})

const named = 'hunter2passw0rd'
const namedText = `
deploy:
  - provider: npm
    api_token: [${named}]
  - provider: npm
    api_tokne: ${named}
  - provider: npm
    api_token:
      - [${named}]
    passwordd: ${named}
env: {global: {PASSWORD: [${named}]}}
jobs:
  include:
    - if: env(API_KEY) = ${named} AND (
      env:
        - TOKEN: [${named}]
    - if: ${named} = env(API_KEY) AND (
addons:
  sauce_connect:
    access_key: [${named}]
  passwordd:
    a: ${named}
`

describe('no format repeats the value of a key or variable that is named like a secret', () => {
  const { findings } = lintText(namedText, { advice: true, file })

  test.each(formatNames)('%s', (name) => {
    const output = format(name, [{ file, text: namedText, findings }], { color: false })
    const texts = ['json', 'sarif'].includes(name) ? textsOf(JSON.parse(output)) : [output]
    expect(texts.filter((each) => each.includes(named))).toEqual([])
    expect(texts.join('\n')).toContain('env(API_KEY) …')
  })

  test('no stored message repeats such a value', () => {
    const messages = findings.map(({ message, fix }) => `${message} ${fix?.title}`)
    expect(messages.filter((each) => each.includes(named))).toEqual([])
  })
})

/** All texts of a value, except the new texts of edits. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([name]) => name !== 'edits' && name !== 'replacements')
    .flatMap(([, each]) => textsOf(each))
}
