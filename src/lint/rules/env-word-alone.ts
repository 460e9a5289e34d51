import { readDefinitions } from '../../buildfile/env/definitions.ts'
import { definitionTexts } from '../context/definition-texts.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

const variableName = /^[A-Za-z_]\w*$/

export const envWordAlone: LintRule = {
  code: 'env_word_alone',
  level: 'warn',
  summary: 'A word under `env` that cannot be the name of a variable.',
  why:
    'A text such as `A=1 B=2` defines several variables, so a value ends at a space: ' +
    '`CFLAGS=-O2 -Wall` defines `CFLAGS` as `-O2`, and `-Wall` as a variable without a value. No shell ' +
    'has variables of that name, so it is left out. Put quotes around a value that contains spaces.',
  examples: [
    {
      source: 'script: make\nenv:\n  - CFLAGS=-O2 -Wall\n',
      messages: [
        '"-Wall" cannot be the name of a variable, and is left out: put quotes around a value that contains ' +
          'spaces, or remove the space before it',
      ],
    },
    {
      source: 'script: make\nenv: with-docs=1\n',
      messages: [
        '"with-docs" cannot be the name of a variable, and is left out: rename it, names are letters, ' +
          'digits and "_"',
      ],
    },
    {
      source: 'script: make\nenv: A=1 && B=2\n',
      messages: ['"&&" cannot be the name of a variable, and is left out: remove it'],
    },
    {
      source: 'script: make\nenv: PANDAS>=2.2\n',
      messages: [
        '"PANDAS>" cannot be the name of a variable, and is left out: write PANDAS=">=…" if that is its value',
      ],
    },
    { source: 'script: make\nenv:\n  - CFLAGS="-O2 -Wall"\n', messages: [] },
    { source: 'script: make\nenv:\n  global:\n    - CFLAGS: -O2 -Wall\n', messages: [] },
    { source: 'script: make\nenv: A=1 DEBUG\n', messages: [] },
    {
      source:
        'script: make\ndeploy:\n  provider: convox\n  app: a\n  rack: b\n  password: $P\n  env: CFLAGS=-O2 -Wall\n',
      messages: [],
    },
    {
      source: 'script: make\nenv:\n  - env FOO=foo\n',
      messages: [
        'a colon is missing after "env", so it is a variable of that name, without a value: remove ' +
          'the word, or begin a section with "env:"',
      ],
    },
  ],
  needs: ['env'],

  *check({ once }) {
    for (const { node, path } of once(definitionTexts)) {
      if (oneDefinition.test(node.value)) continue
      if (/^env\s+\w+=/.test(node.value)) {
        const message =
          'a colon is missing after "env", so it is a variable of that name, without a value: remove ' +
          'the word, or begin a section with "env:"'
        yield { message, path, at: node }
        continue
      }
      const definitions = [...(readDefinitions(node.value) ?? [])]
      const index = definitions.findIndex(([name]) => !variableName.test(name))
      const [word, value] = definitions[index] ?? []
      if (word === undefined) continue
      const remedy = remedyFor({ word, isFirst: index === 0, isDefined: value !== '' })
      const message = `${quote(word)} cannot be the name of a variable, and is left out: ${remedy}`
      yield { message, path, at: node }
    }
  },
}

/** The form of most definitions: their names cannot be wrong. */
const oneDefinition = /^[A-Za-z_]\w*=[\w./:-]*$/

interface Word {
  word: string
  isFirst: boolean
  isDefined: boolean
}

function remedyFor({ word, isFirst, isDefined }: Word): string {
  if (/^[&|;]+$/.test(word)) return 'remove it'
  if (word === '#') return 'remove it, there are no comments within a text'
  const [, name, sign] = /^([A-Za-z_]\w*)([<>!~]+)$/.exec(word) ?? []
  if (isDefined && name !== undefined) return `write ${name}="${sign}=…" if that is its value`
  if (isFirst || (isDefined && !word.startsWith('-'))) {
    return 'rename it, names are letters, digits and "_"'
  }
  return 'put quotes around a value that contains spaces, or remove the space before it'
}
