import { isInEnv } from '../context/definition-texts.ts'
import { writtenNodes } from '../context/written.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const colonInDefinition: LintRule = {
  code: 'colon_in_definition',
  level: 'warn',
  summary: 'A definition under `env` that a colon makes a map.',
  why:
    'A colon and a space turn a string into a key with a value: `- MSG=foo: bar` is a key named `MSG=foo`. ' +
    'No variable can have such a name, so it is left out of the job. In quotes it is one string.',
  examples: [
    {
      source: 'env:\n  - MSG=foo: bar\n',
      messages: [
        'the colon after "MSG=foo" makes this a key with a value, so the variable "MSG" is not set: ' +
          'put quotes around the whole entry',
      ],
      fixed: "env:\n  - 'MSG=foo: bar'\n",
      onRequest: true,
    },
    { source: "env:\n  - 'MSG=foo: bar'\n", messages: [] },
    { source: 'env:\n  - MSG: foo=bar\n', messages: [] },
    { source: 'env:\n  global:\n    - MSG=foo:bar\n', messages: [] },
    {
      source:
        'script: make\ndeploy:\n  provider: convox\n  app: a\n  rack: b\n  password: $P\n  env: [A=1: 2]\n',
      messages: [],
    },
  ],
  mentions: /=/,

  *check({ once, text }) {
    for (const { node, path } of once(writtenNodes)) {
      if (node.kind !== 'map' || !isInEnv(path)) continue
      for (const { key, value, at } of node.entries) {
        const name = /^([A-Za-z_]\w*)=/.exec(key)?.[1]
        if (name === undefined) continue
        const message =
          `the colon after ${quote(key)} makes this a key with a value, so the variable ${quote(name)} ` +
          'is not set: put quotes around the whole entry'
        const whole = text.slice(at.start, value.end)
        const isPlain = value.kind === 'str' && !/['"\n]/.test(whole)
        yield {
          message,
          path: [...path, key],
          at,
          ...(isPlain && {
            fix: {
              title: 'put quotes around it',
              edits: [{ start: at.start, end: value.end, text: `'${whole}'` }],
              safe: false,
            },
          }),
        }
      }
    }
  },
}
