import { definitionTexts } from '../context/definition-texts.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

/** A definition, up to an unquoted bracket in its value, if there is one. */
const definition =
  /\s*([^\s=]+)(?:=((?:"(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|\\.|\$(?![({])|[^\s"'`\\$])*))?/sy

/** A value from its bracket on, with the name that would be defined next. */
const swallowing = /^(?:\$\{[^}"'`]*\}|\$\([^)"'`]*\)|[^\s"'`$])+(?=\s+([^\s="'`$]+)=)/

export const envLineSwallows: LintRule = {
  code: 'env_line_swallows',
  level: 'warn',
  summary: 'A definition under `env` whose value swallows the following ones.',
  why:
    'Several variables may be defined in one text, as in `A=1 B=2`. But a value without quotes that ' +
    'holds `${…}` or `$(…)` goes on to the end of the text: `A=${X} B=2` defines only `A`, with the ' +
    'value `${X} B=2`. In quotes it ends where it should.',
  examples: [
    {
      source: 'env:\n  global:\n    - A=${X} B=2\n',
      messages: [
        '"B=" becomes a part of the value of "A", which goes on to the end of the line: put quotes ' +
          'around "${X}"',
      ],
      fixed: 'env:\n  global:\n    - A="${X}" B=2\n',
      onRequest: true,
    },
    { source: 'env:\n  global:\n    - A="${X}" B=2\n', messages: [] },
    { source: 'env:\n  global:\n    - A=$X B=2\n    - C=${X}\n', messages: [] },
    {
      source:
        'script: make\ndeploy:\n  provider: convox\n  app: a\n  rack: b\n  password: $P\n  env: A=${X} B=2\n',
      messages: [],
    },
  ],
  mentions: /\$[({]/,

  *check({ once, text }) {
    for (const { node, path } of once(definitionTexts)) {
      if (!/\$[({]/.test(node.value)) continue
      const found = swallowedIn(node.value)
      if (!found) continue
      const { name, value, next, offset } = found
      const message =
        `${quote(`${next}=`)} becomes a part of the value of ${quote(name)}, which goes on to the end ` +
        `of the line: put quotes around ${quote(value)}`
      const start = node.start + offset
      const isPlain = text.slice(node.start, node.end) === node.value
      yield {
        message,
        path,
        at: node,
        ...(isPlain && {
          fix: {
            title: `write ${name}="${value}"`,
            edits: [{ start, end: start + value.length, text: `"${value}"` }],
            safe: false,
          },
        }),
      }
    }
  },
}

interface Swallowed {
  name: string
  /** The value that was meant. */
  value: string
  next: string
  /** Offset of that value. */
  offset: number
}

function swallowedIn(text: string): Swallowed | undefined {
  let at = 0
  while (at < text.length) {
    definition.lastIndex = at
    const [all, name = '', begun] = definition.exec(text) ?? []
    if (!all) return undefined
    at += all.length
    if (begun === undefined || !/^\$[({]/.test(text.slice(at, at + 2))) continue
    const [rest, next] = swallowing.exec(text.slice(at)) ?? []
    if (rest === undefined || next === undefined || /["'`]/.test(begun)) return undefined
    return { name, value: begun + rest, next, offset: at - begun.length }
  }
  return undefined
}
