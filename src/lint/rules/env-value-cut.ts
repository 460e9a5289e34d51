import { readDefinitions } from '../../buildfile/env/definitions.ts'
import type { StrNode } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import { definitionTexts, isEnvSection, isInEnv } from '../context/definition-texts.ts'
import { writtenNodes } from '../context/written.ts'
import { quote } from '../quote.ts'
import type { ProposedFix, LintRule } from './rule.ts'

export const envValueCut: LintRule = {
  code: 'env_value_cut',
  level: 'warn',
  summary: 'A value under `env` that a shell character cuts off.',
  why:
    'A shell reads the values, so that they may use other variables. Without quotes `;`, `&` and `|` end ' +
    'the value, and the rest is run as a command; `<` and `>` name a file to read or to write, and a ' +
    'parenthesis is an error. `URL=https://example.org/?a=1&b=2` sets no `URL` at all, `DJANGO=Django>=4.2` ' +
    'writes a file, and the `CXX` of `CC=gcc;CXX=g++` is seen by no program.',
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
        'the value of "URL" ends at "&", after which a shell runs a command: ' +
          'put quotes around "https://example.org/?a=1&b=2"',
      ],
      fixed: `script: make\nenv:\n  global:\n    URL: '"https://example.org/?a=1&b=2"'\n`,
      onRequest: true,
    },
    {
      source: 'script: make\nenv: CC=gcc;CXX=g++\n',
      messages: [
        'the value of "CC" ends at ";", and no program sees the "CXX" after it: use a space instead of ' +
          '";", or put quotes around the value if it is a part of it',
      ],
    },
    {
      source: 'script: make\nenv: A=f(x)\n',
      messages: [
        'the value of "A" ends at "(", which is an error in a shell, so it is not set: put quotes around "f(x)"',
      ],
      fixed: 'script: make\nenv: A="f(x)"\n',
      onRequest: true,
    },
    {
      source: 'script: make\nenv:\n  - DJANGO="Django>=4.2" A="$(b "c;d")" B="${D:-"e;f"}"\n',
      messages: [],
    },
    { source: 'script: make\nenv:\n  global:\n    FLAGS: -O2 > -O1\n', messages: [] },
    { source: 'script: make\nenv: A=1;\n', messages: [] },
    {
      source:
        'script: make\ndeploy:\n  provider: convox\n  app: a\n  rack: b\n  password: $P\n  env: A=1;B=2\n',
      messages: [],
    },
  ],
  needs: ['env'],

  *check(context) {
    for (const { node, path, name, value } of definedValues(context)) {
      const cut = cutIn(value)
      if (!cut) continue
      const end = `the value of ${quote(name)} ends at ${quote(cut.sign)}`
      const { next, effect } = cut
      const message =
        next === undefined
          ? `${end}, ${effect}: put quotes around ${quote(value)}`
          : `${end}, and no program sees the ${quote(next)} after it: use a space instead of ` +
            `${quote(cut.sign)}, or put quotes around the value if it is a part of it`
      yield { message, path, at: node, ...(!next && quotes(context.text, node, name, value)) }
    }
  },
}

interface DefinedValue {
  node: StrNode
  path: readonly string[]
  name: string
  /** As written. */
  value: string
}

function* definedValues({ once }: LintContext): Iterable<DefinedValue> {
  for (const { node, path } of once(definitionTexts)) {
    if (!anySign.test(node.value)) continue
    for (const [name, value] of readDefinitions(node.value) ?? []) yield { node, path, name, value }
  }
  for (const { node, path } of once(writtenNodes)) {
    const name = path.at(-1) ?? ''
    // A value with spaces is a single word even without quotes.
    if (node.kind !== 'str' || !anySign.test(node.value)) continue
    if (!isVariable(path) || /\s/.test(node.value)) continue
    yield { node, path, name, value: node.value }
  }
}

/** Whether a path leads to a variable in a map, with the variable's name as the key. */
function isVariable(path: readonly string[]): boolean {
  if (!isInEnv(path)) return false
  const [name = '', section, before] = [path.at(-1), path.at(-2), path.at(-3)]
  if (section === 'env') return !isEnvSection(name) && name !== 'secure'
  return before === 'env' && isEnvSection(section ?? '') && name !== 'secure'
}

const runs = 'after which a shell runs a command'
const breaks = 'which is an error in a shell, so it is not set'
const effects: Readonly<Record<string, string>> = {
  ...{ ';': runs, '&': runs, '|': runs, '(': breaks, ')': breaks },
  ...{ '<': 'which reads a file in a shell', '>': 'which writes a file in a shell' },
}

const anySign = new RegExp(`[${Object.keys(effects).join('')}]`)

interface Cut {
  sign: string
  effect: string
  /** The shell variable that a definition after the sign sets. */
  next?: string
}

/** The position at which a shell ends a value too early. Quotes and substitutions have their own syntax. */
function cutIn(value: string): Cut | undefined {
  // A list in parentheses is a value, and `<(…)` the name of a file.
  if (value.startsWith('(') || /[<>]\(/.test(value)) return undefined
  const at = bareSign(value)
  const sign = at === undefined ? '' : value.charAt(at)
  const effect = effects[sign]
  if (at === undefined || effect === undefined) return undefined
  const rest = value.slice(at)
  if (rest === ';') return undefined
  const [, joint, next] = /^(;|&&)([A-Za-z_]\w*)=/.exec(rest) ?? []
  return joint !== undefined && next !== undefined
    ? { sign: joint, effect, next }
    : { sign, effect }
}

/** The index of the first sign of `effects` outside quotes and substitutions. */
function bareSign(value: string): number | undefined {
  const open: string[] = []
  for (let at = 0; at < value.length; at += 1) {
    const char = value.charAt(at)
    const inner = open.at(-1)
    if (char === '\\' && inner !== "'") at += 1
    else if (char === inner) open.pop()
    else if (inner === "'") continue
    else if (char === '$' && /[({]/.test(value.charAt(at + 1))) {
      at += 1
      open.push(value.charAt(at) === '(' ? ')' : '}')
    } else if (char === '"' || char === '`' || (char === "'" && inner !== '"')) open.push(char)
    else if (char === '(' && inner === ')') open.push(')')
    else if (inner === undefined && char in effects) return at
  }
  return undefined
}

/** A fix for a value written verbatim and once, without characters that are special in double quotes. */
function quotes(text: string, node: StrNode, name: string, value: string): { fix?: ProposedFix } {
  if (/["'\\`$]/.test(value) || text.slice(node.start, node.end) !== node.value) return {}
  const isWhole = node.value === value
  const definition = `${name}=${value}`
  const found = node.value.indexOf(definition)
  if (!isWhole && found !== node.value.lastIndexOf(definition)) return {}
  const start = node.start + (isWhole ? 0 : found + name.length + 1)
  const quoted = isWhole ? `'"${value}"'` : `"${value}"`
  const edits = [{ start, end: start + value.length, text: quoted }]
  return { fix: { title: `write ${quoted}`, edits, safe: false } }
}
