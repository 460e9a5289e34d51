import { quote } from '../quote.ts'
import { writtenIn } from '../written.ts'
import type { Rule } from './rule.ts'

/** A definition whose unquoted value has brackets that end before the line does. */
const swallowing =
  /(?:^|\s)([^\s="'`]+)=([^\s"'`$]*(\$\{[^}"'`]*\}|\$\([^)"'`]*\))[^\s"'`]*)\s+([^\s="'`$]+)=/

export const envLineSwallows: Rule = {
  code: 'env_line_swallows',
  level: 'warn',
  summary: 'A definition under `env` whose value swallows those behind it.',
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
    },
    { source: 'env:\n  global:\n    - A="${X}" B=2\n', messages: [] },
    { source: 'env:\n  global:\n    - A=$X B=2\n    - C=${X}\n', messages: [] },
  ],

  *check({ root, text }) {
    for (const { node, path } of writtenIn(root)) {
      if (node.kind !== 'str' || !isDefinitions(path)) continue
      const [all, name = '', value = '', , next = ''] = swallowing.exec(node.value) ?? []
      if (all === undefined) continue
      const message =
        `${quote(`${next}=`)} becomes a part of the value of ${quote(name)}, which goes on to the end ` +
        `of the line: put quotes around ${quote(value)}`
      const at = text.indexOf(`${name}=${value}`, node.start)
      const start = at + name.length + 1
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

/** Texts right under `env` and its parts are definitions; deeper ones are values of variables. */
function isDefinitions(path: readonly string[]): boolean {
  const [last, before] = [path.at(-1), path.at(-2)]
  return last === 'env' || (before === 'env' && /^(?:global|jobs|matrix)$/.test(last ?? ''))
}
