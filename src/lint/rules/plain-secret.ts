import { listOf, type Path } from '../../buildfile/expand/values.ts'
import type { Node } from '../../buildfile/tree/node.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { findTokens, tokenMarks } from '../../domain/text/token-shapes.ts'
import type { LintContext } from '../context/context.ts'
import { allSections } from '../context/sections.ts'
import { writtenNodes } from '../context/written.ts'
import { quote } from '../quote.ts'
import type { Advice, LintRule } from './rule.ts'

/** Names of variables whose values must stay secret. */
const secretName =
  /(?:^|_)(?:TOKEN|SECRET|SECRET_KEY|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH_?KEY)$/i

/** Words of which every finding contains one. */
const mentions = new RegExp(`${tokenMarks.source}|${inAnyCase('token|secret|passw|key')}`)

/** A pattern that matches capital letters as well: it is faster than one with the flag `i`. */
function inAnyCase(words: string): string {
  return words.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

/** The id of a key, which does not reveal the key: its secret is another text. */
const keyId = /(?:^|=|["'])(?:A[BKS]IA|ACCA)[0-9A-Z]{16}["']?$/

const remedy = 'revoke it, and encrypt the new one (build-service encrypt)'

export const plainSecret: LintRule = {
  code: 'plain_secret',
  level: 'warn',
  summary: 'A password, token or private key in plain text.',
  why:
    'Everybody who can read the repository can read it, in its history even after it was removed. ' +
    'Revoke it, and have the new one encrypted: `build-service encrypt -r owner/name` prints what to ' +
    'put into the file, which only jobs of that repository can decrypt. Or keep it in the settings of the ' +
    'repository, as a variable.',
  examples: [
    {
      source: 'script: curl -u :bsvc_q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4mJ6pRs1G $URL\n',
      messages: [
        'this looks like a secret in plain text (access token of this service): revoke it, and ' +
          'encrypt the new one (build-service encrypt)',
      ],
    },
    {
      source: 'env:\n  global:\n    - DEPLOY_TOKEN=q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4\n',
      messages: [
        'the value of "DEPLOY_TOKEN" looks like a secret in plain text: revoke it, and encrypt the ' +
          'new one (build-service encrypt)',
      ],
    },
    {
      source: 'env:\n  global:\n    - DEPLOY_TOKEN=$TOKEN_OF_SETTINGS\n    - TOKEN=test\n',
      messages: [],
    },
    {
      source:
        'script: make\ndeploy:\n  provider: s3\n  bucket: files\n  access_key_id: AKIAQ7ZR3VLX6TN5KC2W\n' +
        `  secret_access_key:\n    secure: ${'A'.repeat(683)}=\n`,
      messages: [],
    },
    {
      source:
        'script: make\ndeploy:\n  provider: s3\n  bucket: files\n  access_key_id: AKIAQ7ZR3VLX6TN5KC2W\n' +
        '  secret_access_key: $AWS_SECRET\n',
      messages: [],
    },
    {
      source:
        'script: curl -H "Authorization: token ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" $URL\n',
      messages: [],
    },
    {
      source: 'env:\n  global:\n    - COMMIT=0123456789abcdef0123456789abcdef01234567\n',
      messages: [],
    },
    {
      source: 'env:\n  global:\n    - secure: q8Zr3vLx0Tn5Kc7Wd2Yf9Bh4q8Zr3vLx0Tn5Kc7Wd2Y=\n',
      messages: [],
    },
  ],
  mentions,

  *check(context) {
    const reported = new Set<string>()
    for (const { node, path } of context.once(writtenNodes)) {
      if (node.kind !== 'str') continue
      const found = findTokens(node.value)
      const [first] = found
      if (!first) continue
      const isKeyId = found.length === 1 && keyId.test(node.value)
      if (isKeyId && context.once(besideSecrets).has(node)) continue
      const message = `this looks like a secret in plain text (${first.kind}): ${remedy}`
      for (const { from, to } of found) reported.add(node.value.slice(from, to))
      yield { message, path, at: node }
    }
    yield* secretVariables(context, reported)
  },
}

/** Texts next to an encrypted value, or next to a variable, in the same map or list. */
function besideSecrets({ once }: LintContext): ReadonlySet<Node> {
  const beside = new Set<Node>()
  for (const { node } of once(writtenNodes)) {
    const inner = childrenOf(node)
    if (!inner.some(isHidden)) continue
    for (const child of inner) {
      beside.add(child)
      for (const grandchild of childrenOf(child)) beside.add(grandchild)
    }
  }
  return beside
}

function isHidden(node: Node): boolean {
  return node.kind === 'secure' || (node.kind === 'str' && /^\$\{?\w+\}?$/.test(node.value))
}

function childrenOf(node: Node): readonly Node[] {
  if (node.kind === 'seq') return node.items
  return node.kind === 'map' ? node.entries.map(({ value }) => value) : []
}

/** `reported`: values that were recognized by their form. */
function* secretVariables(context: LintContext, reported: ReadonlySet<string>): Generator<Advice> {
  for (const { name, value, path } of variablesOf(context)) {
    if (!secretName.test(name) || !isRandom(value) || reported.has(value)) continue
    const message = `the value of ${quote(name)} looks like a secret in plain text: ${remedy}`
    yield { message, path }
  }
}

interface Variable {
  name: string
  value: string
  path: Path
}

function variablesOf({ config, once }: LintContext): Variable[] {
  const { env } = config
  const lists: [unknown, Path][] = isMap(env)
    ? (['global', 'jobs'] as const).map((part) => [env[part], ['env', part]])
    : []
  for (const section of once(allSections).slice(1)) {
    lists.push([section.config.env, [...section.path, 'env']])
  }
  return lists.flatMap(([list, path]) =>
    listOf(list).flatMap((entry, index) =>
      Object.entries(isMap(entry) ? entry : {}).flatMap(([name, value]): Variable[] =>
        typeof value === 'string'
          ? [{ name, value: unquoted(value), path: [...path, index, name] }]
          : [],
      ),
    ),
  )
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value
}

/** Whether a text is long, without spaces, and looks random. */
function isRandom(text: string): boolean {
  if (!/^[\w+/=.-]{16,200}$/.test(text) || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false
  return entropy(text) >= 3.3
}

/** Bits per character, by how often each occurs. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length
    return sum - share * Math.log2(share)
  }, 0)
}
