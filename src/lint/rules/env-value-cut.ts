import { readDefinitions } from '../../buildfile/env/definitions.ts'
import { definitionTexts } from '../context/definition-texts.ts'
import type { Context } from '../context/context.ts'
import { writtenNodes } from '../context/written.ts'
import type { StrNode } from '../../buildfile/tree/node.ts'
import { quote } from '../quote.ts'
import type { ProposedFix, Rule } from './rule.ts'

export const envValueCut: Rule = {
  code: 'env_value_cut',
  level: 'warn',
  summary: 'A value under `env` that a sign of the shell cuts off.',
  why:
    'A shell reads the values, so that they may use other variables. Without quotes `;`, `&` and `|` end ' +
    'the value, and what follows is run as a command; `<` and `>` name a file to read or to write. ' +
    '`URL=https://example.org/?a=1&b=2` sets no `URL` at all, and `DJANGO=Django>=4.2` writes a file.',
  examples: [
    {
      source: 'script: make\nenv:\n  - DJANGO=Django>=4.2 A=1\n',
      messages: [
        'the value of "DJANGO" ends at ">", which writes a file in a shell: put quotes around "Django>=4.2"',
      ],
      fixed: 'script: make\nenv:\n  - DJANGO="Django>=4.2" A=1\n',
      onRequest: true,
    },
    {
      source: 'script: make\nenv:\n  global:\n    URL: https://example.org/?a=1&b=2\n',
      messages: [
        'the value of "URL" ends at "&", behind which a shell runs a command: ' +
          'put quotes around "https://example.org/?a=1&b=2"',
      ],
      fixed: `script: make\nenv:\n  global:\n    URL: '"https://example.org/?a=1&b=2"'\n`,
      onRequest: true,
    },
    { source: 'script: make\nenv:\n  - DJANGO="Django>=4.2" A=`b | c` B=$(d | e)\n', messages: [] },
    { source: 'script: make\nenv:\n  global:\n    FLAGS: -O2 > -O1\n', messages: [] },
    { source: 'script: make\nenv: A=1;B=2\n', messages: [] },
  ],
  needs: ['env'],

  *check(context) {
    for (const { node, path, name, value } of definedValues(context)) {
      const sign = cuttingSign(value)
      if (sign === undefined) continue
      const message =
        `the value of ${quote(name)} ends at ${quote(sign)}, ${effects[sign]}: ` +
        `put quotes around ${quote(value)}`
      yield { message, path, at: node, ...quotes(context.text, node, name, value) }
    }
  },
}

type Sign = keyof typeof effects

const runs = 'behind which a shell runs a command'
const effects = {
  ';': runs,
  '&': runs,
  '|': runs,
  '<': 'which reads a file in a shell',
  '>': 'which writes a file in a shell',
} as const

interface DefinedValue {
  node: StrNode
  path: readonly string[]
  name: string
  /** As written. */
  value: string
}

function* definedValues({ once }: Context): Iterable<DefinedValue> {
  for (const { node, path } of once(definitionTexts)) {
    for (const [name, value] of readDefinitions(node.value) ?? []) yield { node, path, name, value }
  }
  for (const { node, path } of once(writtenNodes)) {
    const name = path.at(-1) ?? ''
    // One with blanks is a single word without quotes as well.
    if (node.kind !== 'str' || !isVariable(path) || /\s/.test(node.value)) continue
    yield { node, path, name, value: node.value }
  }
}

/** Whether it is in a map of variables, where a value is that of its key. */
function isVariable(path: readonly string[]): boolean {
  const [name = '', section, before] = [path.at(-1), path.at(-2), path.at(-3)]
  if (section === 'env') return !isSection(name) && name !== 'secure'
  return before === 'env' && isSection(section ?? '') && name !== 'secure'
}

const isSection = (name: string) => /^(?:global|jobs|matrix)$/.test(name)

/**
 * The first sign outside quotes that ends a value. A semicolon at the end of all is without effect, and
 * one before another definition has about the effect that a blank has.
 */
function cuttingSign(value: string): Sign | undefined {
  const bare = value
    .replaceAll(/\\.|"(?:\\.|[^"\\])*"|'[^']*'/gs, '_')
    .replaceAll(/;(?=$|[A-Za-z_]\w*=)/g, '')
  // What is run for the value, or expanded in it, has a syntax of its own.
  const [plain = ''] = bare.split(/[`(]|\$\{/, 1)
  return /[;&|<>]/.exec(plain)?.[0] as Sign | undefined
}

/** Where the value is written as it is, without a sign that keeps its meaning in double quotes. */
function quotes(text: string, node: StrNode, name: string, value: string): { fix?: ProposedFix } {
  if (/["'\\`$]/.test(value) || text.slice(node.start, node.end) !== node.value) return {}
  const isWhole = node.value === value
  const at = isWhole ? 0 : node.value.indexOf(`${name}=${value}`) + name.length + 1
  const start = node.start + at
  const quoted = isWhole ? `'"${value}"'` : `"${value}"`
  const edits = [{ start, end: start + value.length, text: quoted }]
  return { fix: { title: `write ${quoted}`, edits, safe: false } }
}
