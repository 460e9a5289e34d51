import { readDefinitions } from '../../buildfile/env/definitions.ts'
import { definitionTexts } from '../context/definition-texts.ts'
import { quote } from '../quote.ts'
import type { Rule } from './rule.ts'

const variableName = /^[A-Za-z_]\w*$/

export const envWordAlone: Rule = {
  code: 'env_word_alone',
  level: 'warn',
  summary: 'A word under `env` that cannot be the name of a variable.',
  why:
    'A text such as `A=1 B=2` defines several variables, so a value ends at a blank: ' +
    '`CFLAGS=-O2 -Wall` defines `CFLAGS` as `-O2`, and `-Wall` as a variable without a value. No shell ' +
    'has variables of that name, so it is left out. Put quotes around a value that holds blanks.',
  examples: [
    {
      source: 'script: make\nenv:\n  - CFLAGS=-O2 -Wall\n',
      messages: [
        '"-Wall" cannot be the name of a variable, and is left out: put quotes around a value that holds ' +
          'blanks, or remove the blank before it',
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
  ],
  needs: ['env'],

  *check({ once }) {
    for (const { node, path } of once(definitionTexts)) {
      if (oneDefinition.test(node.value)) continue
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

/** What most are: nothing can be wrong with the name. */
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
  return 'put quotes around a value that holds blanks, or remove the blank before it'
}
